// Discontinuities taken out of an eroded terrain on the network that it was solved on.
#pragma once

#include "thalweg/erosion/erosion_report.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"

namespace thalweg {

/// Steps of optimisation that `parameters` ask for: where they leave it open, 50 on a network that is kept,
/// and none on one that was found with the terrain.
int optimisation_iterations(const ErosionParameters& parameters);

/// Fits `terrain` [m], at the level's nodes, to `tree` (network_fit.hpp) and tells `report` of it; without
/// iterations nothing happens. At a finite time the water surface of a closed basin takes part, and its
/// ground keeps its depth below that: basins stay basins.
void optimise_terrain(const ErosionProblem& problem, const ErosionLevel& level, const FlowTree& tree,
                      Field<float>& terrain, ErosionReport& report, const ErosionRun& run);

}  // namespace thalweg
