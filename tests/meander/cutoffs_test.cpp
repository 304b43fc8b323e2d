#include "thalweg/meander/events/cutoffs.hpp"

#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/meander/network/channels.hpp"

#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "tests/meander/networks.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// East along y = 0, and back beside that line, which it crosses at x = 2500, 1500 and 500 m.
ChannelLine hairpin() {
    std::vector<RiverPoint> points;
    for (double x = 0.0; x <= 3000.0; x += 30.0) points.push_back({x, 0.0, 0.0});
    for (double x = 2985.0; x >= 435.0; x -= 30.0)
        points.push_back({x, 20.0 * std::cos(std::numbers::pi * x / 1000.0), 0.0});
    for (double y = 60.0; y <= 600.0; y += 30.0) points.push_back({420.0, y, 0.0});
    return channel_line(points, 60.0, 2.0, 10.0);
}

TEST(Cutoffs, of_bends_whose_limbs_cross_are_where_these_do_furthest_from_the_top) {
    MeanderState state = MeanderSimulation(one_channel(3000.0, 60.0), {}, std::nullopt, 1).state();
    ChannelLine& line = state.channels.front().line;
    line = hairpin();
    line.y[134] = 0.1;  // at x = 1995 m limbs are closest
    ASSERT_GE(crossings_of(lines_of(state.channels)).size(), 3U);
    EXPECT_EQ(cut_off_bends(state, close_pairs(lines_of(state.channels))), 1);
    EXPECT_TRUE(crossings_of(lines_of(state.channels)).empty());
    EXPECT_LT(length_of(line), 1500.0);
    EXPECT_EQ(state.history.courses.size(), 1U);
}

}  // namespace
}  // namespace thalweg
