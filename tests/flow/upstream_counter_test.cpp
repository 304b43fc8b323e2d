#include "thalweg/flow/graph/upstream_counter.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/graph/tree_orderer.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Trees of rough ground on grids of every proportion, with holes; the larger ones of several blocks.
std::vector<FlowTree> some_trees() {
    std::vector<FlowTree> trees;
    const std::pair<int, int> sizes[] = {{1, 1},   {1, 900},   {900, 1},   {7, 33},   {17, 600},
                                         {64, 64}, {256, 256}, {257, 511}, {600, 520}};
    for (const auto& [columns, rows] : sizes) {
        Field<float> z = tests::white_terrain(columns, rows, 5);
        if (z.size() > 100) z[z.size() / 3] = z[z.size() / 2] = kNoData;
        trees.push_back(build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress));
    }
    return trees;
}

/// Every cell followed down to its end.
std::vector<std::uint32_t> followed(const FlowTree& tree) {
    std::vector<std::uint32_t> counts(tree.direction.size(), 0);
    for (std::int32_t cell = 0; cell < tree.grid.cells(); ++cell) {
        if (tree.direction[at(cell)] == kOutside) continue;
        for (std::int32_t below = cell; below >= 0; below = tree.receiver(below)) ++counts[at(below)];
    }
    return counts;
}

TEST(UpstreamCounter, counts_as_following_every_cell_down_does_on_1_2_and_8_threads) {
    for (FlowTree& tree : some_trees()) {
        const std::vector<std::uint32_t> expected = followed(tree);
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            count_upstream(tree, progress);
            EXPECT_EQ(tree.upstream_cells, expected) << tree.grid.columns << " x " << tree.grid.rows;
            EXPECT_TRUE(tree.order.empty());
            EXPECT_TRUE(tree.run_starts.empty());
        }
    }
}

TEST(UpstreamCounter, counts_the_same_for_every_width_of_vectors) {
    for (FlowTree& tree : some_trees()) {
        const std::vector<std::uint32_t> expected = tree.upstream_cells;
        for (const int lanes : {4, 8, 16}) {
            limit_vector_lanes(lanes);
            count_upstream(tree, progress);
            EXPECT_EQ(tree.upstream_cells, expected);
        }
        limit_vector_lanes(0);
    }
}

TEST(UpstreamCounter, follows_one_river_that_winds_through_all_blocks_many_times) {
    // Down one column and up the next.
    FlowTree river;
    river.grid = {.columns = 300, .rows = 600};
    river.direction.resize(at(river.grid.cells()));
    for (int column = 0; column < 300; ++column)
        for (int row = 0; row < 600; ++row) {
            const bool down = column % 2 == 0;
            const bool turns = row == (down ? 599 : 0);
            river.direction[at(river.grid.index(column, row))] =
                turns && column == 299 ? kRoot
                : turns                ? std::uint8_t{0}
                                       : static_cast<std::uint8_t>(down ? 2 : 6);
        }
    count_upstream(river, progress);
    for (int column = 0; column < 300; ++column)
        for (int row = 0; row < 600; ++row) {
            const int along = column % 2 == 0 ? row : 599 - row;
            ASSERT_EQ(river.upstream_cells[at(river.grid.index(column, row))],
                      static_cast<std::uint32_t>(600 * column + along + 1));
        }
}

TEST(UpstreamCounter, takes_fields_of_roots_and_of_no_data) {
    FlowTree tree;
    tree.grid = {.columns = 300, .rows = 70};
    for (const std::uint8_t direction : {kRoot, kOutside}) {
        tree.direction.assign(at(tree.grid.cells()), direction);
        count_upstream(tree, progress);
        EXPECT_EQ(tree.upstream_cells,
                  std::vector<std::uint32_t>(tree.direction.size(), direction == kRoot ? 1U : 0U));
    }
}

TEST(UpstreamCounter, refuses_grids_that_can_not_be_counted_and_stops_when_cancelled) {
    FlowTree large;
    large.grid = {.columns = 1 << 15, .rows = 1 << 14};
    EXPECT_THROW(count_upstream(large, progress), Error);
    FlowTree tree;
    tree.grid = {.columns = 40, .rows = 40};
    tree.direction.assign(at(tree.grid.cells()), kRoot);
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(count_upstream(tree, cancelled), Cancelled);
}

}  // namespace
}  // namespace thalweg
