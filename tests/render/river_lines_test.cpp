#include "thalweg/render/drawing/river_lines.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

Reach reach(std::int64_t id, std::int64_t next, double discharge, std::vector<RiverPoint> points) {
    Reach made;
    made.id = id;
    made.next_down = next;
    made.from_node = id;
    made.to_node = next;
    made.bankfull_discharge = discharge;
    made.upland_area = 1e6 * discharge;
    made.points = std::move(points);
    return made;
}

/// Two headwaters of 2 and 3 m^3/s that join to a river of 6 m^3/s.
RiverNetwork confluence() {
    RiverNetwork rivers;
    rivers.reaches = {reach(1, 3, 2.0, {{0, 20, 9}, {10, 10, 5}}),
                      reach(2, 3, 3.0, {{20, 20, 9}, {10, 10, 5}}),
                      reach(3, -1, 6.0, {{10, 10, 5}, {10, 5, 3}, {15, 0, 1}})};
    return rivers;
}

TEST(RiverLines, hold_their_ends_and_cut_their_corners) {
    const std::vector<PaintedRiver> lines = river_lines(confluence());
    ASSERT_EQ(lines.size(), 3U);
    const PaintedRiver& trunk = lines.back();
    EXPECT_EQ(trunk.points.front().x, 10.0);
    EXPECT_EQ(trunk.points.back().y, 0.0);
    EXPECT_GT(trunk.points.size(), 4U);
    for (const Position& point : trunk.points)
        EXPECT_GT(std::hypot(point.x - 10.0, point.y - 5.0), 0.5);  // the corner itself is gone
}

TEST(RiverLines, carry_what_flows_in_above_to_what_flows_out_below) {
    const std::vector<PaintedRiver> lines = river_lines(confluence());
    EXPECT_DOUBLE_EQ(lines[2].flow.front(), 5.0);
    EXPECT_DOUBLE_EQ(lines[2].flow.back(), 6.0);
    EXPECT_DOUBLE_EQ(lines[0].flow.front(), 1.0);
    for (const PaintedRiver& line : lines)
        for (std::size_t i = 1; i < line.flow.size(); ++i) EXPECT_GE(line.flow[i], line.flow[i - 1]);
}

TEST(RiverLines, of_a_braid_begin_with_no_more_than_their_own_flow) {
    RiverNetwork braid;
    braid.reaches = {reach(1, 2, 9.0, {{0, 20, 9}, {10, 10, 5}}), reach(2, 4, 6.0, {{10, 10, 5}, {10, 5, 3}}),
                     reach(3, 4, 3.0, {{10, 10, 5}, {12, 7, 4}, {10, 5, 3}}),
                     reach(4, -1, 9.0, {{10, 5, 3}, {10, 0, 1}})};
    braid.reaches[2].from_node = 2;
    const std::vector<PaintedRiver> lines = river_lines(braid);
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[0].reach, 3);
    EXPECT_DOUBLE_EQ(lines[0].flow.front(), 3.0);
    EXPECT_DOUBLE_EQ(lines[1].flow.front(), 6.0);
    EXPECT_DOUBLE_EQ(lines[3].flow.front(), 9.0);
}

TEST(RiverLines, come_from_small_to_large) {
    const std::vector<PaintedRiver> lines = river_lines(confluence());
    EXPECT_DOUBLE_EQ(lines[0].flow.back(), 2.0);
    EXPECT_DOUBLE_EQ(lines[1].flow.back(), 3.0);
}

TEST(RiverLines, go_by_drainage_area_where_no_discharge_is_known) {
    RiverNetwork rivers = confluence();
    for (Reach& part : rivers.reaches) part.bankfull_discharge = 0.0;
    EXPECT_DOUBLE_EQ(greatest_flow(rivers), 6e6);
    EXPECT_DOUBLE_EQ(river_lines(rivers).back().flow.back(), 6e6);
}

TEST(RiverLines, of_an_empty_network_are_none) {
    EXPECT_TRUE(river_lines({}).empty());
    EXPECT_EQ(greatest_flow({}), 0.0);
}

TEST(RiverProminence, is_less_for_rivers_that_drain_little_of_the_picture) {
    const RiverNetwork rivers = confluence();  // drains 6 km^2
    EXPECT_DOUBLE_EQ(river_prominence(rivers, 10e6), 1.0);
    EXPECT_LT(river_prominence(rivers, 60e6), 0.8);
    EXPECT_DOUBLE_EQ(river_prominence(rivers, 1e12), 0.45);
}

}  // namespace
}  // namespace thalweg
