#include "thalweg/flow/derived.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

using tests::cut_out;
using tests::terrain_of;
using tests::white_terrain;

FlowTree tree_of(const Field<float>& z, const Lattice& lattice) {
    return build_flow_tree(z, lattice, edge_roots(z), progress);
}

/// A tree on one row of cells, from directions written down.
FlowTree tree_from(int columns, int rows, std::vector<std::uint8_t> direction) {
    FlowTree tree;
    tree.grid = Grid{.columns = columns, .rows = rows};
    tree.direction = std::move(direction);
    order_tree(tree, progress);
    return tree;
}

constexpr std::uint8_t kEast = 0, kSouthEast = 1, kSouth = 2, kNorthWest = 5, kNorthEast = 7;

TEST(Derived, slope_along_a_diagonal_counts_its_length) {
    const Field<float> z = terrain_of(3, 3,
                                      {9, 9, 9,  //
                                       9, 5, 9,  //
                                       9, 9, 1},
                                      10.0);
    const Lattice lattice = eight_neighbours(z.grid());
    const Field<float> slope = receiver_slope(z, tree_of(z, lattice), lattice);
    EXPECT_FLOAT_EQ(slope(1, 1), static_cast<float>(4.0 / std::hypot(10.0, 10.0)));
    EXPECT_EQ(slope(0, 0), 0.0F);
}

TEST(Derived, receiver_slope_of_a_tilted_plane_is_its_gradient) {
    Field<float> z(Grid{.columns = 12, .rows = 9, .cell_size = 30.0});
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) = 0.25F * 30.0F * static_cast<float>(row);
    const Lattice lattice = eight_neighbours(z.grid());
    const Field<float> along = receiver_slope(z, tree_of(z, lattice), lattice);
    const Field<float> steepest = steepest_slope(z, lattice);
    for (int row = 1; row < z.rows() - 1; ++row) {
        for (int column = 1; column < z.columns() - 1; ++column) {
            ASSERT_FLOAT_EQ(along(column, row), 0.25F);
            ASSERT_FLOAT_EQ(steepest(column, row), 0.25F);
        }
    }
    EXPECT_EQ(steepest(5, 0), 0.0F);
    EXPECT_FLOAT_EQ(steepest(5, 8), 0.25F);
}

TEST(Derived, receiver_slope_is_negative_where_the_tree_climbs_out_of_a_pit) {
    const Field<float> z = terrain_of(4, 1, {9, 1, 3, 0});
    const FlowTree tree = tree_from(4, 1, {kEast, kEast, kEast, kRoot});
    EXPECT_EQ(receiver_slope(z, tree, four_neighbours(z.grid())), terrain_of(4, 1, {8, -2, 3, 0}));
}

TEST(Derived, steepest_slope_sees_only_linked_neighbours) {
    const Field<float> z = terrain_of(3, 3, {9, 9, 9, 9, 5, 4, 9, 9, 1});
    EXPECT_FLOAT_EQ(steepest_slope(z, eight_neighbours(z.grid()))(1, 1), 4.0F / std::sqrt(2.0F));
    EXPECT_FLOAT_EQ(steepest_slope(z, four_neighbours(z.grid()))(1, 1), 1.0F);
}

TEST(Derived, stream_power_is_root_area_times_slope) {
    const Field<float> slope = terrain_of(3, 1, {0.5F, 0.0F, kNoData});
    Field<double> area(slope.grid(), 1600.0);
    const Field<float> power = stream_power(area, slope);
    EXPECT_FLOAT_EQ(power[0], 20.0F);
    EXPECT_EQ(power[1], 0.0F);
    EXPECT_TRUE(is_no_data(power[2]));
}

