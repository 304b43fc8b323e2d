// Stage `window`: a part of the landscape, on cells of another size.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage window_stage();

}  // namespace thalweg
