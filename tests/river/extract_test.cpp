#include "thalweg/river/extract.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <vector>

#include "tests/flow/terrains.hpp"
#include "tests/river/network_rules.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::expect_sound_network;
using tests::terrain_of;
using tests::white_terrain;

RiverNetwork rivers_of(const Field<float>& z, const NetworkParameters& parameters,
                       Depressions depressions = Depressions::Breach) {
    QuietProgress progress;
    const FlowResult flow = route(z, {.conditioning = {.depressions = depressions}}, progress);
    return extract_network(flow.tree, flow.drainage_area, z, parameters, progress);
}

/// A tree with the given directions in cells of 1 m, its area counted in cells, and flat ground.
struct DrawnRivers {
    FlowTree tree;
    Field<double> area;
    Field<float> z;

    DrawnRivers(int columns, int rows, std::vector<std::uint8_t> direction) {
        tree.grid = Grid{.columns = columns, .rows = rows};
        tree.direction = std::move(direction);
        QuietProgress progress;
        order_tree(tree, progress);
        area = drainage_area(tree);
        z = Field<float>(tree.grid, 1.0F);
    }
    [[nodiscard]] RiverNetwork extract(double min_area, double smoothing = 0.0) const {
        QuietProgress progress;
        return extract_network(tree, area, z, {.min_area = min_area, .smoothing = smoothing}, progress);
    }
};

constexpr std::uint8_t x = kOutside, kEast = 0, kSouthEast = 1, kSouth = 2, kNorth = 6, kNorthEast = 7;

/// Two sources meet at (2, 1), then run east to an outlet at (4, 1).
DrawnRivers fork() {
    return {5,
            3,
            {x, kSouthEast, x, x, x,     //
             x, x, kEast, kEast, kRoot,  //
             x, kNorthEast, x, x, x}};
}

TEST(Extract, a_fork_has_two_sources_one_confluence_and_one_outlet) {
    DrawnRivers rivers = fork();
    rivers.z = terrain_of(5, 3,
                          {0, 9, 0, 0, 0,  //
                           0, 0, 6, 5, 2,  //
                           0, 7, 0, 0, 0});
    const RiverNetwork network = rivers.extract(1.0);
    expect_sound_network(network);
    ASSERT_EQ(network.nodes.size(), 4U);
    ASSERT_EQ(network.reaches.size(), 3U);
    const Reach& trunk = network.reaches.back();
    EXPECT_EQ(trunk.from_node, 7);
    EXPECT_EQ(trunk.to_node, 9);
    EXPECT_EQ(trunk.strahler, 2);
    EXPECT_EQ(trunk.upland_area, 5.0);
    EXPECT_DOUBLE_EQ(trunk.length, 2.0);
    EXPECT_DOUBLE_EQ(trunk.slope, 2.0);
    EXPECT_DOUBLE_EQ(trunk.sinuosity, 1.0);
    const Reach& upper = network.reaches.front();
    EXPECT_EQ(upper.next_down, trunk.id);
    EXPECT_EQ(upper.strahler, 1);
    EXPECT_EQ(upper.upland_area, 1.0);
    EXPECT_DOUBLE_EQ(upper.length, std::numbers::sqrt2);
    EXPECT_DOUBLE_EQ(upper.points[0].y, rivers.tree.grid.y(upper.from_node == 1 ? 0 : 2));
}

TEST(Extract, stream_power_of_a_reach_is_the_mean_over_its_cells) {
    DrawnRivers rivers = fork();
    rivers.z = terrain_of(5, 3,
                          {0, 9, 0, 0, 0,  //
                           0, 0, 6, 5, 2,  //
                           0, 7, 0, 0, 0});
    const RiverNetwork network = rivers.extract(1.0);
    // Steps of 1 m: from an area of 3 m^2 down by 1 m, from 4 m^2 down by 3 m.
    EXPECT_DOUBLE_EQ(network.reaches.back().stream_power, 0.5 * (std::sqrt(3.0) * 1.0 + 2.0 * 3.0));
    EXPECT_DOUBLE_EQ(network.reaches.front().stream_power, network.reaches.front().slope);
}

TEST(Extract, bed_is_cut_to_the_lowest_bed_upstream_also_across_reaches) {
    DrawnRivers rivers = fork();
    rivers.z = terrain_of(5, 3,
                          {0, 9, 0, 0, 0,  //
                           0, 0, 6, 8, 5,  //
                           0, 4, 0, 0, 0});
    const RiverNetwork network = rivers.extract(1.0);
    expect_sound_network(network);
    for (const RiverPoint& point : network.reaches.back().points) EXPECT_EQ(point.z, 4.0);
}