TEST(Derived, strahler_order_rises_only_where_equals_meet) {
    // Two sources meet at (1, 1); a third joins at (2, 1); a second river of two sources joins at (3, 1).
    constexpr std::uint8_t x = kOutside;
    const FlowTree tree = tree_from(5, 4, {kSouthEast, kSouthEast, x,          x,          x,      //
                                           kEast,      kEast,      kEast,      kEast,      kRoot,  //
                                           x,          x,          kNorthEast, x,          x,      //
                                           x,          kNorthEast, x,          kNorthWest, x});
    const std::vector<std::int32_t> expected = {1, 1, 0, 0, 0,  //
                                                1, 2, 2, 3, 3,  //
                                                0, 0, 2, 0, 0,  //
                                                0, 1, 0, 1, 0};
    EXPECT_EQ(strahler_order(tree).values(), expected);
}

/// Strahler's definition, by recursion.
int slow_strahler(const FlowTree& tree, std::int32_t cell) {
    std::vector<int> orders;
    for (std::int32_t other = 0; other < tree.grid.cells(); ++other)
        if (tree.receiver(other) == cell) orders.push_back(slow_strahler(tree, other));
    if (orders.empty()) return 1;
    std::sort(orders.rbegin(), orders.rend());
    return orders.size() > 1 && orders[0] == orders[1] ? orders[0] + 1 : orders[0];
}

TEST(Derived, strahler_order_agrees_with_its_definition) {
    Field<float> z = white_terrain(16, 13, 4);
    cut_out(z, 5, 5, 7, 6);
    const FlowTree tree = tree_of(z, eight_neighbours(z.grid()));
    const Field<std::int32_t> order = strahler_order(tree);
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        const bool outside = tree.direction[static_cast<std::size_t>(cell)] == kOutside;
        ASSERT_EQ(order[cell], outside ? 0 : slow_strahler(tree, cell)) << "cell " << cell;
    }
    EXPECT_GE(*std::max_element(order.begin(), order.end()), 3);
}

TEST(Derived, basins_are_numbered_by_rows_and_follow_the_water) {
    Field<float> z = white_terrain(20, 15, 3);
    cut_out(z, 5, 5, 8, 9);
    const FlowTree tree = tree_of(z, eight_neighbours(z.grid()));
    const Field<std::int32_t> label = basin_labels(tree);
    std::int32_t roots = 0;
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        const std::uint8_t direction = tree.direction[static_cast<std::size_t>(cell)];
        const bool outside = direction == kOutside;
        const std::int32_t receiver = tree.receiver(cell);
        ASSERT_EQ(label[cell], outside ? 0 : receiver < 0 ? ++roots : label[receiver]);
    }
    EXPECT_GT(roots, 60);
}

TEST(Derived, basins_of_a_hand_made_grid_are_those_of_its_two_outlets) {
    constexpr std::uint8_t x = kOutside;
    const std::vector<std::int32_t> expected = {1, 2, 0, 2,  //
                                                2, 2, 2, 2,  //
                                                0, 2, 0, 0};
    const FlowTree tree = tree_from(4, 3,
                                    {kRoot, kSouth, x, kSouth,         //
                                     kNorthEast, kEast, kEast, kRoot,  //
                                     x, kNorthWest, x, x});
    EXPECT_EQ(basin_labels(tree).values(), expected);
}

