// Routing in one call: depressions dealt with, receivers, drainage area.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/conditioning.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <optional>

namespace thalweg {

struct FlowParameters {
    ConditioningParameters conditioning = {};

    static void declare(Declaration<FlowParameters>& declaration);
};

/// Where water goes on a terrain.
struct FlowResult {
    FlowTree tree;
    Field<float> elevation;          // m, conditioned: never rises downstream along the tree
    Field<double> drainage_area;     // m^2
    std::int64_t pits = 0;           // cells without a way down, before
    std::int64_t changed_cells = 0;  // cells that were carved or raised
    double removed_volume = 0.0;     // m^3, carved
    double added_volume = 0.0;       // m^3, filled
    std::optional<Lakes> lakes;      // where there shall be lakes
};

/// Routes water over `elevation` (m, NaN is no data) by steepest descent along `lattice`'s links (D8 on
/// eight_neighbours), depressions dealt with as in conditioning.hpp. `roots`: cells that drain out whatever
/// their elevation. All on the same grid. The elevation given does not change. Near O(cells), about 40 bytes
/// per cell; same bits on any number of threads; polls `progress`.
FlowResult route(const Field<float>& elevation, const Lattice& lattice, const Field<std::uint8_t>& roots,
                 const FlowParameters& parameters, Progress& progress);

/// The same to any of 8 neighbours, where water leaves at all edges and beside cells without data.
FlowResult route(const Field<float>& elevation, const FlowParameters& parameters, Progress& progress);

}  // namespace thalweg
