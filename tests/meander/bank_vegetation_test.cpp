#include "thalweg/meander/simulation/bank_vegetation.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/meander/simulation/mobility.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "tests/meander/networks.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr MeanderParameters kCalm = {
    .migration = {.rate = 4.0}, .inlet_forcing = 0.0, .crevasse_rate = 0.0, .vegetation_strength = 0.0};

MeanderSimulation bends(const MeanderParameters& parameters) {
    const ChannelLine line = sine_line(6000.0, 30.0, 1500.0, 150.0, 60.0);
    return {network_of({reach_along(1, 1, 2, -1, line)}), parameters, std::nullopt, 1};
}

TEST(OccupiedGround, keeps_the_last_year_of_cells_within_a_radius_on_both_sides_of_zero) {
    OccupiedGround ground{.cell_size = 10.0};
    ground.occupy(-3.0, 4.0, 60.0, 5.0);
    ground.occupy(700.0, -900.0, 25.0, 7.0);
    ground.occupy(-3.0, 44.0, 12.0, 9.0);
    for (double x = -95.0; x < 100.0; x += 10.0)
        for (double y = -95.0; y < 100.0; y += 10.0) {
            const bool last = std::hypot(x + 3.0, y - 44.0) <= 12.0;
            const bool first = std::hypot(x + 3.0, y - 4.0) <= 60.0;
            const float expected = last ? 9.0F : first ? 5.0F : -std::numeric_limits<float>::infinity();
            EXPECT_EQ(ground.year_at(x, y), expected) << x << " " << y;
        }
    EXPECT_EQ(ground.year_at(705.0, -905.0), 7.0F);
    EXPECT_EQ(ground.year_at(1e6, 0.0), -std::numeric_limits<float>::infinity());
}

TEST(BankVegetation, that_is_dense_everywhere_is_a_lower_rate_to_the_bit) {
    MeanderParameters slower = kCalm;
    slower.migration.rate = 2.0;
    MeanderParameters held = kCalm;
    held.vegetation_strength = 0.5;
    held.vegetation_growth_time = 1e-9;
    MeanderSimulation by_rate = bends(slower);
    MeanderSimulation by_plants = bends(held);
    QuietProgress progress;
    for (int step = 0; step < 60; ++step) {
        by_rate.step(progress);
        by_plants.step(progress);
    }
    EXPECT_EQ(by_rate.state().channels[0].line, by_plants.state().channels[0].line);
    EXPECT_NE(bends(kCalm).state().channels[0].line, by_plants.state().channels[0].line);
}

TEST(BankVegetation, lets_fresh_bars_give_way_faster_until_they_are_grown_over) {
    MeanderParameters parameters = kCalm;
    parameters.vegetation_strength = 0.8;
    parameters.vegetation_growth_time = 20.0;
    MeanderState state = bends(parameters).state();
    // A bar, left this year, north of the river.
    const ChannelLine& line = state.channels[0].line;
    for (std::size_t i = 0; i < line.size(); ++i)
        state.occupied.occupy(line.x[i], line.y[i] + 60.0, 60.0, state.year());
    std::vector<double> rates;
    migration_rates(line, parameters.migration, 0.0, rates);
    const auto expect_mobility = [&](double age) {
        state.steps = static_cast<std::int64_t>(age / parameters.migration.time_step);
        find_mobility(state, state.channels[0]);
        MeanderState bare = state;
        bare.parameters.vegetation_strength = 0.0;
        find_mobility(bare, bare.channels[0]);
        int fresh = 0;
        int old = 0;
        for (std::size_t i = 1; i + 1 < line.size(); ++i) {
            if (bare.channels[0].mobility[i] < 1.0F) continue;
            const double share = state.channels[0].mobility[i];
            // The river runs east: its left is north.
            (rates[i] < 0.0 ? fresh : old) += 1;
            const double expected = rates[i] < 0.0 ? 1.0 - 0.8 * (1.0 - std::exp(-age / 20.0)) : 0.2;
            ASSERT_NEAR(share, expected, 1e-6) << i;
        }
        EXPECT_GT(fresh, 20);
        EXPECT_GT(old, 20);
    };
    for (const double age : {0.0, 10.0, 40.0, 400.0}) expect_mobility(age);
}

TEST(BankVegetation, is_taken_away_by_channels_and_slows_rivers) {
    const auto sinuosity = [](double strength) {
        MeanderSimulation rivers(one_channel(20000.0, 60.0),
                                 {.crevasse_rate = 0.0, .vegetation_strength = strength}, std::nullopt, 2);
        QuietProgress progress;
        for (int step = 0; step < 220; ++step) rivers.step(progress);
        const MeanderState& state = rivers.state();
        const ChannelLine& line = state.channels[0].line;
        for (std::size_t i = 0; i < line.size(); i += 10) {
            EXPECT_EQ(vegetation_density(state, line.x[i], line.y[i]) < 0.2, strength > 0.0);
            EXPECT_EQ(vegetation_density(state, line.x[i], line.y[i] + 1e5), 1.0);
        }
        return rivers.report().sinuosity;
    };
    const double free = sinuosity(0.0);
    const double held = sinuosity(0.5);
    EXPECT_GT(free, held + 0.3);
    EXPECT_GT(held, 1.02);
}

TEST(BankVegetation, has_the_same_bits_on_any_number_of_threads) {
    const auto after = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        std::vector<Reach> reaches;
        for (int i = 0; i < 6; ++i) {
            ChannelLine line = sine_line(8000.0, 25.0, 8000.0, 0.0, 50.0);
            for (double& y : line.y) y += 1500.0 * i;
            reaches.push_back(reach_along(i + 1, 10 + i, 20 + i, -1, line));
        }
        MeanderSimulation rivers(network_of(reaches), {.vegetation_strength = 0.6}, std::nullopt, 9);
        for (int step = 0; step < 150; ++step) rivers.step(progress);
        return std::pair(rivers.network(), rivers.state().occupied);
    };
    const auto one = after(1);
    EXPECT_FALSE(one.second.tiles.empty());
    EXPECT_EQ(one, after(2));
    EXPECT_EQ(one, after(8));
}

}  // namespace
}  // namespace thalweg