TEST(Derived, slopes_power_and_distances_agree_with_a_walk_from_every_cell) {
    Field<float> z = white_terrain(34, 27, 6);
    cut_out(z, 9, 8, 13, 12);
    const Lattice lattice = eight_neighbours(z.grid());
    const FlowTree tree = tree_of(z, lattice);
    // Count what comes by, and add up the way, on a walk down from every cell; centres are 10 m apart.
    std::vector<double> area(at(z.size()), 0.0), way(at(z.size()), 0.0);
    const auto link_of = [&](std::int64_t a, std::int64_t b) {
        return 10.0 * std::hypot(z.grid().column_of(a) - z.grid().column_of(b),
                                 z.grid().row_of(a) - z.grid().row_of(b));
    };
    for (std::int32_t start = 0; start < z.size(); ++start) {
        if (is_no_data(z[start])) continue;
        area[at(start)] += 100.0;
        for (std::int32_t cell = start, next = tree.receiver(cell); next >= 0;
             cell = next, next = tree.receiver(cell)) {
            area[at(next)] += 100.0;
            way[at(start)] += link_of(cell, next);
        }
    }
    const Field<float> slope = receiver_slope(z, tree, lattice), steepest = steepest_slope(z, lattice);
    const Field<float> power = stream_power(drainage_area(tree), slope);
    const Field<double> distance = distance_to_outlet(tree, lattice);
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        if (is_no_data(z[cell])) {
            ASSERT_TRUE(is_no_data(slope[cell]) && is_no_data(steepest[cell]) && is_no_data(power[cell]));
            ASSERT_TRUE(std::isnan(distance[cell]));
            continue;
        }
        const auto slope_to = [&](std::int64_t other) {
            return (static_cast<double>(z[cell]) - static_cast<double>(z[other])) / link_of(cell, other);
        };
        const std::int32_t receiver = tree.receiver(cell);
        const double expected = receiver < 0 ? 0.0 : slope_to(receiver);
        double greatest = 0.0;
        tests::for_each_neighbour(z.grid(), cell, [&](std::int64_t other) {
            if (!is_no_data(z[other])) greatest = std::max(greatest, slope_to(other));
        });
        ASSERT_NEAR(slope[cell], expected, 1e-5);
        ASSERT_NEAR(steepest[cell], greatest, 1e-5);
        ASSERT_NEAR(power[cell], std::sqrt(area[at(cell)]) * expected, 1e-3);
        ASSERT_NEAR(distance[cell], way[at(cell)], 1e-9);
    }
}

TEST(Derived, esri_codes_run_clockwise_from_east) {
    const FlowTree tree = tree_from(3, 3,
                                    {1, 2, 3,      //
                                     0, kRoot, 4,  //
                                     7, 6, 5});
    const std::vector<std::uint8_t> expected = {2, 4, 8, 1, 0, 16, 128, 64, 32};
    EXPECT_EQ(esri_directions(tree).values(), expected);
    EXPECT_EQ(esri_directions(tree_from(2, 1, {kOutside, kRoot}))[0], kEsriNoData);
}

TEST(Derived, distance_to_outlet_adds_up_the_links) {
    FlowTree tree = tree_from(3, 3,
                              {kSouth, kOutside, kOutside,      //
                               kSouthEast, kOutside, kOutside,  //
                               kOutside, kEast, kRoot});
    tree.grid.cell_size = 10.0;
    const Field<double> distance = distance_to_outlet(tree, eight_neighbours(tree.grid));
    EXPECT_EQ(distance(2, 2), 0.0);
    EXPECT_EQ(distance(1, 2), 10.0);
    EXPECT_DOUBLE_EQ(distance(0, 1), 10.0 + std::hypot(10.0, 10.0));
    EXPECT_DOUBLE_EQ(distance(0, 0), 20.0 + std::hypot(10.0, 10.0));
    EXPECT_TRUE(std::isnan(distance(2, 0)));
}

TEST(Derived, slopes_on_a_displaced_mesh_use_its_distances) {
    const Field<float> z = white_terrain(20, 20, 8);
    const Lattice mesh = jittered_mesh(z.grid(), 1, 0.4, progress);
    const FlowTree tree = tree_of(z, mesh);
    const Field<float> slope = receiver_slope(z, tree, mesh);
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) continue;
        const int direction = tree.direction[static_cast<std::size_t>(cell)];
        const double drop = static_cast<double>(z[cell]) - static_cast<double>(z[receiver]);
        ASSERT_FLOAT_EQ(slope[cell], static_cast<float>(drop / mesh.distance(cell, direction)));
    }
}

TEST(Derived, are_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(400, 300, 5);
    const Lattice lattice = eight_neighbours(z.grid());
    const FlowTree tree = tree_of(z, lattice);
    std::vector<Field<float>> along, steepest;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        along.push_back(receiver_slope(z, tree, lattice));
        steepest.push_back(steepest_slope(z, lattice));
    }
    EXPECT_EQ(along[0], along[1]);
    EXPECT_EQ(along[0], along[2]);
    EXPECT_EQ(steepest[0], steepest[1]);
    EXPECT_EQ(steepest[0], steepest[2]);
}

}  // namespace
}  // namespace thalweg
