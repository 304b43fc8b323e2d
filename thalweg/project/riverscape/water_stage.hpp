// Stage `water`: rivers that flow over their beds.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage water_stage();

}  // namespace thalweg
