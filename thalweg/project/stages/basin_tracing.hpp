// How stage `flow` makes the polygons of basins and catchments.
#pragma once

#include "thalweg/flow/basin_outlines.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

struct CatchmentParameters {
    std::vector<PourPoint> pour_points = {};
    std::string pour_points_file = {};  // points; empty: none
    double snap_distance = 300.0;       // m

    static void declare(Declaration<CatchmentParameters>& declaration);
};

/// Leaves the polygons that are wanted in the landscape: basins of `least_area` (m^2) and more, and the
/// catchments of pour points. Elevations are the landscape's. Throws Error::input where catchments are wanted
/// without a pour point, and as outline_catchments and read_springs (for the file) do.
void trace_basins(const FlowResult& flow, const CatchmentParameters& parameters, double least_area,
                  StageContext& context);

}  // namespace thalweg
