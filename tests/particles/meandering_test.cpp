// Streams wind by momentum that droplets take over from each other: how far, docs/theory/particles.md tells.
#include "thalweg/core/random.hpp"
#include "thalweg/particles/particle_simulation.hpp"
#include "thalweg/particles/simulation/main_stream.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

#include "tests/long_test.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using Course = std::function<double(double)>;  // m, by how much a bed lies aside at x

/// Steps aside by 15 m at one place: bends begin where something disturbs the stream.
double step_aside(double x) {
    return x > 200.0 ? 15.0 : 0.0;
}

/// A plain of slope 0.01 that falls to the east, with a bed of 2 m along its middle, and noise of up to
/// 10 cm. An odd number of rows puts the middle of the bed into a row.
Field<float> plain_with_bed(const Grid& grid, const Course& course, std::uint64_t seed) {
    Field<float> elevation(grid);
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double x = grid.x(grid.column_of(cell));
        const double across = (grid.y(grid.row_of(cell)) - 0.5 * grid.height() - course(x)) / 20.0;
        const double bed = x > 130.0 && across * across < 1.0 ? 2.0 * (1.0 - across * across) : 0.0;
        const double noise =
            0.1 * unit_double(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
        elevation[cell] = static_cast<float>(0.01 * (grid.width() - x) - bed + noise);
    }
    return elevation;
}

Grid cells_of_10_m(int columns, int rows) {
    return {.columns = columns, .rows = rows, .cell_size = 10.0, .north = rows * 10.0};
}

/// A river that enters at the head of the bed, with three fifths of what it can carry there, between banks
/// that slide.
ParticleSimulation river_on(const Field<float>& plain, double momentum_transfer, std::uint64_t seed) {
    return {plain,
            {.rainfall = 0.0,
             .droplets = 180,
             .gravity = 0.1,
             .momentum_transfer = momentum_transfer,
             .climb_limit = 3.0,
             .entrainment = 20.0,
             .exchange_length = 50.0,
             .repose_slope = 0.2,
             .lakes_every = 0,
             .springs = {{.x = 155.0,
                          .y = 0.5 * plain.grid().height(),
                          .radius = 10.0,
                          .discharge = 1.2e6,
                          .is_fed = true,
                          .load_share = 0.6}}},
            seed};
}

/// Sinuosity after each tenth of so many cycles.
std::vector<double> sinuosities_in(int cycles, ParticleSimulation& river) {
    constexpr int kBetween = 10;  // cycles
    QuietProgress progress;
    std::vector<double> sinuosities;
    for (int cycle = 1; cycle <= cycles; ++cycle) {
        river.step(progress);
        if (cycle % kBetween == 0) sinuosities.push_back(river.report().sinuosity);
    }
    EXPECT_EQ(river.report().sediment_error, 0);
    return sinuosities;
}

/// The median of five in a row is free of lines that jump between threads for a moment.
std::vector<double> medians_of_five(const std::vector<double>& values) {
    std::vector<double> medians;
    for (auto first = values.begin(); values.end() - first >= 5; ++first) {
        std::vector<double> five(first, first + 5);
        std::ranges::nth_element(five, five.begin() + 2);
        medians.push_back(five[2]);
    }
    return medians;
}

TEST(MeanderingDroplets, wind_with_momentum_and_run_straight_without) {
    const Field<float> plain = plain_with_bed(cells_of_10_m(70, 45), step_aside, 1);
    ParticleSimulation bent = river_on(plain, 0.5, 1);
    EXPECT_GT(sinuosities_in(600, bent).back(), 1.08);
    ParticleSimulation straight = river_on(plain, 0.0, 1);
    EXPECT_LT(std::ranges::max(medians_of_five(sinuosities_in(600, straight))), 1.03);
}

using LongMeanderingDroplets = LongTest;

/// How often sinuosity falls by more than 0.05 within 30 cycles.
int cutoffs_in(const std::vector<double>& sinuosities) {
    int cutoffs = 0;
    for (std::size_t i = 3; i < sinuosities.size(); ++i) {
        if (sinuosities[i] > sinuosities[i - 3] - 0.05) continue;
        ++cutoffs;
        i += 3;
    }
    return cutoffs;
}

/// Cells that the river has cut by more than half a metre and has left.
int scars_of(const ParticleSimulation& river, const Field<float>& plain) {
    const Field<float> after = river.elevation();
    int scars = 0;
    for (std::int64_t cell = 0; cell < after.size(); ++cell)
        if (after[cell] < plain[cell] - 0.5F && river.state().discharge[cell] < 100.0F) ++scars;
    return scars;
}

