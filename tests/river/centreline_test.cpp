#include "thalweg/river/centreline.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/river/extract.hpp"
#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "tests/flow/terrains.hpp"
#include "tests/river/network_rules.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using std::numbers::pi;
using tests::white_terrain;
using Line = std::vector<RiverPoint>;

Line line_through(const Line& points, double spacing) {
    return centreline({.points = points}, spacing);
}

double length_of(const Line& line) {
    double length = 0.0;
    for (std::size_t i = 1; i < line.size(); ++i) length += distance_between(line[i - 1], line[i]);
    return length;
}

/// Change of direction from a to b to c, degrees.
double bend(const RiverPoint& a, const RiverPoint& b, const RiverPoint& c) {
    const double before = std::atan2(b.y - a.y, b.x - a.x);
    const double after = std::atan2(c.y - b.y, c.x - b.x);
    return std::abs(std::remainder(after - before, 2.0 * pi)) * 180.0 / pi;
}

double sharpest_bend(const Line& line) {
    double sharpest = 0.0;
    for (std::size_t i = 2; i < line.size(); ++i)
        sharpest = std::max(sharpest, bend(line[i - 2], line[i - 1], line[i]));
    return sharpest;
}

/// A line that steps 1 m east and wanders north and south, with a bed that falls at random.
Line wandering_line(std::uint64_t seed) {
    Line line;
    for (std::uint64_t i = 0; i < 30; ++i)
        line.push_back({static_cast<double>(i), 2.0 * unit_double(random_bits(seed, Stream::Noise, i)),
                        100.0 - 3.0 * static_cast<double>(i) -
                            2.9 * unit_double(random_bits(seed, Stream::Noise, 100 + i))});
    return line;
}

TEST(Centreline, of_points_on_a_straight_line_stays_on_it_in_equal_steps) {
    const Line line = line_through({{0, 0, 9}, {3, 4, 8}, {3.3, 4.4, 7.9}, {9, 12, 6}, {30, 40, -1}}, 0.1);
    ASSERT_EQ(line.size(), 501U);
    for (std::size_t i = 0; i < line.size(); ++i) {
        EXPECT_NEAR(4.0 * line[i].x, 3.0 * line[i].y, 1e-12);
        EXPECT_NEAR(std::hypot(line[i].x, line[i].y), 0.1 * static_cast<double>(i), 0.05);
    }
}

/// How far the centreline through `count` + 1 points of half a circle of radius 1 lies from it, inside.
double circle_error(int count) {
    Line points;
    for (int i = 0; i <= count; ++i)
        points.push_back({std::cos(pi * i / count), std::sin(pi * i / count), 0.0});
    double greatest = 0.0;
    // At the ends the tangents are one-sided, and the error is another.
    for (const RiverPoint& point : line_through(points, 0.0005))
        if (const double angle = std::atan2(point.y, point.x); std::abs(angle - 0.5 * pi) < 0.25 * pi)
            greatest = std::max(greatest, 1.0 - std::hypot(point.x, point.y));
    return greatest;
}

TEST(Centreline, misses_a_circle_by_the_fourth_power_of_the_distance_of_its_points) {
    for (const int count : {8, 16, 32}) {
        const double half = 0.5 * pi / count;  // half the angle between two points
        const double in_the_middle = 1.0 - std::cos(half) * (1.0 + 0.5 * std::pow(std::sin(half), 2));
        EXPECT_NEAR(circle_error(count), in_the_middle, 0.01 * in_the_middle);
    }
    EXPECT_NEAR(std::log2(circle_error(16) / circle_error(32)), 4.0, 0.05);
}

TEST(Centreline, begins_and_ends_at_the_points_given_to_the_bit) {
    const Line points = wandering_line(1);
    for (const double spacing : {0.013, 0.7, 5.0, 1e6}) {
        const Line line = line_through(points, spacing);
        EXPECT_TRUE(tests::same_place(line.front(), points.front()));
        EXPECT_TRUE(tests::same_place(line.back(), points.back()));
    }
    EXPECT_EQ(line_through(points, 1e6).size(), 2U);
}

TEST(Centreline, passes_the_points_given) {
    const Line points = wandering_line(2);
    const Line line = line_through(points, 0.001);
    for (const RiverPoint& point : points) {
        double nearest = 1.0;
        for (const RiverPoint& other : line) nearest = std::min(nearest, distance_between(point, other));
        EXPECT_LT(nearest, 0.001);
    }
}

TEST(Centreline, has_no_kinks) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const Line points = wandering_line(seed);
        ASSERT_GT(sharpest_bend(points), 60.0);
        // Of a curve without kinks, bends shrink with the distance of its points.
        const double bend = sharpest_bend(line_through(points, 0.002));
        EXPECT_LT(bend, 3.0);
        EXPECT_NEAR(sharpest_bend(line_through(points, 0.001)), 0.5 * bend, 0.1 * bend);
    }
}