TEST(Extract, area_of_a_reach_is_that_right_above_its_lower_node) {
    const DrawnRivers rivers(5, 2,
                             {kEast, kEast, kEast, kEast, kRoot,  //
                              kEast, kEast, kNorthEast, x, x});
    const RiverNetwork network = rivers.extract(1.0);
    std::map<std::int64_t, double> area;
    for (const Reach& reach : network.reaches) area[reach.from_node] = reach.upland_area;
    EXPECT_EQ(area.at(0), 3.0);
    EXPECT_EQ(area.at(5), 3.0);
    EXPECT_EQ(area.at(3), 8.0);
}

TEST(Extract, rivers_that_meet_at_the_outlet_end_there_each_with_its_own_area) {
    const DrawnRivers rivers(3, 2, {kEast, kEast, kRoot, x, x, kNorth});
    const RiverNetwork network = rivers.extract(1.0);
    expect_sound_network(network);
    ASSERT_EQ(network.reaches.size(), 2U);
    EXPECT_EQ(network.reaches[0].upland_area + network.reaches[1].upland_area, 3.0);
    EXPECT_EQ(network.nodes.back().kind, NodeKind::Outlet);
}

TEST(Extract, order_rises_only_where_equals_meet) {
    // A first-order stream joins the second-order trunk of the fork at (3, 1).
    const DrawnRivers rivers(5, 3,
                             {x, kSouthEast, x, kSouth, x,  //
                              x, x, kEast, kEast, kRoot,    //
                              x, kNorthEast, x, x, x});
    const RiverNetwork network = rivers.extract(1.0);
    expect_sound_network(network);
    EXPECT_EQ(network.reaches.size(), 5U);
    EXPECT_EQ(network.reaches.back().strahler, 2);
}

TEST(Extract, order_agrees_with_that_of_the_whole_tree) {
    const Field<float> z = white_terrain(60, 60, 12);
    QuietProgress progress;
    const FlowResult flow = route(z, {}, progress);
    const Field<std::int32_t> order = strahler_order(flow.tree);
    // With a threshold of one cell the network is the tree.
    const RiverNetwork network =
        extract_network(flow.tree, flow.drainage_area, z, {.min_area = z.grid().cell_area()}, progress);
    for (const Reach& reach : network.reaches)
        ASSERT_EQ(reach.strahler, order[reach.from_node]) << "reach " << reach.id;
}

TEST(Extract, a_river_goes_on_to_the_outlet_where_its_area_shrinks) {
    DrawnRivers rivers(4, 1, {kEast, kEast, kEast, kRoot});
    rivers.area[2] = 0.5;
    const RiverNetwork network = rivers.extract(2.0);
    ASSERT_EQ(network.reaches.size(), 1U);
    EXPECT_EQ(network.reaches[0].from_node, 1);
    EXPECT_EQ(network.reaches[0].to_node, 3);
    EXPECT_EQ(network.reaches[0].points.size(), 3U);
}

TEST(Extract, drawn_cells_are_rivers_below_any_threshold_and_so_are_told) {
    DrawnRivers rivers = fork();
    QuietProgress progress;
    const auto drawn = [&](std::vector<std::int32_t> cells, double min_area) {
        const NetworkParameters parameters{.min_area = min_area, .smoothing = 0.0, .drawn = std::move(cells)};
        return extract_network(rivers.tree, rivers.area, rivers.z, parameters, progress);
    };
    const RiverNetwork branch = drawn({1}, 100.0);
    expect_sound_network(branch);
    ASSERT_EQ(branch.reaches.size(), 1U);
    EXPECT_EQ(branch.reaches[0].from_node, 1);
    EXPECT_EQ(branch.reaches[0].to_node, 9);
    EXPECT_FALSE(branch.reaches[0].drawn);  // one step of three
    EXPECT_TRUE(drawn({1, 7}, 100.0).reaches[0].drawn);
    const RiverNetwork whole = drawn({1}, 1.0);
    expect_sound_network(whole);
    ASSERT_EQ(whole.reaches.size(), 3U);
    for (const Reach& reach : whole.reaches) EXPECT_EQ(reach.drawn, reach.id == 1) << reach.id;
}

TEST(Extract, a_threshold_above_all_areas_gives_an_empty_network) {
    const RiverNetwork network = fork().extract(5.5);
    EXPECT_TRUE(network.nodes.empty());
    EXPECT_TRUE(network.reaches.empty());
}

