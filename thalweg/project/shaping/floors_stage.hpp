// Stage `floors`: flat ground along rivers.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage floors_stage();

}  // namespace thalweg
