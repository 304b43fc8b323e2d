// Networks from lines: beds on the ground, widths, junctions, and what is no river.
#include "thalweg/river/line_network.hpp"

#include "thalweg/river/network_checks.hpp"

#include <cmath>
#include <limits>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Ground that falls to the east by 1 m a cell of 100 m, with a hollow of 5 m in column 10.
Field<float> hollow_ground() {
    Field<float> ground(make_grid(2000.0, 2000.0, 20));
    for (std::int64_t cell = 0; cell < ground.size(); ++cell) {
        const int column = ground.grid().column_of(cell);
        ground[cell] = 20.0F - static_cast<float>(column) - (column == 10 ? 5.0F : 0.0F);
    }
    return ground;
}

TEST(LineNetwork, follows_the_ground_between_the_points_of_a_line_and_never_rises) {
    const RiverNetwork network = network_of_lines(
        {{.points = {{50.0, 1000.0, kUnknown}, {1950.0, 1000.0, kUnknown}}}}, 18.8, hollow_ground(), "line");
    const Reach& reach = network.reaches.front();
    EXPECT_EQ(reach.points.size(), 20U);
    for (std::size_t i = 1; i < reach.points.size(); ++i) EXPECT_LE(reach.points[i].z, reach.points[i - 1].z);
    EXPECT_NEAR(reach.points[5].z, 15.0 - 1.0, 1e-4);  // a channel 18.8 m wide is 1 m deep
    EXPECT_NEAR(reach.points[10].z, 5.0 - 1.0, 1e-4);
    EXPECT_NEAR(reach.points[14].z, 5.0 - 1.0, 1e-4);  // through the ridge below the hollow
}

TEST(LineNetwork, keeps_its_points_where_there_is_no_ground) {
    const RiverNetwork network =
        network_of_lines({{.points = {{0.0, 0.0, 9.0}, {5000.0, 0.0, 4.0}, {9000.0, 0.0, kUnknown}}}}, 50.0,
                         std::nullopt, "line");
    const Reach& reach = network.reaches.front();
    ASSERT_EQ(reach.points.size(), 3U);
    EXPECT_EQ(reach.points[0].z, 9.0);
    EXPECT_EQ(reach.points[1].z, 4.0);
    EXPECT_EQ(reach.points[2].z, 4.0);
}

TEST(LineNetwork, begins_at_the_first_bed_that_is_known) {
    Field<float> ground = hollow_ground();
    for (std::int64_t cell = 0; cell < ground.size(); ++cell)
        if (ground.grid().column_of(cell) < 5) ground[cell] = std::numeric_limits<float>::quiet_NaN();
    const RiverNetwork network = network_of_lines(
        {{.points = {{50.0, 1000.0, kUnknown}, {1950.0, 1000.0, kUnknown}}}}, 18.8, ground, "line");
    EXPECT_NEAR(network.reaches.front().points.front().z, 15.0 - 1.0, 1e-4);
}

TEST(LineNetwork, has_widths_between_those_of_the_points) {
    const RiverNetwork network = network_of_lines(
        {{.points = {{50.0, 1000.0, kUnknown}, {1050.0, 1000.0, kUnknown}}, .widths = {20.0F, 40.0F}}}, 5.0,
        hollow_ground(), "line");
    const std::vector<float>& widths = network.reaches.front().values.width;
    ASSERT_EQ(widths.size(), 11U);
    EXPECT_FLOAT_EQ(widths[5], 30.0F);
    EXPECT_NEAR(network.reaches.front().values.depth[10], std::pow(40.0 / 18.8, 1.0 / 1.41), 1e-5);
}

TEST(LineNetwork, joins_lines_within_a_millimetre_and_gives_them_one_bed) {
    const RiverNetwork network = network_of_lines({{.points = {{0.0, 0.0, 9.0}, {5000.0, 0.0, 4.0}}},
                                                   {.points = {{5000.0002, 0.0, 6.0}, {9000.0, 0.0, 1.0}}},
                                                   {.points = {{4000.0, 4000.0, 9.0}, {5000.0, 0.0, 5.0}}}},
                                                  50.0, std::nullopt, "lines");
    check_network(network, "lines", NetworkProfile::DownhillForest);
    EXPECT_EQ(network.nodes.size(), 4U);
    for (const Reach& reach : network.reaches) {
        if (reach.id == 2) {
            EXPECT_EQ(reach.points.front().z, 4.0);
            continue;
        }
        EXPECT_EQ(reach.next_down, 2);
        EXPECT_EQ(reach.points.back().x, 5000.0002);
        EXPECT_EQ(reach.points.back().z, 4.0);
    }
}

TEST(LineNetwork, refuses_what_is_no_river) {
    const auto refusal = [](std::vector<RiverLine> lines) {
        return refusal_of([&] { network_of_lines(lines, 50.0, std::nullopt, "lines"); });
    };
    EXPECT_EQ(refusal({{.points = {{0.0, 0.0, 1.0}, {0.0, 0.0, 1.0}}}}),
              "lines: line 1 has fewer than two different points: give two and more");
    EXPECT_EQ(refusal({{}}), "lines: line 1 has fewer than two different points: give two and more");
    EXPECT_EQ(refusal({{.points = {{0.0, 0.0, 1.0}, {9.0, 0.0, 1.0}, {0.0, 0.0, 1.0}}}}),
              "lines: line 1 ends where it begins: give a river with a source and an outlet");
    EXPECT_EQ(refusal({{.points = {{0.0, 0.0, 1.0}, {9.0, 0.0, 1.0}}, .widths = {-2.0F}}}),
              "lines: line 1 has a width of -2 m: give widths greater than 0");
    EXPECT_THAT(refusal({{.points = {{0.0, 0.0, 1.0}, {kUnknown, 0.0, 1.0}}}}),
                HasSubstr("has a point whose place is no number"));
    EXPECT_NE(refusal({{.points = {{0.0, 0.0, 1.0}, {9.0, 0.0, 1.0}}},
                       {.points = {{9.0, 0.0, 1.0}, {9.0, 9.0, 1.0}}},
                       {.points = {{9.0, 9.0, 1.0}, {0.0, 0.0, 1.0}}}}),
              "");
}

}  // namespace
}  // namespace thalweg
