// Stage `carve`: beds of rivers, by their types.
#pragma once

#include "thalweg/project/stage.hpp"

namespace thalweg {

Stage carve_stage();

}  // namespace thalweg
