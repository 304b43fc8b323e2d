// Rivers that cross the seam of a grid whose columns wrap.
#include "thalweg/river/seam.hpp"

#include "thalweg/flow/descent.hpp"
#include "thalweg/river/extract.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "tests/flow/terrains.hpp"
#include "tests/river/network_rules.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::same_place;
using tests::white_terrain;

RiverNetwork rivers_of(const Field<float>& z, double min_area, double smoothing = 0.0, double spacing = 0.0) {
    QuietProgress progress;
    const FlowTree tree = descend(z, Edges::Wrapped, kAllEight, 1, progress);
    return extract_network(tree, drainage_area(tree), z,
                           {.min_area = min_area, .smoothing = smoothing, .spacing = spacing}, progress);
}

/// A valley that runs to the south-east over the seam of 6 columns, on a slope that falls to the south.
Field<float> diagonal_valley() {
    Field<float> z(Grid{.columns = 6, .rows = 9, .cell_size = 10.0});
    for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 6; ++column) {
            const int off = std::abs((column - row - 2 + 15) % 6 - 3);  // columns from the valley, around
            z(column, row) = static_cast<float>(100 - 10 * row + 40 * (3 - off));
        }
    return z;
}

TEST(Seam, cuts_a_river_at_both_edges_and_joins_its_pieces) {
    const RiverNetwork network = rivers_of(diagonal_valley(), 100.0 * 12);
    std::map<std::int64_t, const RiverNode*> nodes;
    for (const RiverNode& node : network.nodes) nodes[node.id] = &node;
    std::map<std::int64_t, const Reach*> reaches;
    for (const Reach& reach : network.reaches) reaches[reach.id] = &reach;
    ASSERT_EQ(nodes.size(), network.nodes.size());
    ASSERT_EQ(reaches.size(), network.reaches.size());
    int crossings = 0;
    for (const Reach& reach : network.reaches) {
        EXPECT_TRUE(same_place(reach.points.front(), nodes.at(reach.from_node)->point));
        EXPECT_TRUE(same_place(reach.points.back(), nodes.at(reach.to_node)->point));
        for (const RiverPoint& point : reach.points) {
            EXPECT_GE(point.x, 0.0);
            EXPECT_LE(point.x, 60.0);
        }
        for (std::size_t i = 1; i < reach.points.size(); ++i)
            EXPECT_LE(distance_between(reach.points[i - 1], reach.points[i]),
                      10.0 * std::numbers::sqrt2 + 1e-9);
        if (nodes.at(reach.to_node)->kind != NodeKind::Seam) continue;
        ++crossings;
        const Reach& next = *reaches.at(reach.next_down);
        EXPECT_EQ(nodes.at(next.from_node)->kind, NodeKind::Seam);
        EXPECT_EQ(reach.points.back().x, 60.0);
        EXPECT_EQ(next.points.front().x, 0.0);
        EXPECT_EQ(reach.points.back().y, next.points.front().y);
        EXPECT_EQ(reach.points.back().z, next.points.front().z);
        EXPECT_EQ(reach.strahler, next.strahler);
        ASSERT_EQ(reach.values.width.size(), reach.points.size());
        EXPECT_EQ(reach.values.width.back(), next.values.width.front());
        EXPECT_GE(reach.values.width.back(), reach.values.width.front());
    }
    EXPECT_GE(crossings, 1);
}

/// Whole length of the network, m, and how many outlets it has.
struct Size {
    double length = 0.0;
    std::ptrdiff_t outlets = 0;
    std::map<int, double> length_of_order;
};
Size size_of(const RiverNetwork& network) {
    Size size;
    for (const Reach& reach : network.reaches) {
        size.length += reach.length;
        size.length_of_order[reach.strahler] += reach.length;
    }
    size.outlets = std::count_if(network.nodes.begin(), network.nodes.end(),
                                 [](const RiverNode& node) { return node.kind == NodeKind::Outlet; });
    return size;
}

TEST(Seam, changes_neither_lengths_nor_orders_wherever_it_lies) {
    Field<float> z = white_terrain(40, 60, 6);
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 40; ++column) z(column, row) += static_cast<float>(60 * (60 - row));
    for (const double smoothing : {0.0, 2.0}) {
        const Size size = size_of(rivers_of(z, 100.0 * 20, smoothing));
        ASSERT_GT(size.length, 1000.0);
        for (const int shift : {5, 13, 20, 39}) {
            Field<float> turned(z.grid());
            for (int row = 0; row < 60; ++row)
                for (int column = 0; column < 40; ++column)
                    turned((column + shift) % 40, row) = z(column, row);
            const Size other = size_of(rivers_of(turned, 100.0 * 20, smoothing));
            EXPECT_NEAR(other.length, size.length, 1e-6 * size.length);
            EXPECT_EQ(other.outlets, size.outlets);
            for (const auto& [order, length] : size.length_of_order)
                EXPECT_NEAR(other.length_of_order.at(order), length, 1e-6 * size.length) << order;
        }
    }
}

TEST(Seam, does_not_bend_the_cubics_that_cross_it) {
    Field<float> z = white_terrain(40, 60, 6);
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 40; ++column) z(column, row) += static_cast<float>(60 * (60 - row));
    const double length = size_of(rivers_of(z, 100.0 * 20, 2.0, 1.0)).length;
    for (const int shift : {5, 13, 20, 39}) {
        Field<float> turned(z.grid());
        for (int row = 0; row < 60; ++row)
            for (int column = 0; column < 40; ++column) turned((column + shift) % 40, row) = z(column, row);
        const RiverNetwork network = rivers_of(turned, 100.0 * 20, 2.0, 1.0);
        EXPECT_NEAR(size_of(network).length, length, 1e-6 * length);
        for (const Reach& reach : network.reaches)
            for (std::size_t i = 1; i < reach.points.size(); ++i) {
                ASSERT_LT(distance_between(reach.points[i - 1], reach.points[i]), 1.6);
                ASSERT_LE(reach.points[i].z, reach.points[i - 1].z);
            }
    }
}

TEST(Seam, leaves_a_network_without_crossings_sound) {
    Field<float> z = white_terrain(40, 60, 6);
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 40; ++column)
            z(column, row) += static_cast<float>(60 * (60 - row) + 500 * (column == 0));
    tests::expect_sound_network(rivers_of(z, 100.0 * 20));
}

}  // namespace
}  // namespace thalweg
