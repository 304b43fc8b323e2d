#include "thalweg/erosion/path_order.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <array>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerPoll = 1 << 20;

}  // namespace

void order_paths(const FlowTree& tree, PathOrder& order, Progress& progress) {
    order.cells.resize(tree.order.size());
    order.tree_starts.clear();
    order.most_depth = 0;
    std::array<std::int32_t, 8> steps{};
    for (std::size_t d = 0; d < 8; ++d) steps[d] = kRowStep[d] * tree.grid.columns + kColumnStep[d];
    // Per cell: where its next donor goes, and the depth that this has.
    std::vector<PathCell> next(tree.direction.size());
    PathCell next_root = {0, 0};
    const std::int64_t count = static_cast<std::int64_t>(tree.order.size());
    for (std::int64_t i = 0; i < count; ++i) {
        if (i % kCellsPerPoll == 0) progress.poll();
        const std::int32_t cell = tree.order[at(i)];
        const std::uint8_t direction = tree.direction[at(cell)];
        const bool root = direction >= kRoot;
        PathCell& free_place = root ? next_root : next[at(cell + steps[direction & 7])];
        if (root) order.tree_starts.push_back(free_place.cell);
        order.cells[at(free_place.cell)] = {cell, free_place.depth};
        order.most_depth = std::max(order.most_depth, free_place.depth);
        next[at(cell)] = {free_place.cell + 1, free_place.depth + 1};
        free_place.cell += static_cast<std::int32_t>(tree.upstream_cells[at(cell)]);
    }
    order.tree_starts.push_back(next_root.cell);
}

}  // namespace thalweg
