// Stage `fans`: what rivers lay down before their valleys, and in the sea.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage fans_stage();

}  // namespace thalweg
