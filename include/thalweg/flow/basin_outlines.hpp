// Basins and catchments as polygons.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/cell_outlines.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace thalweg {

/// A place whose catchment is wanted.
struct PourPoint {
    double x = 0.0;  // m
    double y = 0.0;  // m

    static void declare(Declaration<PourPoint>& declaration);
};

/// All cells whose water passes an outlet, where they lie and how high.
struct BasinOutline {
    std::int32_t id = 0;
    std::optional<Position> pour_point;  // m, as it was given; none where the outlet is one of the terrain
    Position outlet;                     // m, centre of its cell
    double outlet_elevation = 0.0;       // m
    double area = 0.0;                   // m^2
    double least = 0.0;                  // m, of the elevation
    double mean = 0.0;                   // m
    double greatest = 0.0;               // m
    std::vector<OutlinePart> parts;      // several where cells meet in corners alone
};

/// Basins or catchments of one terrain.
struct BasinOutlines {
    std::string crs;  // of the grid
    std::vector<BasinOutline> basins;
};

/// The basins of all roots through which `least_area` (m^2) or more drains, with the numbers that
/// basin_labels (derived.hpp) gives them, in that order. elevation: m, on the tree's grid. O(cells), serial,
/// 13 bytes a cell; polls `progress`.
BasinOutlines outline_basins(const FlowTree& tree, const Field<float>& elevation, double least_area,
                             const Progress& progress);

/// The catchments of pour points, numbered from 1 in their order. Each is moved to the cell with the largest
/// drainage area (m^2) of those whose centres lie within `snap_distance` (m) of it; of equal ones to the
/// nearest, then the first. Its own cell counts whatever the distance. Catchments that lie in others are in
/// both. Throws as check_pour_points does. O(cells) for each, serial; polls `progress`.
///
/// Example:
///     const std::vector<PourPoint> gauges = {{.x = 4000.0, .y = 2500.0}};
///     const BasinOutlines catchments =
///         outline_catchments(flow.tree, elevation, flow.drainage_area, gauges, 200.0, progress);
BasinOutlines outline_catchments(const FlowTree& tree, const Field<float>& elevation,
                                 const Field<double>& drainage_area, std::span<const PourPoint> points,
                                 double snap_distance, const Progress& progress);

/// Throws Error::input for a pour point outside the grid of `elevation` or on a cell without data.
/// O(points).
void check_pour_points(std::span<const PourPoint> points, const Field<float>& elevation);

}  // namespace thalweg
