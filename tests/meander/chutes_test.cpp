#include "thalweg/meander/events/chutes.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/meander/network/channels.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/meander/networks.hpp"
#include "tests/meander/plains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Sharp bends, 50 m wide, that a chute can cut off.
MeanderState bends_of_one_river(const MeanderParameters& parameters) {
    const ChannelLine line = sine_line(4000.0, 20.0, 800.0, 260.0, 50.0);
    MeanderState state =
        MeanderSimulation(network_of({reach_along(1, 1, 2, -1, line)}), parameters, std::nullopt, 1).state();
    return state;
}

TEST(Chutes, cut_across_the_inside_of_a_bend_downhill_and_leave_it_behind) {
    MeanderState state = bends_of_one_river({.chute_rate = 50.0});
    const ChannelLine before = state.channels[0].line;
    ASSERT_TRUE(cut_chutes(state, 10.0));
    const ChannelLine& after = state.channels[0].line;
    ASSERT_GT(state.history.courses.size(), 2U);
    EXPECT_LT(length_of(after), 0.9 * length_of(before));
    EXPECT_TRUE(crossings_of(lines_of(state.channels)).empty());
    EXPECT_TRUE(std::ranges::is_sorted(after.z, std::greater<>()));
    EXPECT_EQ(after.z.front(), before.z.front());
    EXPECT_EQ(after.z.back(), before.z.back());
    ASSERT_EQ(state.history.events.size(), state.history.courses.size());
    for (std::size_t i = 0; i < state.history.courses.size(); ++i) {
        const AbandonedCourse& course = state.history.courses[i];
        EXPECT_EQ(course.cause, MeanderEventKind::Chute);
        EXPECT_EQ(state.history.events[i].kind, MeanderEventKind::Chute);
        EXPECT_EQ(state.history.events[i].course, course.id);
        // The neck of the bend was open: a chute is no cutoff.
        EXPECT_GT(std::hypot(course.line.x.back() - course.line.x.front(),
                             course.line.y.back() - course.line.y.front()),
                  50.0);
        const auto is_left = [&](double x, double y) {
            for (std::size_t k = 0; k < after.size(); ++k)
                if (std::hypot(after.x[k] - x, after.y[k] - y) < 2.0 * 50.0) return false;
            return true;
        };
        const std::size_t middle = course.line.size() / 2;
        EXPECT_TRUE(is_left(course.line.x[middle], course.line.y[middle]));
    }
}

TEST(Chutes, are_none_where_the_ground_inside_the_bend_is_too_high) {
    const auto chutes_on = [](float height) {
        MeanderState state = bends_of_one_river({.avulsion_depth = 3.0, .chute_rate = 50.0});
        Field<float> ground(
            Grid{.columns = 60, .rows = 20, .cell_size = 100.0, .west = -1000.0, .north = 1000.0});
        for (std::int64_t cell = 0; cell < ground.size(); ++cell) ground[cell] = height;
        state.elevation = ground;
        cut_chutes(state, 10.0);
        return state.history.courses.size();
    };
    EXPECT_GT(chutes_on(4.0F), 0U);
    EXPECT_EQ(chutes_on(40.0F), 0U);
}

struct Outcome {
    double sinuosity = 0.0;
    double chutes = 0.0;
};

/// Means over seeds, of a river of 30 km after 150 years.
Outcome mean_outcome(double rate, double time_step) {
    constexpr int kSeeds = 4;
    Outcome mean;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
        MeanderSimulation rivers(
            one_channel(30000.0, 60.0),
            {.migration = {.time_step = time_step}, .crevasse_rate = 0.0, .chute_rate = rate}, std::nullopt,
            seed);
        QuietProgress progress;
        while (rivers.year() < 150.0 - 1e-9) rivers.step(progress);
        EXPECT_EQ(rivers.report().self_crossings, 0);
        mean.sinuosity += rivers.report().sinuosity / kSeeds;
        mean.chutes += static_cast<double>(rivers.report().chutes) / kSeeds;
    }
    return mean;
}

TEST(Chutes, make_rivers_straighter_the_more_often_they_are_cut) {
    const Outcome never = mean_outcome(0.0, 0.5);
    const Outcome seldom = mean_outcome(0.4, 0.5);
    const Outcome often = mean_outcome(2.0, 0.5);
    EXPECT_EQ(never.chutes, 0.0);
    EXPECT_GT(seldom.chutes, 3.0);
    EXPECT_GT(often.chutes, 2.0 * seldom.chutes);
    EXPECT_LT(seldom.sinuosity, never.sinuosity - 0.05);
    EXPECT_LT(often.sinuosity, seldom.sinuosity - 0.5);
}

TEST(Chutes, are_as_many_in_half_the_steps_of_time) {
    const Outcome whole = mean_outcome(0.1, 0.5);
    const Outcome half = mean_outcome(0.1, 0.25);
    EXPECT_NEAR(half.chutes, whole.chutes, 0.2 * whole.chutes);
    EXPECT_NEAR(half.sinuosity, whole.sinuosity, 0.08 * whole.sinuosity);
}

TEST(Chutes, keep_a_network_sound_after_every_step) {
    const Field<float> elevation = plain(2, 20000.0, 128, 2e-4);
    const RiverNetwork network = plain_network(elevation, 3e6, 6.0);
    MeanderSimulation rivers(network, {.chute_rate = 0.5}, elevation, 2);
    QuietProgress progress;
    const double discharge = outflow_of(network);
    for (int step = 0; step < 300; ++step) {
        rivers.step(progress);
        expect_sound(rivers, discharge);
    }
    EXPECT_GT(rivers.report().chutes, 5);
}

}  // namespace
}  // namespace thalweg
