// Gullies: valleys that rainwater cuts into slopes above the heads of rivers.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <limits>

namespace thalweg {

struct GullyParameters {
    double time = 6e4;         // t, yr
    double head_area = 5e3;    // A_g, m^2: what drains to the head of a gully on slopes of head_slope
    double head_slope = 0.35;  // S_g, m/m
    double river_area = std::numeric_limits<double>::infinity();  // m^2, from which on ways are no gullies
    double erodibility = 2e-5;                                    // k, m^(1-2m)/yr
    double area_exponent = 0.4;                                   // m, 1
};

/// What differs from cell to cell, on the grid of the elevation.
struct GullyFields {
    Field<float> slope = {};        // S, m/m, of the ground around; empty: A_h is A_g everywhere
    Field<std::uint8_t> held = {};  // 1: a channel or an outlet, which keeps its elevation; empty: none
};

/// Elevation after gullies have cut into slopes for time t:
///
///   dz/dt = -k (A^m - A_h^m) |grad z|  where A > A_h     k: `erodibility`, m: `area_exponent`
///   A_h = A_g max(1, (S_g / S)^2)
/// and A < `river_area`: on level ground drawn rivers run beside those that are held.
///
/// A: drainage area of `tree`, m^2. That is stream power less what the head of a gully has: slopes above it
/// are left to creep. Source of A_h S^2 = const: Montgomery and Dietrich 1992 (Science 255, 826-830); A_g and
/// S_g are empirical (docs/theory/hillslopes.md).
/// Implicit along the tree, as Braun and Willett 2013 (Geomorphology 180-181, 170-179): any time is stable,
/// and beds fall to no less than their receivers.
///
/// elevation: m, on the tree's grid. The tree is that of steepest descent or a drawn one
/// (flow/multiple_flow.hpp): drawn ones join within some cells, while steepest descent lets gullies run side
/// by side along the grid. No cell is raised; roots and held cells keep their elevation. Throws Error::input
/// for parameters that are not finite or negative. O(cells); serial; 4 bytes a cell; same bits on any number
/// of threads; polls `progress`.
///
/// Example:
///     FlowParameters drawn;
///     drawn.routing = {.routing = Routing::Random, .seed = seed};
///     const FlowResult flow = route(elevation, drawn, progress);
///     const Field<float> cut = cut_gullies(elevation, flow.tree, {}, {.time = 3e4}, progress);
Field<float> cut_gullies(const Field<float>& elevation, const FlowTree& tree, const GullyFields& fields,
                         const GullyParameters& parameters, Progress& progress);

}  // namespace thalweg
