// The stage `meander` under way.
#pragma once

#include "thalweg/project/meandering/meander_stage.hpp"
#include "thalweg/project/simulation.hpp"

#include <memory>

namespace thalweg {

/// Rivers of the context's landscape, or of the file that the parameters name, in year 0. Throws Error::input
/// where there are none.
std::unique_ptr<Simulation> simulate_wandering_rivers(const MeanderStageParameters& parameters,
                                                      StageContext& context);

}  // namespace thalweg
