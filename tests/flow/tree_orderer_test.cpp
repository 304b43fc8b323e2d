#include "thalweg/flow/tree_orderer.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <vector>

#include "tests/flow/some_trees.hpp"
#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

TEST(TreeOrderer, lists_every_cell_with_data_once_and_receivers_before_their_donors) {
    for (FlowTree tree : tests::some_trees()) {
        TreeOrderer().order(tree, progress);
        std::vector<std::int64_t> place(tree.direction.size(), -1);
        for (std::size_t i = 0; i < tree.order.size(); ++i) {
            ASSERT_EQ(place[at(tree.order[i])], -1);
            place[at(tree.order[i])] = static_cast<std::int64_t>(i);
        }
        for (std::int32_t cell = 0; cell < tree.grid.cells(); ++cell) {
            ASSERT_EQ(place[at(cell)] >= 0, tree.direction[at(cell)] != kOutside);
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver >= 0) {
                ASSERT_LT(place[at(receiver)], place[at(cell)]);
            }
        }
    }
}

TEST(TreeOrderer, makes_runs_that_depend_on_the_trunk_alone) {
    int runs_of_several_strips = 0;
    for (FlowTree tree : tests::some_trees()) {
        TreeOrderer().order(tree, progress);
        ASSERT_EQ(tree.run_starts.back(), static_cast<std::int64_t>(tree.order.size()));
        ASSERT_TRUE(std::is_sorted(tree.run_starts.begin(), tree.run_starts.end()));
        constexpr int kTrunk = -1;
        std::vector<int> run(tree.direction.size(), kTrunk);
        for (std::size_t r = 0; r + 1 < tree.run_starts.size(); ++r)
            for (std::int64_t i = tree.run_starts[r]; i < tree.run_starts[r + 1]; ++i)
                run[at(tree.order[at(i)])] = static_cast<int>(r);
        for (const std::int32_t cell : tree.order) {
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver < 0 || run[at(receiver)] == kTrunk) continue;
            ASSERT_EQ(run[at(cell)], run[at(receiver)]);
        }
        if (tree.run_starts.size() > 2) ++runs_of_several_strips;
    }
    EXPECT_GE(runs_of_several_strips, 3);
}

TEST(TreeOrderer, counts_the_cells_upstream_as_following_every_cell_down_does) {
    for (FlowTree tree : tests::some_trees()) {
        TreeOrderer orderer;
        orderer.order(tree, progress);
        std::vector<std::uint32_t> expected(tree.direction.size(), 0);
        for (std::int32_t cell = 0; cell < tree.grid.cells(); ++cell) {
            if (tree.direction[at(cell)] == kOutside) continue;
            for (std::int32_t below = cell; below >= 0; below = tree.receiver(below)) ++expected[at(below)];
        }
        for (std::int64_t cell = 0; cell < tree.grid.cells(); ++cell)
            ASSERT_EQ(tree.upstream_cells[at(cell)], expected[at(cell)]);
    }
}

TEST(TreeOrderer, may_be_used_again_on_other_grids_and_gives_the_same_on_1_2_and_8_threads) {
    TreeOrderer again;
    for (FlowTree tree : tests::some_trees()) {
        FlowTree other = tree;
        set_thread_count(1);
        TreeOrderer().order(tree, progress);
        for (const int threads : {2, 8}) {
            set_thread_count(threads);
            again.order(other, progress);
            EXPECT_EQ(other.order, tree.order);
            EXPECT_EQ(other.run_starts, tree.run_starts);
        }
        set_thread_count(0);
    }
}

TEST(TreeOrderer, gives_the_same_for_every_width_of_vectors) {
    for (FlowTree tree : tests::some_trees()) {
        FlowTree other = tree;
        limit_vector_lanes(4);
        TreeOrderer().order(tree, progress);
        for (const int lanes : {8, 16}) {
            limit_vector_lanes(lanes);
            TreeOrderer().order(other, progress);
            EXPECT_EQ(other.order, tree.order);
            EXPECT_EQ(other.run_starts, tree.run_starts);
            EXPECT_EQ(other.upstream_cells, tree.upstream_cells);
        }
        limit_vector_lanes(0);
    }
}

TEST(TreeOrderer, takes_a_field_of_roots_and_one_long_winding_river) {
    FlowTree roots;
    roots.grid = {.columns = 50, .rows = 70};
    roots.direction.assign(at(roots.grid.cells()), kRoot);
    TreeOrderer orderer;
    orderer.order(roots, progress);
    EXPECT_EQ(roots.order.size(), roots.direction.size());
    EXPECT_EQ(roots.upstream_cells[17], 1U);

    // Down one column and up the next: the river passes every strip 50 times.
    FlowTree river;
    river.grid = {.columns = 50, .rows = 70};
    river.direction.assign(at(river.grid.cells()), kRoot);
    for (int column = 0; column < 50; ++column)
        for (int row = 0; row < 70; ++row) {
            const bool down = column % 2 == 0;
            const bool turns = row == (down ? 69 : 0);
            if (turns && column == 49) continue;
            river.direction[at(river.grid.index(column, row))] =
                turns ? 0 : static_cast<std::uint8_t>(down ? 2 : 6);
        }
    orderer.order(river, progress);
    EXPECT_EQ(river.order.size(), river.direction.size());
    EXPECT_EQ(river.order.front(), river.grid.index(49, 0));
    EXPECT_EQ(river.order.back(), 0);
    EXPECT_EQ(river.upstream_cells[at(river.grid.index(49, 0))], 3500U);
}

TEST(TreeOrderer, stops_when_cancelled) {
    FlowTree tree;
    tree.grid = {.columns = 40, .rows = 40};
    tree.direction.assign(at(tree.grid.cells()), kRoot);
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(TreeOrderer().order(tree, cancelled), Cancelled);
}

}  // namespace
}  // namespace thalweg
