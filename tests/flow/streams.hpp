// Streams of trees, for tests.
#pragma once

#include "thalweg/flow/stream_tree.hpp"

namespace thalweg::tests {

/// The streams of cells that `least_area` (m^2) or more drains through.
inline StreamTree streams_of(const Field<float>& elevation, const FlowTree& tree, double least_area,
                             double concavity = 0.45) {
    QuietProgress progress;
    const Field<double> area = drainage_area(tree);
    Field<std::uint8_t> heads(tree.grid, 0);
    for (std::int64_t cell = 0; cell < heads.size(); ++cell) heads[cell] = area[cell] >= least_area ? 1 : 0;
    return stream_tree(tree, eight_neighbours(tree.grid), area, elevation, heads, concavity, progress);
}

}  // namespace thalweg::tests
