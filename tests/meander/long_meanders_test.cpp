// Statistics of wandering rivers over centuries, and networks over ten thousand years.
#include "thalweg/meander/meander_metrics.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/river/line_network.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <optional>

#include "tests/long_test.hpp"
#include "tests/meander/plains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using LongMeanders = LongTest;

constexpr double kValley = 1e5;  // m

/// What a river of one width does in 500 years.
struct RiverLife {
    double meandering = 0.0;        // yr, until its sinuosity is 1.5
    double first_wavelength = 0.0;  // m, then
    double wavelength = 0.0;        // m, mean from year 200 on
    double sinuosity = 0.0;         // likewise
    double cutoffs = 0.0;           // likewise, per century and 100 km
};

MeanderSimulation straight_river(double width, const MeanderParameters& parameters, std::uint64_t seed) {
    return {
        network_of_lines({{.points = {{0.0, 0.0, 0.0}, {kValley, 0.0, 0.0}}}}, width, std::nullopt, "river"),
        parameters, std::nullopt, seed};
}

RiverLife life_of(double width, const MeanderParameters& parameters, std::uint64_t seed) {
    MeanderSimulation rivers = straight_river(width, parameters, seed);
    QuietProgress quiet;
    RiverLife life;
    std::int64_t before = 0;  // cutoffs until year 200
    int looks = 0;
    for (int decade = 1; decade <= 50; ++decade) {
        while (rivers.year() + 1e-9 < 10.0 * decade) {
            rivers.step(quiet);
            const ChannelLine& line = rivers.state().channels[0].line;
            if (life.meandering > 0.0 || sinuosity_of(line) <= kMeanderingSinuosity) continue;
            life.meandering = rivers.year();
            life.first_wavelength = channel_form(line).wavelength;
        }
        if (decade == 20) before = rivers.report().cutoffs;
        if (decade <= 20) continue;
        const ChannelForm form = channel_form(rivers.state().channels[0].line);
        life.sinuosity += form.sinuosity;
        life.wavelength += form.wavelength;
        ++looks;
    }
    life.sinuosity /= looks;
    life.wavelength /= looks;
    life.cutoffs = static_cast<double>(rivers.report().cutoffs - before) / 3.0 / (kValley / 1e5);
    return life;
}

/// The mean of seven seeds.
RiverLife mean_life(double width, const MeanderParameters& parameters) {
    constexpr int kSeeds = 7;
    RiverLife mean;
    for (int seed = 1; seed <= kSeeds; ++seed) {
        const RiverLife life = life_of(width, parameters, static_cast<std::uint64_t>(seed));
        mean.meandering += life.meandering / kSeeds;
        mean.first_wavelength += life.first_wavelength / kSeeds;
        mean.wavelength += life.wavelength / kSeeds;
        mean.sinuosity += life.sinuosity / kSeeds;
        mean.cutoffs += life.cutoffs / kSeeds;
    }
    return mean;
}

void print(double width, const RiverLife& life) {
    std::printf(
        "%4.0f m: meanders in %.0f yr, wavelength then %.0f m, later %.0f m, sinuosity %.2f, %.0f "
        "cutoffs\n",
        width, life.meandering, life.first_wavelength, life.wavelength, life.sinuosity, life.cutoffs);
}

/// The full wavelength that grows fastest by linear theory, m; and what an independent program of the same
/// law gave: years until a sinuosity of 1.5, the least and the most of seven, and cutoffs per century and 100
/// km.
struct ExpectedLife {
    double wavelength;
    double soonest;
    double latest;
    double cutoffs;
};
constexpr std::array<ExpectedLife, 3> kExpected = {
    {{750.0, 51.0, 55.0, 293.0}, {1225.0, 77.0, 81.0, 142.0}, {2005.0, 110.0, 117.0, 62.0}}};

TEST_F(LongMeanders, have_the_wavelengths_of_theory_and_of_real_rivers_at_three_widths) {
    for (std::size_t i = 0; i < kExpected.size(); ++i) {
        const ReferenceBand& band = kNaturalWavelengths[i];
        const RiverLife life = mean_life(band.width, {});
        print(band.width, life);
        EXPECT_NEAR(life.first_wavelength, kExpected[i].wavelength, 0.06 * kExpected[i].wavelength);
        EXPECT_GT(life.wavelength, band.low);
        EXPECT_LT(life.wavelength, band.high);
        EXPECT_NEAR(life.sinuosity, 3.4, 0.2);
        EXPECT_NEAR(life.cutoffs, kExpected[i].cutoffs, 0.25 * kExpected[i].cutoffs);
        EXPECT_GE(life.meandering, kExpected[i].soonest);
        EXPECT_LE(life.meandering, kExpected[i].latest);
    }
}

TEST_F(LongMeanders, are_the_same_within_their_scatter_in_half_the_steps) {
    const RiverLife usual = mean_life(100.0, {});
    MeanderParameters half_step;
    half_step.migration.time_step = 0.25;
    MeanderParameters half_spacing;
    half_spacing.spacing = 25.0;
    for (const MeanderParameters& parameters : {half_step, half_spacing}) {
        const RiverLife fine = mean_life(100.0, parameters);
        print(100.0, fine);
        EXPECT_NEAR(fine.wavelength, usual.wavelength, 0.1 * usual.wavelength);
        EXPECT_NEAR(fine.sinuosity, usual.sinuosity, 0.1 * usual.sinuosity);
        EXPECT_NEAR(fine.cutoffs, usual.cutoffs, 0.25 * usual.cutoffs);
    }
}

TEST_F(LongMeanders, of_a_network_stay_sound_for_ten_thousand_years_and_resume_in_the_middle) {
    const Field<float> ground = plain(3, 40000.0, 200, 2e-4);
    QuietProgress quiet;
    MeanderSimulation whole(plain_network(ground, 1.2e7, 8.0), {.kept_years = 500.0}, ground, 3);
    EXPECT_GE(whole.network().reaches.size(), 50U);
    const auto wander = [&](MeanderSimulation& rivers, double until) {
        while (rivers.year() + 1e-9 < until) {
            rivers.step(quiet);
            if (std::fmod(rivers.year(), 100.0) == 0.0) {
                ASSERT_EQ(rivers.report().self_crossings, 0) << rivers.year();
                rivers.record();
            }
        }
    };
    wander(whole, 5000.0);
    const std::int64_t points = whole.report().points;
    const std::size_t courses = whole.history().courses.size();
    MeanderSimulation resumed(MeanderState(whole.state()));
    wander(whole, 10000.0);
    wander(resumed, 10000.0);
    EXPECT_LT(whole.report().points, 2 * points);
    EXPECT_LT(whole.history().courses.size(), 2 * courses);
    EXPECT_EQ(whole.history().networks.size(), 6U);
    EXPECT_TRUE(whole.state().channels == resumed.state().channels);
    EXPECT_TRUE(whole.network() == resumed.network());
    EXPECT_TRUE(whole.history() == resumed.history());
}

}  // namespace
}  // namespace thalweg
