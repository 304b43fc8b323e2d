// The cells of a flow tree in an order in which the path below each one is at hand.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A cell, and how many cells its water passes before it leaves over a root.
struct PathCell {
    std::int32_t cell;
    std::int32_t depth;
};

/// Depth first: the cells of each root tree one after another, and each followed by the whole subtrees of its
/// donors. So the cells visited last at depths 0, 1, ... are the path below the present one.
struct PathOrder {
    std::vector<PathCell> cells;
    std::vector<std::int64_t> tree_starts;  // index in `cells` of every root, and the end
    std::int32_t most_depth = 0;
};

/// Fills `order` from `tree`; its memory is used again. O(cells), on one thread; polls `progress`.
void order_paths(const FlowTree& tree, PathOrder& order, Progress& progress);

}  // namespace thalweg