TEST(Extract, a_lone_cell_that_is_source_and_outlet_gives_nothing) {
    const RiverNetwork network = fork().extract(5.0);
    EXPECT_TRUE(network.nodes.empty());
    EXPECT_TRUE(network.reaches.empty());
    EXPECT_TRUE(rivers_of(white_terrain(1, 1, 1), {.min_area = 1.0}).nodes.empty());
}

TEST(Extract, takes_every_cell_over_the_threshold_and_no_other) {
    const Field<float> z = white_terrain(60, 45, 3);
    QuietProgress progress;
    const FlowResult flow = route(z, {}, progress);
    const RiverNetwork network =
        extract_network(flow.tree, flow.drainage_area, z, {.min_area = 900.0, .smoothing = 0.0}, progress);
    std::set<std::int64_t> cells;
    for (const Reach& reach : network.reaches)
        for (const RiverPoint& point : reach.points)
            cells.insert(z.grid().index(static_cast<int>(std::lround(z.grid().column_at(point.x))),
                                        static_cast<int>(std::lround(z.grid().row_at(point.y)))));
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        bool river = flow.drainage_area[cell] >= 900.0;
        // An outlet is on a reach only where a river cell drains to it.
        if (river && flow.tree.direction[static_cast<std::size_t>(cell)] == kRoot) {
            river = false;
            for (std::int32_t other = 0; other < z.size(); ++other)
                river |= flow.tree.receiver(other) == cell && flow.drainage_area[other] >= 900.0;
        }
        ASSERT_EQ(cells.contains(cell), river) << "cell " << cell;
    }
}

TEST(Extract, networks_of_difficult_terrain_are_sound) {
    std::vector<Field<float>> terrains = {white_terrain(50, 37, 1),    white_terrain(40, 40, 2, 3),
                                          white_terrain(40, 40, 2, 1), white_terrain(1, 25, 3),
                                          white_terrain(25, 1, 3),     white_terrain(45, 45, 4)};
    cut_out(terrains.back(), 10, 10, 20, 18);
    for (const Field<float>& z : terrains)
        for (const double smoothing : {0.0, 2.0, 10.0})
            for (const Depressions depressions : {Depressions::Breach, Depressions::Fill})
                expect_sound_network(rivers_of(z, {.min_area = 500.0, .smoothing = smoothing}, depressions));
}

TEST(Extract, smoothing_keeps_sources_and_outlets_and_keeps_confluences_joined) {
    const Field<float> z = white_terrain(80, 80, 5);
    const RiverNetwork rough = rivers_of(z, {.min_area = 1500.0, .smoothing = 0.0});
    const RiverNetwork smooth = rivers_of(z, {.min_area = 1500.0, .smoothing = 2.0});
    ASSERT_EQ(rough.nodes.size(), smooth.nodes.size());
    int moved = 0;
    for (std::size_t i = 0; i < rough.nodes.size(); ++i) {
        const RiverNode& before = rough.nodes[i];
        const RiverNode& after = smooth.nodes[i];
        const double shift = std::hypot(after.point.x - before.point.x, after.point.y - before.point.y);
        if (before.kind == NodeKind::Confluence) {
            moved += shift > 0.0 ? 1 : 0;
            EXPECT_LT(shift, 2.5 * z.grid().cell_size);
        } else {
            EXPECT_EQ(shift, 0.0);
        }
    }
    EXPECT_GT(moved, 0);
    expect_sound_network(smooth);
}

/// A straight river of five cells along the middle row; a stream joins it at a right angle in column 2, from
/// the north or from the south, and bends just before.
DrawnRivers river_with_tributary(bool from_north) {
    std::vector<std::uint8_t> direction(25, kOutside);
    for (std::size_t column = 0; column < 4; ++column) direction[10 + column] = kEast;
    direction[14] = kRoot;
    direction[from_north ? 7 : 17] = from_north ? kSouth : kNorth;
    direction[from_north ? 6 : 16] = kEast;
    DrawnRivers rivers(5, 5, direction);
    rivers.area[11] += 2.0;  // the straight river is the larger one
    return rivers;
}

