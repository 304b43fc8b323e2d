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

/// Whether any place is given.
bool has_pour_points(const CatchmentParameters& parameters);

/// Leaves the polygons that are wanted in the landscape: basins of `least_area` (m^2) and more, and the
/// catchments of pour points, where there are any. Elevations are the landscape's. Throws as
/// outline_catchments and, for the file, read_springs do.
void trace_basins(const FlowResult& flow, const CatchmentParameters& parameters, double least_area,
                  StageContext& context);

}  // namespace thalweg
