// The rivers that wandering begins with.
#pragma once

#include "thalweg/project/meandering/meander_stage.hpp"
#include "thalweg/river/network.hpp"

namespace thalweg {

/// Those of the file that the parameters name, or of the landscape. Throws Error::input where there are none,
/// where the file can't be read, and for lines in degrees or off the landscape's grid.
RiverNetwork first_rivers(const MeanderStageParameters& parameters, const StageContext& context);

}  // namespace thalweg
