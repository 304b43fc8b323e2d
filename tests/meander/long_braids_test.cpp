// Statistics of braids over a century.
#include "thalweg/meander/meander_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <optional>

#include "tests/long_test.hpp"
#include "tests/meander/networks.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using LongBraids = LongTest;

constexpr double kBraidLength = 12000.0;  // m

/// Of a braid of 240 m that falls by 0.008, means over sections every 500 m and years 60 to 100.
struct BraidLife {
    double channels = 0.0;      // across
    double bifurcations = 0.0;  // per km
    double belt_width = 0.0;    // m, from the outer bank on one side to that on the other

    void add(const BraidLife& other, double share) {
        channels += share * other.channels;
        bifurcations += share * other.bifurcations;
        belt_width += share * other.belt_width;
    }
};

/// The braid across its river at x.
BraidLife section_of(const RiverBranches& braid, double x) {
    BraidLife section;
    double south = 0.0;
    double north = 0.0;
    for (const RiverBranch& branch : braid.channels) {
        const ChannelLine& line = branch.line;
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
            if ((line.x[i] < x) == (line.x[i + 1] < x)) continue;
            const double reach = 0.5 * line.values.width[i];
            south = section.channels == 0.0 ? line.y[i] - reach : std::min(south, line.y[i] - reach);
            north = section.channels == 0.0 ? line.y[i] + reach : std::max(north, line.y[i] + reach);
            ++section.channels;
        }
    }
    section.belt_width = north - south;
    return section;
}

BraidLife present_form(const RiverBranches& braid) {
    constexpr int kSections = 20;  // without the ends, which rest
    BraidLife form;
    for (int k = 1; k <= kSections; ++k) form.add(section_of(braid, 1000.0 + 500.0 * k), 1.0 / kSections);
    std::map<std::int32_t, int> leaving;
    for (const RiverBranch& branch : braid.channels)
        if (++leaving[branch.from] == 2) form.bifurcations += 1000.0 / kBraidLength;
    return form;
}

BraidLife braid_life(const MeanderParameters& parameters, std::uint64_t seed) {
    ChannelLine line = sine_line(kBraidLength, 50.0, kBraidLength, 0.0, 240.0);
    for (std::size_t i = 0; i < line.size(); ++i) line.z[i] = 0.008 * (kBraidLength - line.x[i]);
    MeanderSimulation rivers(network_of({reach_along(1, 1, 2, -1, line)}), parameters, std::nullopt, seed);
    QuietProgress quiet;
    BraidLife life;
    constexpr int kLooks = 9;
    for (int look = 0; look < kLooks; ++look) {
        while (rivers.year() + 1e-9 < 60.0 + 5.0 * look) rivers.step(quiet);
        life.add(present_form(rivers.state().channels[0].braid), 1.0 / kLooks);
    }
    return life;
}

/// The mean of sixteen seeds.
BraidLife mean_braid_life(const char* name, double time_step, double spacing) {
    constexpr int kSeeds = 16;
    const MeanderParameters parameters{.migration = {.rate = 20.0, .time_step = time_step},
                                       .spacing = spacing,
                                       .crevasse_rate = 0.0,
                                       .braiding = Braiding::StreamPower,
                                       .grain_size = 0.03};
    BraidLife mean;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        const BraidLife life = braid_life(parameters, static_cast<std::uint64_t>(seed));
        std::printf("%s, seed %d: %.2f channels across, %.2f bifurcations per km, a belt of %.0f m\n", name,
                    seed, life.channels, life.bifurcations, life.belt_width);
        mean.add(life, 1.0 / kSeeds);
    }
    std::printf("%s: %.2f channels across, %.2f bifurcations per km, a belt of %.0f m\n", name, mean.channels,
                mean.bifurcations, mean.belt_width);
    return mean;
}

TEST_F(LongBraids, are_the_same_within_their_scatter_in_half_the_steps) {
    const BraidLife usual = mean_braid_life("usual", 0.5, 0.0);
    for (const BraidLife& fine :
         {mean_braid_life("half the time step", 0.25, 0.0), mean_braid_life("half the spacing", 0.5, 25.0)}) {
        EXPECT_NEAR(fine.channels, usual.channels, 0.1 * usual.channels);
        EXPECT_NEAR(fine.bifurcations, usual.bifurcations, 0.15 * usual.bifurcations);
        EXPECT_NEAR(fine.belt_width, usual.belt_width, 0.1 * usual.belt_width);
    }
}

}  // namespace
}  // namespace thalweg