TEST(Centreline, of_two_reaches_that_follow_each_other_has_one_direction_where_they_meet) {
    const Line points = wandering_line(4);
    const std::span<const RiverPoint> all = points;
    const auto slope = [](const RiverPoint& a, const RiverPoint& b) {
        return (a.z - b.z) / distance_between(a, b);
    };
    for (std::size_t node = 3; node < 27; ++node) {
        const Line upper = centreline({.points = all.first(node + 1), .after = points[node + 1]}, 0.001);
        const Line lower = centreline({.points = all.subspan(node), .before = points[node - 1]}, 0.001);
        EXPECT_LT(bend(upper.end()[-2], upper.back(), lower[1]), 1.0);
        EXPECT_NEAR(slope(upper.end()[-2], upper.back()), slope(lower[0], lower[1]), 0.05);
    }
}

/// Where the centripetal Catmull-Rom curve through four points lies at a share of the knots between the inner
/// two, by the pyramid of Barry and Goldman (1988).
RiverPoint by_pyramid(const std::span<const RiverPoint> points, double share) {
    std::array<double, 4> knot = {};
    for (std::size_t i = 1; i < 4; ++i)
        knot[i] = knot[i - 1] + std::sqrt(distance_between(points[i - 1], points[i]));
    const double u = knot[1] + share * (knot[2] - knot[1]);
    std::array<RiverPoint, 4> level = {points[0], points[1], points[2], points[3]};
    for (std::size_t height = 1; height < 4; ++height)
        for (std::size_t i = 0; i + height < 4; ++i) {
            // The last level goes from the second knot to the third, the one before it over three of them.
            const std::size_t first = height == 3 ? 1 : i, last = height == 3 ? 2 : i + height;
            const double part = (u - knot[first]) / (knot[last] - knot[first]);
            level[i].x += part * (level[i + 1].x - level[i].x);
            level[i].y += part * (level[i + 1].y - level[i].y);
        }
    return level[0];
}

TEST(Centreline, is_the_catmull_rom_curve_that_the_pyramid_of_barry_and_goldman_gives) {
    const Line points = {{0, 0, 0}, {1, 2, 0}, {1.2, 1.9, 0}, {3, 0, 0}, {3.1, -2, 0}, {5, -2.2, 0}};
    const Line line = line_through(points, 0.0005);
    for (std::size_t i = 0; i + 3 < points.size(); ++i)
        for (const double share : {0.1, 0.3, 0.5, 0.8}) {
            const RiverPoint wanted = by_pyramid(std::span(points).subspan(i, 4), share);
            double nearest = 1e300;
            for (const RiverPoint& point : line) nearest = std::min(nearest, distance_between(point, wanted));
            EXPECT_LT(nearest, 0.0006);
        }
}

TEST(Centreline, never_rises_over_steps_and_levels) {
    const Line points = {{0, 0, 10}, {1, 0, 10},  {2, 1, 9.999},   {2.1, 1, 0},
                         {7, 1, 0},  {8, 3, -50}, {20, 3, -50.001}};
    const Line line = line_through(points, 0.003);
    for (std::size_t i = 1; i < line.size(); ++i) ASSERT_LE(line[i].z, line[i - 1].z);
    EXPECT_EQ(line.back().z, -50.001);
}

TEST(Centreline, falls_wherever_its_points_fall) {
    const Line line = line_through({{0, 0, 10}, {1, 0, 9.99}, {2, 0, 5}, {3, 0, 4.99}, {4, 0, 0}}, 0.01);
    for (std::size_t i = 1; i < line.size(); ++i) ASSERT_LT(line[i].z, line[i - 1].z);
}

TEST(Centreline, counts_points_at_one_place_once) {
    const Line line =
        line_through({{0, 0, 3}, {0, 0, 2.5}, {1, 1, 2}, {1, 1, 1}, {2, 0, 0}, {2, 0, -1}}, 0.1);
    EXPECT_EQ(line.front().z, 3.0);
    EXPECT_EQ(line.back().z, -1.0);
    for (std::size_t i = 1; i < line.size(); ++i) {
        ASSERT_TRUE(std::isfinite(line[i].x + line[i].y + line[i].z));
        EXPECT_LE(line[i].z, line[i - 1].z);
    }
    EXPECT_EQ(line_through({{4, 4, 3}, {4, 4, 2}}, 0.1).size(), 2U);
}

