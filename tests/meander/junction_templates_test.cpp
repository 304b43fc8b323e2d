#include "thalweg/meander/network/junction_templates.hpp"

#include "thalweg/meander/simulation/network_update.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/meander/networks.hpp"
#include "tests/meander/plains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kLength = 2.5;  // widths

/// Direction from the end of a line to where it leaves the circle of `radius` m around that, radians.
double direction_of(const ChannelLine& line, double radius) {
    std::size_t i = line.size() - 1;
    while (i > 0 && std::hypot(line.x[i] - line.x.back(), line.y[i] - line.y.back()) < radius) --i;
    return std::atan2(line.y[i] - line.y.back(), line.x[i] - line.x.back());
}

/// Angle between two channels above their node, degrees.
double angle_between(const ChannelLine& a, const ChannelLine& b, double radius) {
    const double turn = std::abs(direction_of(a, radius) - direction_of(b, radius));
    return std::min(turn, 2.0 * std::numbers::pi - turn) * 180.0 / std::numbers::pi;
}

ChannelLine straight(Position from, Position to, double width, double discharge) {
    std::vector<RiverPoint> points;
    constexpr int kPieces = 100;
    for (int i = 0; i <= kPieces; ++i) {
        const double share = static_cast<double>(i) / kPieces;
        points.push_back({from.x + share * (to.x - from.x), from.y + share * (to.y - from.y), -0.0002 * i});
    }
    return channel_line(points, width, depth_of_width(width), discharge);
}

/// A river of 100 m^3/s that runs east, and a tributary that comes in from `degrees` beside it, upstream.
RiverNetwork fork(double ratio, double degrees) {
    const double angle = (180.0 - degrees) * std::numbers::pi / 180.0;
    const double width = 60.0 * std::sqrt(ratio);
    const Position head{.x = 6000.0 * std::cos(angle), .y = 6000.0 * std::sin(angle)};
    ChannelLine below = straight({}, {.x = 8000.0}, 60.0 * std::sqrt(1.0 + ratio), 100.0 * (1.0 + ratio));
    for (double& z : below.z) z -= 0.02;
    return network_of({reach_along(1, 1, 3, 3, straight({.x = -8000.0}, {}, 60.0, 100.0)),
                       reach_along(2, 2, 3, 3, straight(head, {}, width, 100.0 * ratio)),
                       reach_along(3, 3, 4, -1, below)});
}

const ChannelLine& line_of_reach(const MeanderState& state, std::int64_t id) {
    return std::ranges::find(state.channels, id, &MeanderChannel::reach)->line;
}

TEST(JunctionTemplates, let_tributaries_come_in_at_the_angle_of_their_flow_and_keep_it) {
    const MeanderParameters parameters{.junction_length = kLength};
    EXPECT_EQ(junction_angle(parameters, 0.0), parameters.junction_angle_unequal);
    EXPECT_EQ(junction_angle(parameters, 1.0), parameters.junction_angle_equal);
    for (const double drawn : {65.0, -65.0, 110.0, -25.0})
        for (const double ratio : {0.05, 0.3, 0.6, 0.95}) {
            SCOPED_TRACE(testing::Message() << drawn << " degrees, ratio " << ratio);
            MeanderSimulation rivers(fork(ratio, drawn), parameters, std::nullopt, 5);
            const double length = parameters.junction_length * 60.0;
            const auto angle = [&] {
                return angle_between(line_of_reach(rivers.state(), 1), line_of_reach(rivers.state(), 2),
                                     length);
            };
            EXPECT_NEAR(angle(), junction_angle(parameters, ratio), 3.0);
            // On the side from which it came.
            const double side = direction_of(line_of_reach(rivers.state(), 2), length);
            EXPECT_EQ(side > 0.0, drawn > 0.0);
            const double discharge = outflow_of(rivers.network());
            QuietProgress progress;
            for (int step = 0; step < 200; ++step) {
                rivers.step(progress);
                expect_sound(rivers, discharge);
            }
            if (rivers.report().captures == 0) {
                EXPECT_NEAR(angle(), junction_angle(parameters, ratio), 12.0);
            }
        }
}

