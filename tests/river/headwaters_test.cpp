#include "thalweg/river/headwaters.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/river/extract.hpp"

#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/flow/terrains.hpp"
#include "tests/river/network_rules.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

/// White terrain with its routing, and the rivers on it.
struct RoutedTerrain {
    Field<float> z = tests::white_terrain(70, 60, 21);
    FlowResult flow;

    RoutedTerrain() {
        QuietProgress progress;
        flow = route(z, {}, progress);
    }
    [[nodiscard]] RiverNetwork rivers(NetworkParameters parameters) const {
        QuietProgress progress;
        parameters.smoothing = 0.0;
        return extract_network(flow.tree, flow.drainage_area, flow.elevation, parameters, progress);
    }
    /// The cells that hold points of the lines.
    [[nodiscard]] std::set<std::int64_t> cells_of(const RiverNetwork& network) const {
        std::set<std::int64_t> cells;
        for (const Reach& reach : network.reaches)
            for (const RiverPoint& point : reach.points)
                cells.insert(z.grid().index(static_cast<int>(std::lround(z.grid().column_at(point.x))),
                                            static_cast<int>(std::lround(z.grid().row_at(point.y)))));
        return cells;
    }
    /// Every cell on the way down from one for which `begins` holds; not outlets by themselves.
    [[nodiscard]] std::set<std::int64_t> below(const std::function<bool(std::int32_t)>& begins) const {
        std::set<std::int64_t> cells;
        for (std::int32_t start = 0; start < static_cast<std::int32_t>(z.size()); ++start) {
            if (!begins(start) || flow.tree.receiver(start) < 0) continue;
            for (std::int32_t cell = start; cell >= 0; cell = flow.tree.receiver(cell)) cells.insert(cell);
        }
        return cells;
    }
    [[nodiscard]] Spring spring_on(std::int64_t cell) const {
        return {z.grid().x(z.grid().column_of(cell)), z.grid().y(z.grid().row_of(cell))};
    }
};

TEST(Headwaters, at_springs_give_every_cell_below_a_spring_and_no_other) {
    const RoutedTerrain terrain;
    std::vector<Spring> springs;
    std::set<std::int64_t> spring_cells;
    for (const std::int64_t cell : {1500, 1510, 2222, 3000, 3001, 700}) {
        springs.push_back(terrain.spring_on(cell));
        spring_cells.insert(cell);
    }
    const RiverNetwork network = terrain.rivers({.headwaters = Headwaters::Springs, .springs = springs});
    tests::expect_sound_network(network);
    EXPECT_EQ(terrain.cells_of(network),
              terrain.below([&](std::int32_t cell) { return spring_cells.contains(cell); }));
    for (const RiverNode& node : network.nodes)
        EXPECT_TRUE(node.kind != NodeKind::Source || spring_cells.contains(node.id));
}

TEST(Headwaters, at_one_spring_give_one_river_to_its_outlet) {
    const RoutedTerrain terrain;
    const RiverNetwork network =
        terrain.rivers({.headwaters = Headwaters::Springs, .springs = {terrain.spring_on(2135)}});
    ASSERT_EQ(network.reaches.size(), 1U);
    EXPECT_EQ(network.reaches[0].from_node, 2135);
    EXPECT_EQ(network.nodes.back().kind, NodeKind::Outlet);
}

TEST(Headwaters, by_slope_and_area_begin_where_their_product_reaches_the_threshold) {
    const RoutedTerrain terrain;
    const Field<float> slope =
        receiver_slope(terrain.flow.elevation, terrain.flow.tree, eight_neighbours(terrain.z.grid()));
    for (const double exponent : {1.0, 2.0}) {
        const auto begins = [&](std::int32_t cell) {
            return terrain.flow.drainage_area[cell] * std::pow(static_cast<double>(slope[cell]), exponent) >=
                   700.123;
        };
        const RiverNetwork network = terrain.rivers({.headwaters = Headwaters::SlopeArea,
                                                     .slope_area_threshold = 700.123,
                                                     .slope_area_exponent = exponent});
        tests::expect_sound_network(network);
        EXPECT_GT(network.reaches.size(), 20U);
        EXPECT_EQ(terrain.cells_of(network), terrain.below(begins));
    }
}

TEST(Headwaters, by_slope_and_area_with_exponent_0_are_those_by_area) {
    const RoutedTerrain terrain;
    const RiverNetwork by_both = terrain.rivers(
        {.headwaters = Headwaters::SlopeArea, .slope_area_threshold = 900.0, .slope_area_exponent = 0.0});
    const RiverNetwork by_area = terrain.rivers({.min_area = 900.0});
    EXPECT_GT(by_area.reaches.size(), 20U);
    EXPECT_EQ(terrain.cells_of(by_both), terrain.cells_of(by_area));
}

TEST(Headwaters, on_steep_ground_lie_higher_than_on_gentle_ground) {
    // Two valleys of one shape, the eastern one three times as steep: A S^2 reaches C at a ninth of the area.
    Field<float> z(Grid{.columns = 2, .rows = 400});
    for (int row = 0; row < 400; ++row) {
        z[z.grid().index(0, row)] = 0.02F * static_cast<float>(400 - row) + 1000.0F;
        z[z.grid().index(1, row)] = 0.06F * static_cast<float>(400 - row);
    }
    FlowTree tree;
    tree.grid = z.grid();
    constexpr std::uint8_t kSouth = 2;
    tree.direction.assign(800, kSouth);
    tree.direction[798] = tree.direction[799] = kRoot;
    QuietProgress progress;
    order_tree(tree, progress);
    const RiverNetwork network =
        extract_network(tree, drainage_area(tree), z,
                        {.headwaters = Headwaters::SlopeArea, .slope_area_threshold = 0.0999}, progress);
    ASSERT_EQ(network.reaches.size(), 2U);
    for (const RiverNode& node : network.nodes) {
        if (node.kind != NodeKind::Source) continue;
        const double area = z.grid().row_of(node.id) + 1.0;  // m^2, of cells of 1 m
        const double slope = z.grid().column_of(node.id) == 0 ? 0.02 : 0.06;
        EXPECT_NEAR(area, 0.0999 / (slope * slope), 2.0);
    }
}

TEST(Headwaters, at_springs_outside_or_without_data_are_refused) {
    RoutedTerrain terrain;
    const auto refusal = [&](Spring spring) -> std::string {
        try {
            check_springs(std::vector<Spring>{terrain.spring_on(5), spring}, terrain.z, "a.gpkg: ");
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    const double edge = terrain.z.grid().west + terrain.z.grid().width();
    EXPECT_THAT(refusal({edge + 1.0, terrain.spring_on(5).y}), HasSubstr("a.gpkg: springs[1]"));
    EXPECT_THAT(refusal({edge + 1.0, terrain.spring_on(5).y}), HasSubstr("outside the grid"));
    EXPECT_THAT(refusal({std::nan(""), 0.0}), HasSubstr("outside the grid"));
    EXPECT_EQ(refusal({edge - 0.001, terrain.spring_on(5).y}), "");
    terrain.z[2000] = kNoData;
    EXPECT_THAT(refusal(terrain.spring_on(2000)), HasSubstr("on a cell without data"));
}

}  // namespace
}  // namespace thalweg