/// The network of a terrain, with lines of `spacing` (m).
RiverNetwork network_of(const FlowResult& flow, double spacing, double smoothing = 2.0) {
    QuietProgress progress;
    const NetworkParameters parameters{.min_area = 1500.0, .smoothing = smoothing, .spacing = spacing};
    return extract_network(flow.tree, flow.drainage_area, flow.elevation, parameters, progress);
}

FlowResult white_flow() {
    QuietProgress progress;
    return route(white_terrain(120, 100, 14), {}, progress);
}

TEST(CentrelinesOfANetwork, keep_ids_nodes_and_orders_and_are_sound) {
    const FlowResult flow = white_flow();
    for (const double smoothing : {0.0, 2.0, 10.0}) {
        const RiverNetwork cells = network_of(flow, 0.0, smoothing);
        for (const double spacing : {0.7, 10.0, 25.0, 4000.0}) {
            const RiverNetwork network = network_of(flow, spacing, smoothing);
            tests::expect_sound_network(network);
            ASSERT_EQ(network.nodes.size(), cells.nodes.size());
            for (std::size_t i = 0; i < network.nodes.size(); ++i) {
                EXPECT_EQ(network.nodes[i].id, cells.nodes[i].id);
                EXPECT_TRUE(tests::same_place(network.nodes[i].point, cells.nodes[i].point));
            }
            ASSERT_EQ(network.reaches.size(), cells.reaches.size());
            for (std::size_t i = 0; i < network.reaches.size(); ++i) {
                EXPECT_EQ(network.reaches[i].id, cells.reaches[i].id);
                EXPECT_EQ(network.reaches[i].next_down, cells.reaches[i].next_down);
                EXPECT_EQ(network.reaches[i].strahler, cells.reaches[i].strahler);
                EXPECT_EQ(network.reaches[i].upland_area, cells.reaches[i].upland_area);
            }
        }
    }
}

TEST(CentrelinesOfANetwork, have_their_points_as_far_apart_as_asked) {
    for (const Reach& reach : network_of(white_flow(), 4.0).reaches) {
        const double step = reach.length / static_cast<double>(reach.points.size() - 1);
        EXPECT_LT(step, reach.length < 4.0 ? 4.0 : 6.0);
        for (std::size_t i = 1; i < reach.points.size(); ++i)
            EXPECT_NEAR(distance_between(reach.points[i - 1], reach.points[i]), step, 0.25 * step);
    }
}

TEST(CentrelinesOfANetwork, carry_length_slope_sinuosity_and_stream_power_of_the_line) {
    const FlowResult flow = white_flow();
    const RiverNetwork cells = network_of(flow, 0.0);
    const RiverNetwork network = network_of(flow, 2.5);
    for (std::size_t i = 0; i < network.reaches.size(); ++i) {
        const Reach& reach = network.reaches[i];
        EXPECT_NEAR(reach.length, length_of(reach.points), 1e-9 * reach.length);
        EXPECT_NEAR(reach.slope * reach.length, reach.points.front().z - reach.points.back().z, 1e-9);
        const double chord = distance_between(reach.points.front(), reach.points.back());
        EXPECT_NEAR(reach.sinuosity, std::max(1.0, reach.length / chord), 1e-9);
        const double power = cells.reaches[i].stream_power * cells.reaches[i].length;
        EXPECT_NEAR(reach.stream_power * reach.length, power, 1e-9 * power);
    }
}

double distance_to_segment(const RiverPoint& point, const RiverPoint& a, const RiverPoint& b) {
    const double x = b.x - a.x, y = b.y - a.y;
    const double share = std::clamp(((point.x - a.x) * x + (point.y - a.y) * y) / (x * x + y * y), 0.0, 1.0);
    return std::hypot(point.x - a.x - share * x, point.y - a.y - share * y);
}

/// How far a line strays from another, m.
double farthest(const Line& line, const Line& other) {
    double greatest = 0.0;
    for (const RiverPoint& point : line) {
        double least = 1e300;
        for (std::size_t i = 1; i < other.size(); ++i)
            least = std::min(least, distance_to_segment(point, other[i - 1], other[i]));
        greatest = std::max(greatest, least);
    }
    return greatest;
}

TEST(CentrelinesOfANetwork, stray_by_half_of_smoothing_and_a_fifth_of_a_cell_at_most) {
    const FlowResult flow = white_flow();
    const RiverNetwork cells = network_of(flow, 0.0, 0.0);
    for (const double smoothing : {0.0, 1.0, 2.0, 5.0})
        for (const double spacing : {0.0, 1.0}) {
            const RiverNetwork network = network_of(flow, spacing, smoothing);
            for (std::size_t i = 0; i < network.reaches.size(); ++i)
                ASSERT_LT(farthest(network.reaches[i].points, cells.reaches[i].points),
                          10.0 * (0.5 * smoothing + 0.2));
        }
}