TEST(JunctionTemplates, of_no_length_leave_lines_as_they_are_drawn) {
    const MeanderSimulation rivers(fork(0.5, 30.0), {.initial_roughness = 0.0, .junction_length = 0.0},
                                   std::nullopt, 5);
    EXPECT_NEAR(angle_between(line_of_reach(rivers.state(), 1), line_of_reach(rivers.state(), 2), 150.0),
                30.0, 0.5);
}

TEST(JunctionTemplates, reach_no_further_than_three_times_their_length) {
    const MeanderParameters with{.initial_roughness = 0.0, .junction_length = kLength};
    MeanderParameters without = with;
    without.junction_length = 0.0;
    const MeanderSimulation shaped(fork(0.3, 50.0), with, std::nullopt, 5);
    const MeanderSimulation drawn(fork(0.3, 50.0), without, std::nullopt, 5);
    for (const double y : line_of_reach(shaped.state(), 1).y) EXPECT_NEAR(y, 0.0, 1e-6);  // it was straight
    const ChannelLine& line = line_of_reach(shaped.state(), 2);
    const ChannelLine& before = line_of_reach(drawn.state(), 2);
    const double along = direction_of(before, 3000.0);
    double aside = 0.0;
    for (std::size_t i = 0; i < line.size(); ++i)
        if (std::hypot(line.x[i], line.y[i]) > 3.0 * kLength * 60.0 + 60.0)
            aside = std::max(aside, std::abs(line.y[i] * std::cos(along) - line.x[i] * std::sin(along)));
    EXPECT_LT(aside, 1.0);
}

/// How many tributaries of a network come in within 10 degrees of the angle of their flow, and how many there
/// are.
std::pair<int, int> fitting_tributaries(const MeanderState& state) {
    std::pair<int, int> found = {0, 0};
    for (const RiverNode& node : state.network.nodes) {
        std::vector<const ChannelLine*> ending;
        for (std::size_t i = 0; i < state.channels.size(); ++i)
            if (state.network.reaches[i].to_node == node.id) ending.push_back(&state.channels[i].line);
        std::ranges::stable_sort(ending, [](const ChannelLine* a, const ChannelLine* b) {
            return a->values.discharge.back() > b->values.discharge.back();
        });
        for (std::size_t k = 1; k < ending.size(); ++k) {
            const double length = state.parameters.junction_length * ending[0]->values.width.back();
            const double ratio = ending[k]->values.discharge.back() / ending[0]->values.discharge.back();
            const double error =
                angle_between(*ending[0], *ending[k], length) - junction_angle(state.parameters, ratio);
            found.first += std::abs(error) < 10.0 ? 1 : 0;
            ++found.second;
        }
    }
    return found;
}

TEST(JunctionTemplates, hold_in_networks_that_wander_which_cross_nowhere) {
    int fit_at_first = 0;
    int fit_later = 0;
    int fit_without = 0;
    int first = 0;
    int later = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const Field<float> elevation = plain(seed, 20000.0, 128, 5e-4);
        const RiverNetwork network = plain_network(elevation, 1e7, 6.0);
        MeanderSimulation rivers(network, {.junction_length = kLength}, elevation, seed);
        const MeanderSimulation drawn(network, {.junction_length = 0.0}, elevation, seed);
        const double discharge = outflow_of(rivers.network());
        expect_sound(rivers, discharge);
        const auto [fit, all] = fitting_tributaries(rivers.state());
        MeanderState unshaped = drawn.state();
        unshaped.parameters.junction_length = kLength;
        fit_without += fitting_tributaries(unshaped).first;
        QuietProgress progress;
        for (int step = 0; step < 200; ++step) {
            rivers.step(progress);
            expect_sound(rivers, discharge);
            if (HasFatalFailure()) return;
        }
        const auto [fit_after, all_after] = fitting_tributaries(rivers.state());
        fit_at_first += fit;
        first += all;
        fit_later += fit_after;
        later += all_after;
    }
    EXPECT_GT(fit_at_first, (4 * first) / 5);
    EXPECT_GT(fit_later, later / 2);
    EXPECT_LT(fit_without, first / 3);
}

}  // namespace
}  // namespace thalweg
