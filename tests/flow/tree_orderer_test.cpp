#include "thalweg/flow/graph/tree_orderer.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <vector>

#include "tests/cancelling_progress.hpp"
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
        const ExecutionScope on_one_thread({.threads = 1});
        TreeOrderer().order(tree, progress);
        for (const int threads : {2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            again.order(other, progress);
            EXPECT_EQ(other.order, tree.order);
            EXPECT_EQ(other.run_starts, tree.run_starts);
        }
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
    constexpr int kRows = 300;
    FlowTree river;
    river.grid = {.columns = 50, .rows = kRows};
    river.direction.assign(at(river.grid.cells()), kRoot);
    for (int column = 0; column < 50; ++column)
        for (int row = 0; row < kRows; ++row) {
            const bool down = column % 2 == 0;
            const bool turns = row == (down ? kRows - 1 : 0);
            if (turns && column == 49) continue;
            river.direction[at(river.grid.index(column, row))] =
                turns ? 0 : static_cast<std::uint8_t>(down ? 2 : 6);
        }
    orderer.order(river, progress);
    EXPECT_EQ(river.order.size(), river.direction.size());
    EXPECT_EQ(river.order.front(), river.grid.index(49, 0));
    EXPECT_EQ(river.order.back(), 0);
    EXPECT_EQ(river.upstream_cells[at(river.grid.index(49, 0))], 50U * kRows);
    EXPECT_EQ(river.run_starts.size(), 1U + 4U);
    EXPECT_EQ(river.crossing.size(), 1U);  // all below it is the trunk
}

/// Cells outside the trunk that drain into it over the edge of their strip of rows.
std::vector<std::int32_t> crossing_cells(const FlowTree& tree) {
    std::vector<std::int32_t> found;
    const std::int64_t strips = std::ssize(tree.run_starts) - 1;
    const auto strip_of = [&](std::int32_t cell) {
        std::int64_t strip = 0;
        while (tree.grid.rows * (strip + 1) / strips <= tree.grid.row_of(cell)) ++strip;
        return strip;
    };
    for (std::int64_t i = tree.run_starts.front(); i < tree.run_starts.back(); ++i) {
        const std::int32_t cell = tree.order[at(i)];
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver >= 0 && strip_of(receiver) != strip_of(cell)) found.push_back(cell);
    }
    return found;
}

TEST(TreeOrderer, tells_which_cells_drain_from_one_strip_into_another_of_up_to_64) {
    std::vector<FlowTree> trees = tests::some_trees();
    const Field<float> z = tests::white_terrain(5, 4300, 5);
    trees.push_back(build_flow_tree(z, jittered_mesh(z.grid(), 5, 0.4, progress), edge_roots(z), progress));
    std::size_t most_runs = 0, most_crossing = 0;
    for (FlowTree tree : trees) {
        TreeOrderer().order(tree, progress);
        std::vector<std::int32_t> expected = crossing_cells(tree), found = tree.crossing;
        std::sort(expected.begin(), expected.end());
        std::sort(found.begin(), found.end());
        EXPECT_EQ(found, expected);
        most_runs = std::max(most_runs, tree.run_starts.size() - 1);
        most_crossing = std::max(most_crossing, found.size());
    }
    EXPECT_EQ(most_runs, 64U);
    EXPECT_GT(most_crossing, 50U);
}

TEST(TreeOrderer, gives_the_same_after_a_call_that_was_cut_short) {
    for (FlowTree tree : tests::some_trees()) {
        FlowTree again = tree;
        TreeOrderer().order(tree, progress);
        TreeOrderer orderer;
        ImpatientProgress impatient(1);
        EXPECT_THROW(orderer.order(again, impatient), Cancelled);
        orderer.order(again, progress);
        EXPECT_EQ(again.order, tree.order);
        EXPECT_EQ(again.upstream_cells, tree.upstream_cells);
        EXPECT_EQ(again.crossing, tree.crossing);
    }
}

TEST(TreeOrderer, asks_while_it_walks_down_a_long_trunk) {
    // Down one row and back along the next, so that all but the first strip is trunk: 1.2 million cells.
    constexpr int kSide = 1100, kStrips = kSide / 64;
    FlowTree river;
    river.grid = {.columns = kSide, .rows = kSide};
    river.direction.assign(at(river.grid.cells()), kRoot);
    for (int row = 0; row < kSide; ++row)
        for (int column = 0; column < kSide; ++column) {
            const bool east = row % 2 == 0;
            const bool turns = column == (east ? kSide - 1 : 0);
            if (turns && row + 1 == kSide) continue;
            river.direction[at(river.grid.index(column, row))] =
                turns ? 2 : static_cast<std::uint8_t>(east ? 0 : 4);
        }
    ImpatientProgress asked_by_strips_and_before_the_trunk(kStrips + 1);
    EXPECT_THROW(TreeOrderer().order(river, asked_by_strips_and_before_the_trunk), Cancelled);
}

TEST(TreeOrderer, cuts_few_long_rows_into_strips_too) {
    FlowTree rows;
    rows.grid = {.columns = 1 << 20, .rows = 9};
    rows.direction.assign(at(rows.grid.cells()), 4);
    for (int row = 0; row < rows.grid.rows; ++row) rows.direction[at(rows.grid.index(0, row))] = kRoot;
    TreeOrderer().order(rows, progress);
    EXPECT_EQ(rows.run_starts.size(), 1U + 2U);
    EXPECT_EQ(rows.order.size(), rows.direction.size());
    EXPECT_EQ(rows.upstream_cells[at(rows.grid.index(0, 8))], 1U << 20);
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
