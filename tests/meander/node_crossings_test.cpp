#include "thalweg/meander/network/node_crossings.hpp"

#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/meander/network/channels.hpp"

#include <cstddef>

#include "tests/meander/networks.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Two rivers, 60 m wide, from the north-west and the south-west to one that goes on to the east.
MeanderState confluence() {
    ChannelLine north = sine_line(6000.0, 30.0, 6000.0, 0.0, 60.0);
    ChannelLine south = north;
    ChannelLine below = north;
    for (std::size_t i = 0; i < north.size(); ++i) {
        north.y[i] = 0.5 * (6000.0 - north.x[i]);
        south.y[i] = -north.y[i];
        below.x[i] += 6000.0;
        below.z[i] -= 6.0;
    }
    return MeanderSimulation(network_of({reach_along(1, 1, 3, 3, north), reach_along(2, 2, 3, 3, south),
                                         reach_along(3, 3, 4, -1, below)}),
                             {.initial_roughness = 0.0}, std::nullopt, 1)
        .state();
}

TEST(NodeCrossings, run_straight_to_their_node) {
    MeanderState state = confluence();
    EXPECT_FALSE(uncross_at_nodes(state));
    // A bow of the northern river over the southern one, and back.
    ChannelLine& north = state.channels[0].line;
    const std::size_t last = north.size() - 1;
    const double end_x = north.x[last];
    const double end_y = north.y[last];
    for (std::size_t k = 1; k < 4; ++k) north.y[last - k] -= 80.0;
    ASSERT_FALSE(crossings_of(lines_of(state.channels)).empty());
    EXPECT_TRUE(uncross_at_nodes(state));
    EXPECT_TRUE(crossings_of(lines_of(state.channels)).empty());
    EXPECT_FALSE(uncross_at_nodes(state));
    EXPECT_EQ(north.x.back(), end_x);
    EXPECT_EQ(north.y.back(), end_y);
    EXPECT_EQ(north.size(), last + 1);
}

TEST(NodeCrossings, are_undone_where_a_river_comes_round_to_its_node_from_below) {
    MeanderState state = confluence();
    ChannelLine& north = state.channels[0].line;
    ChannelLine& below = state.channels[2].line;
    const std::size_t last = north.size() - 1;
    north.x[last - 1] = below.x[1] + 5.0;
    north.y[last - 1] = -20.0;
    north.x[last - 2] = below.x[1] + 10.0;
    north.y[last - 2] = 20.0;
    ASSERT_FALSE(crossings_of(lines_of(state.channels)).empty());
    EXPECT_TRUE(uncross_at_nodes(state));
    EXPECT_TRUE(crossings_of(lines_of(state.channels)).empty());
}

}  // namespace
}  // namespace thalweg
