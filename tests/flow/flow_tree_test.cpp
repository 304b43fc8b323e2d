#include "thalweg/flow/flow_tree.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/depressions/breach_directions.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

Field<float> rough_terrain(int columns, int rows, std::uint64_t seed, int levels = 0) {
    Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = 10.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const std::uint64_t bits = random_bits(seed, Stream::SeedTerrain, static_cast<std::uint64_t>(cell));
        // With `levels`, heights are whole numbers below it: many flats.
        z[cell] = levels > 0 ? static_cast<float>(bits % static_cast<std::uint64_t>(levels))
                             : 100.0F * unit_float(bits);
    }
    return z;
}

/// Follows receivers from `cell`; true when a root is reached within as many steps as there are cells.
bool reaches_root(const FlowTree& tree, std::int32_t cell) {
    for (std::int64_t step = 0; step <= tree.grid.cells(); ++step) {
        if (tree.direction[static_cast<std::size_t>(cell)] == kRoot) return true;
        cell = tree.receiver(cell);
        if (cell < 0) return false;
    }
    return false;
}

void expect_every_cell_drains(const Field<float>& z, const Lattice& lattice) {
    const FlowTree tree = build_flow_tree(z, lattice, edge_roots(z), progress);
    for (std::int32_t cell = 0; cell < z.size(); ++cell)
        ASSERT_TRUE(is_no_data(z[cell]) || reaches_root(tree, cell)) << "cell " << cell;
    const Field<double> area = drainage_area(tree);
    double drained = 0.0;
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        if (tree.direction[static_cast<std::size_t>(cell)] == kRoot) drained += area[cell];
        const std::int32_t receiver = tree.receiver(cell);
        ASSERT_TRUE(receiver < 0 || area[receiver] > area[cell]);
    }
    EXPECT_DOUBLE_EQ(drained, static_cast<double>(tree.order.size()) * z.grid().cell_area());
}

TEST(FlowTree, every_cell_of_rough_terrain_drains_on_any_lattice) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Field<float> z = rough_terrain(61, 47, seed);
        expect_every_cell_drains(z, four_neighbours(z.grid()));
        expect_every_cell_drains(z, eight_neighbours(z.grid()));
        expect_every_cell_drains(z, jittered_mesh(z.grid(), seed, 0.4, progress));
    }
}

TEST(FlowTree, terrain_made_of_flats_drains) {
    for (const int levels : {1, 2, 4}) {
        const Field<float> z = rough_terrain(64, 64, 3, levels);
        expect_every_cell_drains(z, eight_neighbours(z.grid()));
        expect_every_cell_drains(z, four_neighbours(z.grid()));
    }
}

TEST(FlowTree, no_data_islands_are_left_out_and_drain_their_shores) {
    Field<float> z = rough_terrain(40, 40, 9);
    for (int row = 10; row < 20; ++row)
        for (int column = 12; column < 25; ++column) z(column, row) = kNoData;
    expect_every_cell_drains(z, eight_neighbours(z.grid()));
    const FlowTree tree = build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress);
    EXPECT_EQ(tree.order.size(), 1600U - 130U);
    EXPECT_EQ(tree.direction[static_cast<std::size_t>(z.grid().index(12, 10))], kOutside);
    EXPECT_EQ(tree.direction[static_cast<std::size_t>(z.grid().index(11, 12))], kRoot);
}

TEST(FlowTree, breach_takes_the_lowest_way_out_of_a_pit) {
    // A pit at 1 behind rims of 5 (to the west) and 3 (to the east).
    Field<float> z(Grid{.columns = 7, .rows = 1});
    const float heights[] = {0.0F, 5.0F, 1.0F, 2.0F, 3.0F, 0.5F, 0.0F};
    std::copy(std::begin(heights), std::end(heights), z.begin());
    Field<std::uint8_t> roots(z.grid(), 0);
    roots[0] = roots[6] = 1;
    const FlowTree tree = build_flow_tree(z, four_neighbours(z.grid()), roots, progress);
    EXPECT_EQ(tree.receiver(2), 3);
    EXPECT_EQ(tree.receiver(3), 4);
    EXPECT_EQ(tree.receiver(4), 5);
    EXPECT_EQ(tree.receiver(1), 0);
    EXPECT_EQ(drainage_area(tree)[5], 4.0);
}

