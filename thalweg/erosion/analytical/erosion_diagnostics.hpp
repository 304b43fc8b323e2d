// What an erosion's report tells of the terrain's quality.
#pragma once

#include "thalweg/erosion/analytical/erosion_result.hpp"
#include "thalweg/erosion/analytical/level_solver.hpp"
#include "thalweg/erosion/erosion_report.hpp"

namespace thalweg {

/// Fills residual_median and residual_p99: of the solver's terrain, at steady state, on the network that it
/// was solved on.
void measure_residuals(const LevelSolver& solver, ErosionReport& report, const ErosionRun& run);

/// Fills deciles: of the elevation that is returned.
void measure_elevation(const Field<float>& elevation, ErosionReport& report, const ErosionRun& run);

/// Fills what the report tells of the terrain on the network that it has itself: pits, discontinuities, river
/// directions, and at steady state how far the fixed point has come. That network takes the place of
/// `solved.scratch`.
void measure_terrain(const SolvedTerrain& solved, const ErosionProblem& problem, ErosionReport& report,
                     const ErosionRun& run);

}  // namespace thalweg
