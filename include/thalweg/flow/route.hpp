// Routing in one call: depressions dealt with, receivers, drainage area.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/conditioning.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/multiple_flow.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

/// How water is routed.
struct FlowParameters {
    ConditioningParameters conditioning = {};
    RoutingParameters routing = {};

    // Not declared: stages set them.
    bool orders_tree = true;  // whether the tree's order is wanted
    bool sums_area = true;    // whether drainage_area is wanted where the tree's counts tell it too

    static void declare(Declaration<FlowParameters>& declaration);
};

/// Where water goes on a terrain.
struct FlowResult {
    FlowTree tree;
    Field<float> elevation;              // m, conditioned: never rises downstream along the tree
    Field<double> drainage_area;         // m^2, with sources; empty where `sums_area` did not ask for it
    std::int64_t pits = 0;               // cells without a way down, before
    std::int64_t closed_components = 0;  // connected parts that water can't leave; it ends in the lowest cell
    std::int64_t changed_cells = 0;      // cells that were carved or raised
    double removed_volume = 0.0;         // m^3, carved
    double added_volume = 0.0;           // m^3, filled
    std::optional<Lakes> lakes;          // where there shall be lakes

    /// m^2 that drain through a cell, itself included.
    [[nodiscard]] double drained_area(std::int64_t cell) const {
        return drainage_area.empty() ? tree.upstream_cells[at(cell)] * tree.grid.cell_area()
                                     : drainage_area[cell];
    }
};

/// Routes water over `elevation` (m, NaN is no data) by steepest descent along `lattice`'s links (D8 on
/// eight_neighbours), depressions dealt with as in conditioning.hpp. All on the same grid. The elevation
/// given does not change.
///
/// Other routing than D8 (multiple_flow.hpp) is for eight_neighbours alone: by Random the tree is the drawn
/// one, by Freeman and Dinf only drainage areas are those of water that parts, beside the tree of steepest
/// descent.
///
/// Drainage areas count what comes from the boundary's sources, where water parts shared like all other; they
/// are then made whatever `sums_area` says. Without `orders_tree` the tree has no order, and where water
/// parts no counts; without `sums_area` drainage_area is left out where no water parts: that takes less.
///
/// Near O(cells), about 40 bytes per cell; same bits on any number of threads; polls `progress`. Throws as
/// condition and order_tree do.
FlowResult route(const Field<float>& elevation, const Lattice& lattice, const FlowBoundary& boundary,
                 const FlowParameters& parameters, Progress& progress);

/// The same to any of 8 neighbours, where water leaves at all edges and beside cells without data.
///
/// Example:
///     const FlowParameters filled = {.conditioning = {.depressions = Depressions::Fill}};
///     const FlowResult flow = route(elevation, filled, progress);
///     const double area = flow.drained_area(elevation.grid().index(10, 20));  // m^2
FlowResult route(const Field<float>& elevation, const FlowParameters& parameters, Progress& progress);

/// Receivers by steepest descent, depressions breached, ordered: the tree of route alone. Cost and errors as
/// there.
FlowTree build_flow_tree(const Field<float>& elevation, const Lattice& lattice,
                         const Field<std::uint8_t>& roots, Progress& progress);

/// Sum of `weight` over all that drains through each cell of `flow`, itself included, by the `routing` with
/// which it was made. Cells outside get 0. `weight`: on its grid. Cost as of the accumulate of that routing;
/// polls `progress`.
Field<double> accumulate(const FlowResult& flow, Field<double> weight, const RoutingParameters& routing,
                         Progress& progress);

}  // namespace thalweg
