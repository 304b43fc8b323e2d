#include "thalweg/meander/events/avulsions.hpp"

#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/meander/network/channels.hpp"
#include "thalweg/river/line_network.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

RiverNetwork straight_river(double length, double width) {
    const ChannelLine line = sine_line(length, 100.0, length, 0.0, width);
    return network_of_lines({{.points = points_of(line)}}, width, std::nullopt, "river");
}

/// A winding river 60 m wide, after 150 years.
MeanderState winding_river(std::uint64_t seed, std::optional<Field<float>> ground = std::nullopt) {
    MeanderSimulation rivers(straight_river(16000.0, 60.0), {.crevasse_rate = 0.0}, std::move(ground), seed);
    QuietProgress progress;
    for (int step = 0; step < 300; ++step) rivers.step(progress);
    return rivers.state();
}

TEST(Avulsions, come_to_their_end_on_a_course_a_third_longer_than_straight) {
    int tried = 0;
    int done = 0;
    double ratio = 0.0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        // Straight, so that nothing is in the way but the old course itself.
        MeanderSimulation rivers(straight_river(16000.0, 60.0), {.initial_roughness = 0.0}, std::nullopt,
                                 seed);
        MeanderState state = rivers.state();
        const ChannelLine& line = state.channels[0].line;
        const std::size_t first = line.size() / 4;
        const std::size_t last = line.size() / 2;
        const double chord = std::hypot(line.x[last] - line.x[first], line.y[last] - line.y[first]);
        const double before = length_of(line);
        ++tried;
        if (!avulse(state, 0, first, last)) continue;
        ++done;
        const double gone = length_of(state.history.courses.back().line);
        ratio += (length_of(state.channels[0].line) - before + gone) / chord;
    }
    EXPECT_GE(done, 30) << tried;
    EXPECT_NEAR(ratio / done, 1.15, 0.2);
}

TEST(Avulsions, leave_what_they_were_and_cross_nothing) {
    int done = 0;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        MeanderState state = winding_river(seed);
        const std::size_t points = state.channels[0].line.size();
        const std::size_t courses = state.history.courses.size();
        const ChannelLine before = state.channels[0].line;
        if (!avulse(state, 0, points / 3, points / 2)) {
            EXPECT_EQ(state.channels[0].line, before);
            EXPECT_EQ(state.history.courses.size(), courses);
            continue;
        }
        ++done;
        ASSERT_EQ(state.history.courses.size(), courses + 1);
        const AbandonedCourse& left = state.history.courses.back();
        EXPECT_EQ(left.cause, MeanderEventKind::Avulsion);
        EXPECT_EQ(left.line.x.front(), before.x[points / 3]);
        EXPECT_TRUE(crossings_of(lines_of(state.channels)).empty());
        const std::vector<double>& bed = state.channels[0].line.z;
        for (std::size_t i = 1; i < bed.size(); ++i) ASSERT_LE(bed[i], bed[i - 1]);
    }
    EXPECT_GT(done, 2);
}

TEST(Avulsions, happen_at_the_rate_that_is_given) {
    const auto crevasses = [](double rate) {
        MeanderSimulation rivers(straight_river(60000.0, 60.0),
                                 {.crevasse_rate = rate, .avulsion_share = 0.0}, std::nullopt, 5);
        QuietProgress progress;
        for (int step = 0; step < 400; ++step) rivers.step(progress);
        return static_cast<double>(rivers.report().crevasses);
    };
    EXPECT_EQ(crevasses(0.0), 0.0);
    const double few = crevasses(0.5);
    EXPECT_GT(few, 30.0);
    EXPECT_NEAR(crevasses(2.0) / few, 4.0, 1.0);
}

TEST(Avulsions, are_given_up_where_the_ground_is_too_high) {
    Field<float> high(make_grid(20000.0, 20000.0, 200), 100.0F);
    MeanderState state = winding_river(3);
    state.elevation = high;
    const std::size_t points = state.channels[0].line.size();
    for (std::size_t first = points / 5; first < points / 2; first += 10)
        EXPECT_FALSE(avulse(state, 0, first, first + points / 5));
}

TEST(Avulsions, leave_a_river_sound_over_centuries) {
    MeanderSimulation rivers(straight_river(30000.0, 80.0), {.crevasse_rate = 0.5, .avulsion_share = 0.5},
                             std::nullopt, 8);
    QuietProgress progress;
    for (int step = 0; step < 800; ++step) {
        rivers.step(progress);
        ASSERT_EQ(rivers.report().self_crossings, 0) << rivers.year();
    }
    EXPECT_GT(rivers.report().avulsions, 5);
}

}  // namespace
}  // namespace thalweg