TEST_F(LongMeanderingDroplets, wind_past_1_5_on_each_of_five_plains_are_cut_off_and_leave_scars) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Field<float> plain = plain_with_bed(cells_of_10_m(200, 121), step_aside, seed);
        ParticleSimulation bent = river_on(plain, 0.5, seed);
        const std::vector<double> with = sinuosities_in(1600, bent);
        ParticleSimulation straight = river_on(plain, 0.0, seed);
        const std::vector<double> without = sinuosities_in(1600, straight);
        const double most = std::ranges::max(medians_of_five(with));
        const double most_without = std::ranges::max(medians_of_five(without));
        RecordProperty(fmt::format("seed_{}", seed),
                       fmt::format("{:.2f} at most, {} cutoffs, {} cells of scars; without momentum {:.2f}",
                                   most, cutoffs_in(with), scars_of(bent, plain), most_without));
        EXPECT_GT(most, 1.5);
        EXPECT_GE(cutoffs_in(with), 1);
        EXPECT_GT(scars_of(bent, plain), 500);
        EXPECT_LT(most_without, 1.15);
        EXPECT_EQ(cutoffs_in(without), 0);
    }
}

/// The plain of 2 x 1.2 km on cells of 10 or 5 m.
Grid cells_of(double size) {
    const int rows = size > 7.0 ? 121 : 241;
    return {
        .columns = static_cast<int>(2000.0 / size), .rows = rows, .cell_size = size, .north = rows * size};
}

std::vector<Position> stream_of(const ParticleSimulation& river) {
    const ParticleState& state = river.state();
    return main_stream(
        {.discharge = state.discharge, .east = state.momentum_east, .south = state.momentum_south});
}

/// Twice the mean distance, m, of the places at which the stream crosses its mean between 250 and 900 m.
double wavelength_of(const std::vector<Position>& line) {
    double sum = 0.0;
    int count = 0;
    for (const Position& place : line)
        if (place.x > 250.0 && place.x < 900.0) sum += place.y, ++count;
    const double mean = sum / count;
    std::vector<double> crossings;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i - 1].x <= 250.0 || line[i].x >= 900.0) continue;
        if ((line[i - 1].y < mean) != (line[i].y < mean)) crossings.push_back(line[i].x);
    }
    return 2.0 * (crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1);
}

/// Amplitude of that wave, m, over four of them from 450 m on.
double amplitude_of(const std::vector<Position>& line, double middle, double wavelength) {
    double with_cosine = 0.0;
    double with_sine = 0.0;
    double length = 0.0;
    for (std::size_t i = 1; i < line.size(); ++i) {
        if (line[i].x <= 450.0 || line[i].x > 450.0 + 4.0 * wavelength) continue;
        const double phase = 2.0 * std::numbers::pi * line[i].x / wavelength;
        const double step = line[i].x - line[i - 1].x;
        with_cosine += step * (line[i].y - middle) * std::cos(phase);
        with_sine += step * (line[i].y - middle) * std::sin(phase);
        length += step;
    }
    return 2.0 * std::hypot(with_cosine, with_sine) / length;
}

/// Stream of a river on cells of so many m, after each hundred cycles.
std::vector<std::vector<Position>> streams_on(double cell_size, const Course& course, std::uint64_t seed) {
    ParticleSimulation river = river_on(plain_with_bed(cells_of(cell_size), course, seed), 0.5, seed);
    std::vector<std::vector<Position>> streams;
    for (int hundred = 0; hundred < 4; ++hundred) {
        sinuosities_in(100, river);
        streams.push_back(stream_of(river));
    }
    return streams;
}

TEST_F(LongMeanderingDroplets, have_bends_of_the_same_length_on_cells_of_half_the_size) {
    double coarse = 0.0;
    double fine = 0.0;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        coarse += wavelength_of(streams_on(10.0, step_aside, seed)[2]) / 3.0;
        fine += wavelength_of(streams_on(5.0, step_aside, seed)[2]) / 3.0;
    }
    RecordProperty("wavelengths", fmt::format("{:.0f} and {:.0f} m", coarse, fine));
    EXPECT_NEAR(fine / coarse, 1.0, 0.1);
}

TEST_F(LongMeanderingDroplets, have_bends_that_grow_as_fast_on_cells_of_half_the_size) {
    constexpr double kWavelength = 220.0;  // m
    const auto sine = [](double x) {
        return 8.0 * std::sin(2.0 * std::numbers::pi * (x - 200.0) / kWavelength) *
               std::clamp((x - 200.0) / 200.0, 0.0, 1.0);
    };
    const auto growth_on = [&](double cell_size) {  // 1/yr
        double growth = 0.0;
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const auto streams = streams_on(cell_size, sine, seed);
            const double middle = 0.5 * cells_of(cell_size).height();
            growth += std::log(amplitude_of(streams[3], middle, kWavelength) /
                               amplitude_of(streams[0], middle, kWavelength)) /
                      (5.0 * 300.0);
        }
        return growth;
    };
    const double coarse = growth_on(10.0);
    const double fine = growth_on(5.0);
    RecordProperty("growth", fmt::format("{:.2e} and {:.2e} a year", coarse, fine));
    EXPECT_GT(coarse, 2e-3);
    EXPECT_NEAR(fine / coarse, 1.0, 0.2);
}

}  // namespace
}  // namespace thalweg