TEST(FlowTree, a_pit_without_any_root_becomes_one) {
    Field<float> z = rough_terrain(9, 9, 2);
    const Field<std::uint8_t> no_roots(z.grid(), 0);
    std::vector<std::uint8_t> direction = steepest_directions(z, eight_neighbours(z.grid()), no_roots);
    breach_directions(z, eight_neighbours(z.grid()), direction, progress);
    EXPECT_EQ(std::ranges::count(direction, kRoot), 1);
    const auto lowest = std::min_element(z.begin(), z.end()) - z.begin();
    EXPECT_EQ(direction[static_cast<std::size_t>(lowest)], kRoot);
}

TEST(FlowTree, steepest_descent_weighs_the_drop_by_the_distance) {
    Field<float> z(Grid{.columns = 3, .rows = 3}, 10.0F);
    z(2, 1) = 9.0F;  // east, distance 1
    z(2, 2) = 8.7F;  // south-east, distance 1.41: slope 0.92
    const Field<std::uint8_t> roots(z.grid(), 0);
    EXPECT_EQ(steepest_directions(z, eight_neighbours(z.grid()), roots)[4], 0);
    z(2, 2) = 8.5F;  // slope 1.06
    EXPECT_EQ(steepest_directions(z, eight_neighbours(z.grid()), roots)[4], 1);
}

TEST(FlowTree, order_puts_every_receiver_before_its_donors) {
    const Field<float> z = rough_terrain(50, 30, 4);
    const FlowTree tree = build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress);
    std::vector<std::int32_t> rank(static_cast<std::size_t>(z.size()), -1);
    for (std::size_t i = 0; i < tree.order.size(); ++i)
        rank[static_cast<std::size_t>(tree.order[i])] = static_cast<int>(i);
    for (const std::int32_t cell : tree.order) {
        const std::int32_t receiver = tree.receiver(cell);
        ASSERT_TRUE(receiver < 0 ||
                    rank[static_cast<std::size_t>(receiver)] < rank[static_cast<std::size_t>(cell)]);
    }
}

TEST(FlowTree, accumulation_agrees_with_following_every_cell_down) {
    const Field<float> z = rough_terrain(23, 31, 8);
    const FlowTree tree = build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress);
    Field<double> weight(z.grid());
    Field<double> expected(z.grid(), 0.0);
    for (std::int32_t cell = 0; cell < z.size(); ++cell) weight[cell] = 1.0 + cell % 7;
    for (std::int32_t cell = 0; cell < z.size(); ++cell)
        for (std::int32_t below = cell; below >= 0; below = tree.receiver(below))
            expected[below] += weight[cell];
    EXPECT_EQ(accumulate(tree, weight, progress).values(), expected.values());
}

TEST(FlowTree, has_the_area_of_sources_on_their_ways_and_nowhere_else) {
    const Field<float> z = rough_terrain(30, 20, 4);
    FlowTree tree = build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress);
    const Field<double> before = drainage_area(tree);
    Field<double> brought(z.grid(), 0.0);
    tree.sources = {{.node = 245, .area = 5e6}, {.node = 313, .area = 2e7}, {.node = 245, .area = 1.0}};
    for (const NodeSource& source : tree.sources)
        for (std::int32_t below = source.node; below >= 0; below = tree.receiver(below))
            brought[below] += source.area;
    const Field<double> after = drainage_area(tree);
    EXPECT_GT(after[245], 5e6);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        EXPECT_DOUBLE_EQ(after[cell] - before[cell], brought[cell]);
}

TEST(FlowTree, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = rough_terrain(200, 150, 5);
    std::vector<FlowTree> trees;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        trees.push_back(
            build_flow_tree(z, jittered_mesh(z.grid(), 5, 0.4, progress), edge_roots(z), progress));
    }
    EXPECT_EQ(trees[0].direction, trees[1].direction);
    EXPECT_EQ(trees[0].direction, trees[2].direction);
    EXPECT_EQ(trees[0].order, trees[2].order);
}

TEST(FlowTree, a_cancelled_breach_stops) {
    const Field<float> z(Grid{.columns = 600, .rows = 600}, 1.0F);
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), cancelled), Cancelled);
}

}  // namespace
}  // namespace thalweg
