// Networks that are edited by lot.
#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/meander/meander_edits.hpp"
#include "thalweg/meander/meander_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/long_test.hpp"
#include "tests/meander/networks.hpp"
#include "tests/meander/plains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using LongRandomEdits = LongTest;

void wander(MeanderSimulation& rivers, int steps) {
    QuietProgress progress;
    for (int step = 0; step < steps; ++step) rivers.step(progress);
}

/// Random draws, one after another.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : seed_(seed) {}
    double unit() { return unit_double(random_bits(seed_, Stream::WhiteNoise, ++count_)); }
    std::size_t below(std::size_t end) {
        return std::min(end - 1, static_cast<std::size_t>(unit() * static_cast<double>(end)));
    }
    Position place() { return {.x = 20000.0 * unit(), .y = 20000.0 * unit()}; }

  private:
    std::uint64_t seed_;
    std::uint64_t count_ = 0;
};

/// A point of a channel drawn by lot.
Position place_on(const MeanderChannel& channel, Draws& draws) {
    const std::size_t point = draws.below(channel.line.size());
    return {.x = channel.line.x[point], .y = channel.line.y[point]};
}

/// Does something to a network; `discharge` follows where water is added, and is measured where it is taken.
std::string edit_by_lot(MeanderState& state, Draws& draws, double& added) {
    const MeanderChannel channel = state.channels[draws.below(state.channels.size())];
    const Position at = place_on(channel, draws);
    added = 0.0;
    switch (draws.below(9)) {
        case 0:
            move_point(state, channel.reach, at,
                       {.x = at.x + 2000.0 * (draws.unit() - 0.5), .y = at.y + 2000.0 * (draws.unit() - 0.5)},
                       200.0 + 2000.0 * draws.unit());
            return "move";
        case 1:
            split_channel(state, channel.reach, at);
            return "split";
        case 2: {
            std::vector<Position> points = {draws.place()};
            if (draws.unit() < 0.5) points.push_back(draws.place());
            points.push_back(draws.unit() < 0.7 ? at : draws.place());
            add_channel(state, {.points = points, .width = 40.0 * draws.unit() + 5.0, .discharge = 1.0});
            added = 1.0;
            return "add";
        }
        case 3:
            remove_channel(state, channel.reach);
            added = NAN;
            return "remove";
        case 4:
            redraw_channel(state, channel.reach,
                           std::vector<Position>{place_on(channel, draws), draws.place()});
            return "redraw";
        case 5:
            adjust_channel(state, channel.reach, draws.unit() < 0.5 ? 0.0 : 5.0 + 60.0 * draws.unit(),
                           2.0 * draws.unit());
            return "channel";
        case 6:
            cut_off_channel(state, channel.reach, at, place_on(channel, draws));
            return "cutoff";
        case 7:
            avulse_channel(state, channel.reach, at,
                           draws.unit() < 0.7
                               ? place_on(state.channels[draws.below(state.channels.size())], draws)
                               : draws.place());
            return "avulse";
        default: {
            MeanderParameters parameters = state.parameters;
            const Position from = draws.place();
            const Position to = draws.place();
            parameters.controls.push_back(
                {.kind = draws.unit() < 0.5 ? ControlKind::Attract : ControlKind::Repel,
                 .points = {from.x, from.y, to.x, to.y},
                 .strength = 2.0 * draws.unit()});
            change_parameters(state, parameters);
            return "control";
        }
    }
}

/// Lets widths and depths vary tenfold along channels.
RiverNetwork with_varying_widths(RiverNetwork network) {
    for (Reach& reach : network.reaches)
        for (std::size_t i = 0; i < reach.points.size(); ++i) {
            const auto factor =
                static_cast<float>(std::pow(10.0, 0.5 * std::sin(static_cast<double>(i) / 9.0)));
            reach.values.width[i] *= factor;
            reach.values.depth[i] *= std::sqrt(factor);
        }
    return network;
}

/// Edits a network of 10 to 60 channels by lot, five steps apart.
void edit_by_lots(std::uint64_t seed, int rounds, bool widths_vary) {
    const Field<float> elevation = plain(seed, 20000.0, 128, 2e-4);
    const double min_area = seed % 3 == 0 ? 3e6 : 1e7;  // m^2
    RiverNetwork network = plain_network(elevation, min_area, 6.0);
    if (widths_vary) network = with_varying_widths(std::move(network));
    MeanderSimulation rivers(std::move(network), {}, elevation, seed);
    double discharge = outflow_of(rivers.network());
    Draws draws(seed);
    int edits = 0;
    for (int round = 0; round < rounds; ++round) {
        MeanderState state = rivers.state();
        double added = 0.0;
        std::string name;
        try {
            name = edit_by_lot(state, draws, added);
            ++edits;
        } catch (const Error&) {
            state = rivers.state();  // it was refused
            added = 0.0;
        }
        SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(round) + ", " + name);
        rivers = MeanderSimulation(std::move(state));
        discharge = std::isnan(added) ? outflow_of(rivers.network()) : discharge + added;
        ASSERT_NO_FATAL_FAILURE(expect_sound(rivers, discharge));
        for (int step = 0; step < 5; ++step) {
            wander(rivers, 1);
            ASSERT_NO_FATAL_FAILURE(expect_sound(rivers, discharge));
        }
    }
    EXPECT_GT(edits, rounds / 3);
}

TEST(RandomEdits, leave_a_network_sound) {
    edit_by_lots(131, 4, false);
    edit_by_lots(1, 2, true);
}

TEST_F(LongRandomEdits, leave_a_network_sound) {
    constexpr std::uint64_t kSeeds = 41;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) edit_by_lots(seed, 60, false);
}

TEST_F(LongRandomEdits, leave_a_network_sound_whose_widths_vary_tenfold) {
    constexpr std::uint64_t kSeeds = 20;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) edit_by_lots(seed, 60, true);
}

}  // namespace
}  // namespace thalweg
