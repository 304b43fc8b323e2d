// Stage `ground`: soil, bare rock, scree, plants and snow.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage ground_stage();

}  // namespace thalweg