bool lies_left(const RiverPoint& a, const RiverPoint& b, const RiverPoint& point) {
    return (b.x - a.x) * (point.y - a.y) > (b.y - a.y) * (point.x - a.x);
}

bool crosses_itself(const Line& line) {
    for (std::size_t i = 1; i < line.size(); ++i)
        for (std::size_t k = i + 2; k < line.size(); ++k)
            if (lies_left(line[i - 1], line[i], line[k - 1]) != lies_left(line[i - 1], line[i], line[k]) &&
                lies_left(line[k - 1], line[k], line[i - 1]) != lies_left(line[k - 1], line[k], line[i]))
                return true;
    return false;
}

TEST(CentrelinesOfANetwork, do_not_cross_themselves) {
    EXPECT_TRUE(crosses_itself({{0, 0, 0}, {2, 2, 0}, {2, 0, 0}, {0, 2, 0}}));
    const FlowResult flow = white_flow();
    for (const double smoothing : {0.0, 1.0, 2.0, 5.0})
        for (const Reach& reach : network_of(flow, 2.0, smoothing).reaches)
            EXPECT_FALSE(crosses_itself(reach.points)) << "reach " << reach.id;
}

TEST(CentrelinesOfANetwork, run_through_confluences_without_a_bend_along_the_larger_river) {
    const RiverNetwork network = network_of(white_flow(), 0.1);
    std::map<std::int64_t, const Reach*> larger;  // by the node that it flows to
    for (const Reach& reach : network.reaches) {
        const Reach*& main = larger[reach.to_node];
        if (main == nullptr || reach.upland_area > main->upland_area) main = &reach;
    }
    int through = 0;
    for (const Reach& reach : network.reaches) {
        if (!larger.contains(reach.from_node)) continue;
        EXPECT_LT(bend(larger[reach.from_node]->points.end()[-2], reach.points[0], reach.points[1]), 8.0);
        ++through;
    }
    EXPECT_GT(through, 10);
}

/// The way of a river that keeps to the cells nearest to a quarter of a circle, and its line.
Line river_around(double radius, double spacing, double smoothing) {  // cells
    const int side = static_cast<int>(radius) + 2;
    FlowTree tree;
    tree.grid = Grid{.columns = side, .rows = side};
    tree.direction.assign(static_cast<std::size_t>(side * side), kOutside);
    int column = 0, row = static_cast<int>(radius);
    const auto off = [&](int c, int r) { return std::abs(std::hypot(c, r) - radius); };
    while (row > 0) {
        // Of the three cells further on, the one nearest to the circle.
        const std::array<std::pair<int, std::uint8_t>, 3> ways = {{{0, 0}, {1, 7}, {2, 6}}};
        const auto best = *std::ranges::min_element(ways, {}, [&](const auto& way) {
            return off(column + kColumnStep[way.second], row + kRowStep[way.second]);
        });
        tree.direction[static_cast<std::size_t>(row * side + column)] = best.second;
        column += kColumnStep[best.second];
        row += kRowStep[best.second];
    }
    tree.direction[static_cast<std::size_t>(column)] = kRoot;
    QuietProgress progress;
    order_tree(tree, progress);
    return extract_network(tree, drainage_area(tree), Field<float>(tree.grid, 1.0F),
                           {.min_area = 1.0, .smoothing = smoothing, .spacing = spacing}, progress)
        .reaches.at(0)
        .points;
}

TEST(CentrelinesOfANetwork, measure_a_circle_on_the_grid_to_a_half_percent_where_cells_err_by_five) {
    for (const double radius : {30.0, 60.0, 100.0}) {
        const double arc = 0.5 * pi * radius;
        EXPECT_GT(length_of(river_around(radius, 0.0, 0.0)), 1.04 * arc);
        EXPECT_NEAR(length_of(river_around(radius, 0.25, 2.0)), arc, 0.005 * arc);
    }
}

TEST(CentrelinesOfANetwork, refuse_a_spacing_that_would_fill_the_memory) {
    const FlowResult flow = white_flow();
    EXPECT_NO_THROW(network_of(flow, 0.1));
    try {
        network_of(flow, 0.01);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("spacing = 0.01 m is not allowed"));
    }
}

TEST(CentrelinesOfANetwork, are_the_same_on_1_2_and_8_threads) {
    std::vector<RiverNetwork> networks;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        networks.push_back(network_of(white_flow(), 3.0));
    }
    for (const RiverNetwork& network : networks)
        for (std::size_t i = 0; i < network.reaches.size(); ++i)
            EXPECT_TRUE(std::ranges::equal(network.reaches[i].points, networks[0].reaches[i].points,
                                           tests::same_place));
}

}  // namespace
}  // namespace thalweg
