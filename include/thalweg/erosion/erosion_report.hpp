// What the analytical erosion engine tells of its work.
#pragma once

#include "thalweg/erosion/terrain_quality.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// What stepping tells of itself.
struct SteppingReport {
    double years = 0.0;              // that were stepped through
    double change = 0.0;             // m/yr, mean |dz/dt| in the last step
    bool settled = true;             // false: the steady state was given up
    std::int64_t capped_solves = 0;  // of cells, by Newton's method, that ended at its cap of iterations
};

/// What the optimisation towards a kept network tells of itself.
struct OptimisationReport {
    int iterations = 0;
    double objective_before = 0.0;  // m^2
    double objective_after = 0.0;   // m^2

    // Like discontinuous_share, on the network that the terrain was solved on. NaN without diagnostics.
    double discontinuous_share_before = 0.0;
    double discontinuous_share_after = 0.0;
};

/// What a terrain erodes, lays down and loses over its outlets, in the last increment, step or solution.
struct SedimentReport {
    double eroded = 0.0;       // m^3/yr, before deposition
    double deposited = 0.0;    // m^3/yr
    double exported = 0.0;     // m^3/yr, over the boundary cells
    std::int64_t limited = 0;  // cells whose deposition was bounded
};

/// What erode tells of its work, and of the terrain that it returns.
struct ErosionReport {
    int levels = 0;
    int iterations = 0;  // over all levels

    // |dz/dt| of cells over the largest uplift, in the last iteration on the network that it was solved on: 0
    // but for rounding. NaN where not measured: finite times, or no uplift.
    double residual_median = std::numeric_limits<double>::quiet_NaN();
    double residual_p99 = std::numeric_limits<double>::quiet_NaN();

    // The same of the terrain that is returned, on the network that it has itself: how far network and
    // terrain have settled on each other.
    double unsettled_median = std::numeric_limits<double>::quiet_NaN();

    std::int64_t closed_components =
        0;  // pieces of land without a boundary cell, which drain into their lowest cell
    std::optional<std::int64_t> pits;  // cells without a lower neighbour in the last terrain

    // Share of cells higher above an unconnected neighbour than its distance; NaN where not measured.
    double discontinuous_share = std::numeric_limits<double>::quiet_NaN();
    RiverDirections river_directions;  // of the last terrain's own network, above kJudgedRiverArea
    std::vector<double> deciles;       // of the elevation that is returned, m; empty: not measured
    std::optional<SteppingReport> stepping;
    std::optional<OptimisationReport> optimisation;
    std::optional<SedimentReport> sediment;  // where there is deposition
    std::vector<std::pair<std::string, double>> phases_ms;
};

}  // namespace thalweg