TEST(Extract, a_confluence_stays_on_the_larger_river) {
    for (const bool from_north : {true, false}) {
        const DrawnRivers rivers = river_with_tributary(from_north);
        const RiverNetwork network = rivers.extract(1.0, 2.0);
        ASSERT_EQ(network.reaches.size(), 3U);
        const Reach& trunk = network.reaches.back();
        EXPECT_EQ(trunk.from_node, 12);
        for (const RiverPoint& point : trunk.points) EXPECT_DOUBLE_EQ(point.y, rivers.tree.grid.y(2));
    }
}

TEST(Extract, a_tributary_is_smooth_up_to_the_larger_river) {
    const DrawnRivers rivers = river_with_tributary(true);
    for (const Reach& reach : rivers.extract(1.0, 2.0).reaches) {
        if (reach.from_node != 6) continue;
        ASSERT_EQ(reach.points.size(), 3U);
        EXPECT_LT(reach.points[1].x, rivers.tree.grid.x(2));
        EXPECT_LT(reach.points[1].y, rivers.tree.grid.y(1));
    }
}

/// Greatest change of direction from one piece of a line to the next, degrees.
double sharpest_bend(const std::vector<RiverPoint>& line) {
    double sharpest = 0.0;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        const double before = std::atan2(line[i].y - line[i - 1].y, line[i].x - line[i - 1].x);
        const double after = std::atan2(line[i + 1].y - line[i].y, line[i + 1].x - line[i].x);
        sharpest = std::max(sharpest, std::abs(std::remainder(after - before, 2.0 * std::numbers::pi)));
    }
    return sharpest * 180.0 / std::numbers::pi;
}

TEST(Extract, lines_are_no_staircases) {
    // Two steps east, one to the south-east, and so on: a straight river seen through a grid.
    std::vector<std::uint8_t> direction(60 * 30, kOutside);
    int column = 0, row = 0;
    for (int step = 0; column < 59; ++step) {
        const bool diagonal = step % 3 == 2;
        direction[static_cast<std::size_t>(row * 60 + column)] = diagonal ? kSouthEast : kEast;
        ++column;
        row += diagonal ? 1 : 0;
    }
    direction[static_cast<std::size_t>(row * 60 + column)] = kRoot;
    const DrawnRivers rivers(60, 30, direction);
    const RiverNetwork stairs = rivers.extract(1.0, 0.0);
    const RiverNetwork smooth = rivers.extract(1.0, 2.0);
    EXPECT_NEAR(sharpest_bend(stairs.reaches[0].points), 45.0, 1e-6);
    EXPECT_LT(sharpest_bend(smooth.reaches[0].points), 5.0);
    EXPECT_LT(smooth.reaches[0].sinuosity, 1.002);
    EXPECT_GT(stairs.reaches[0].sinuosity, 1.05);
}

TEST(Extract, depth_follows_the_slope_of_the_course_where_a_reach_is_short) {
    // The trunk of the fork is level for 2 m; above it the main branch falls by 3 m over 1.41 m.
    DrawnRivers rivers = fork();
    rivers.z = terrain_of(5, 3,
                          {0, 8, 0, 0, 0,  //
                           0, 0, 5, 5, 5,  //
                           0, 8, 0, 0, 0});
    QuietProgress progress;
    NetworkParameters parameters{.min_area = 1.0, .smoothing = 0.0, .slope_length = 0.0};
    const auto trunk = [&] {
        return extract_network(rivers.tree, rivers.area, rivers.z, parameters, progress).reaches.back();
    };
    const auto depth_at = [&](double slope) {
        return channel_flow(trunk().bankfull_discharge, slope, parameters.hydraulics).depth;
    };
    EXPECT_DOUBLE_EQ(trunk().depth, depth_at(0.0));
    parameters.slope_length = 2.5;
    EXPECT_EQ(trunk().slope, 0.0);
    EXPECT_DOUBLE_EQ(trunk().depth, depth_at(3.0 / (2.0 + std::numbers::sqrt2)));
    // Now the trunk is steep at its end, and a branch that is level looks down to it.
    rivers.z = terrain_of(5, 3,
                          {0, 6, 0, 0, 0,  //
                           0, 0, 6, 6, 2,  //
                           0, 6, 0, 0, 0});
    parameters.slope_length = 3.0;
    const RiverNetwork network = extract_network(rivers.tree, rivers.area, rivers.z, parameters, progress);
    const Reach& branch = network.reaches.front();
    EXPECT_EQ(branch.slope, 0.0);
    EXPECT_DOUBLE_EQ(branch.depth, channel_flow(branch.bankfull_discharge, 4.0 / (2.0 + std::numbers::sqrt2),
                                                parameters.hydraulics)
                                       .depth);
}

TEST(Extract, points_carry_the_world_position_of_their_cells) {
    DrawnRivers rivers(3, 1, {kEast, kEast, kRoot});
    rivers.tree.grid = Grid{.columns = 3,
                            .rows = 1,
                            .cell_size = 30.0,
                            .west = 5000.0,
                            .north = 90.0,
                            .crs = "a reference system"};
    rivers.z.move_to(rivers.tree.grid);
    const RiverNetwork network = rivers.extract(1.0);
    ASSERT_EQ(network.reaches.size(), 1U);
    EXPECT_DOUBLE_EQ(network.reaches[0].points[0].x, 5015.0);
    EXPECT_DOUBLE_EQ(network.reaches[0].points[2].x, 5075.0);
    EXPECT_DOUBLE_EQ(network.reaches[0].points[0].y, 75.0);
    EXPECT_DOUBLE_EQ(network.reaches[0].length, 60.0);
    EXPECT_EQ(network.crs, "a reference system");
}

TEST(Extract, every_point_carries_what_its_cell_drains) {
    const Field<float> z = white_terrain(50, 40, 2);
    QuietProgress progress;
    const FlowResult flow = route(z, {}, progress);
    const NetworkParameters parameters{.min_area = 800.0, .smoothing = 0.0, .slope_length = 0.0};
    const RiverNetwork network = extract_network(flow.tree, flow.drainage_area, z, parameters, progress);
    ASSERT_GT(network.reaches.size(), 30U);
    const Grid& grid = z.grid();
    for (const Reach& reach : network.reaches) {
        ASSERT_EQ(reach.values.width.size(), reach.points.size());
        for (std::size_t i = 0; i + 1 < reach.points.size(); ++i) {
            const RiverPoint& point = reach.points[i];
            const double area = flow.drainage_area(static_cast<int>(std::lround(grid.column_at(point.x))),
                                                   static_cast<int>(std::lround(grid.row_at(point.y))));
            const ChannelFlow channel = channel_flow(bankfull_discharge(area, parameters.hydraulics),
                                                     reach.slope, parameters.hydraulics);
            EXPECT_FLOAT_EQ(reach.values.width[i], static_cast<float>(channel.width));
            EXPECT_FLOAT_EQ(reach.values.depth[i], static_cast<float>(channel.depth));
            EXPECT_FLOAT_EQ(reach.values.discharge[i],
                            static_cast<float>(mean_discharge(area, parameters.hydraulics)));
        }
    }
}

TEST(Extract, points_carry_more_and_more_downstream_and_end_with_what_the_reach_carries) {
    for (const double spacing : {0.0, 0.7, 25.0}) {
        const RiverNetwork network =
            rivers_of(white_terrain(60, 50, 3), {.min_area = 1000.0, .spacing = spacing});
        for (const Reach& reach : network.reaches) {
            const PointValues& values = reach.values;
            ASSERT_EQ(values.width.size(), reach.points.size());
            EXPECT_FLOAT_EQ(values.width.back(), static_cast<float>(reach.width));
            EXPECT_FLOAT_EQ(values.depth.back(), static_cast<float>(reach.depth));
            EXPECT_FLOAT_EQ(values.discharge.back(), static_cast<float>(reach.discharge));
            for (const std::vector<float>* column : {&values.width, &values.depth, &values.discharge}) {
                EXPECT_TRUE(std::ranges::is_sorted(*column)) << "reach " << reach.id;
                EXPECT_GT(column->front(), 0.0F);
            }
        }
        const auto grows = [](const Reach& reach) {
            return reach.values.width.front() < reach.values.width.back();
        };
        EXPECT_GT(std::ranges::count_if(network.reaches, grows), 10);
    }
}

TEST(Extract, is_the_same_on_1_2_and_8_threads_and_in_every_run) {
    const Field<float> z = white_terrain(100, 80, 7);
    std::vector<RiverNetwork> networks;
    for (const int threads : {1, 2, 8, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        networks.push_back(rivers_of(z, {.min_area = 300.0, .spacing = 3.0}));
    }
    EXPECT_GT(networks[0].reaches.size(), 200U);
    for (const RiverNetwork& network : networks) EXPECT_TRUE(network == networks[0]);
}

TEST(Extract, stops_when_cancelled) {
    const DrawnRivers rivers = fork();
    QuietProgress progress;
    progress.cancel();
    EXPECT_THROW(extract_network(rivers.tree, rivers.area, rivers.z, {.min_area = 1.0}, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
