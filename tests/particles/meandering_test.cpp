// Streams wind by momentum that droplets take over from each other: how far, docs/theory/particles.md tells.
#include "thalweg/core/random.hpp"
#include "thalweg/particles/particle_simulation.hpp"

#include <cstdint>

#include "tests/long_test.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A plain of slope 0.02 that falls to the east, with a straight bed of 2 m along its middle, which steps
/// aside by 15 m at one place, and noise of up to 10 cm: bends begin where something disturbs the stream. An
/// odd number of rows puts the middle of the bed into a row.
Field<float> plain_with_bed(int columns, int rows, std::uint64_t seed) {
    constexpr double kCellSize = 10.0;  // m
    Field<float> elevation(
        Grid{.columns = columns, .rows = rows, .cell_size = kCellSize, .north = rows * kCellSize});
    const Grid& grid = elevation.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double x = grid.x(grid.column_of(cell));
        const double aside = x > 200.0 ? 15.0 : 0.0;
        const double across = (grid.y(grid.row_of(cell)) - 0.5 * grid.height() - aside) / 20.0;
        const double bed = x > 130.0 && across * across < 1.0 ? 2.0 * (1.0 - across * across) : 0.0;
        const double noise =
            0.1 * unit_double(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
        elevation[cell] = static_cast<float>(0.02 * (grid.width() - x) - bed + noise);
    }
    return elevation;
}

/// A river that enters at the head of the bed, with a tenth of what it can carry there: it cuts, and banks
/// confine it.
ParticleSimulation river_on(const Field<float>& plain, double momentum_transfer, std::uint64_t seed) {
    return {plain,
            {.rainfall = 0.0,
             .droplets = 96,
             .gravity = 0.1,
             .momentum_transfer = momentum_transfer,
             .exchange_length = 20.0,
             .lakes_every = 0,
             .springs = {{.x = 155.0,
                          .y = 0.5 * plain.grid().height(),
                          .radius = 10.0,
                          .discharge = 5e5,
                          .is_fed = true,
                          .load_share = 0.1}}},
            seed};
}

/// Mean over the last third of so many cycles, in which bends grow and are cut off.
double sinuosity_in(int cycles, ParticleSimulation river) {
    constexpr int kBetween = 10;  // cycles
    QuietProgress progress;
    double sum = 0.0;
    int count = 0;
    for (int cycle = 1; cycle <= cycles; ++cycle) {
        river.step(progress);
        if (3 * cycle <= 2 * cycles || cycle % kBetween != 0) continue;
        sum += river.report().sinuosity;
        ++count;
    }
    EXPECT_EQ(river.report().sediment_error, 0);
    return sum / count;
}

TEST(MeanderingDroplets, wind_with_momentum_and_run_straight_without) {
    const Field<float> plain = plain_with_bed(50, 31, 1);
    EXPECT_GT(sinuosity_in(300, river_on(plain, 0.1, 1)), 1.1);
    EXPECT_LT(sinuosity_in(200, river_on(plain, 0.0, 1)), 1.03);
}

using LongMeanderingDroplets = LongTest;

TEST_F(LongMeanderingDroplets, wind_on_each_of_five_plains_with_momentum_and_on_none_without) {
    double bent = 0.0;
    double straight = 0.0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Field<float> plain = plain_with_bed(150, 61, seed);
        const double bent_here = sinuosity_in(900, river_on(plain, 0.1, seed));
        const double straight_here = sinuosity_in(900, river_on(plain, 0.0, seed));
        RecordProperty(fmt::format("sinuosity_of_seed_{}", seed),
                       fmt::format("{} with momentum, {} without", bent_here, straight_here));
        EXPECT_GT(bent_here, 1.08);
        EXPECT_LT(straight_here, 1.06);
        bent += bent_here / 5.0;
        straight += straight_here / 5.0;
    }
    EXPECT_GT(bent, straight + 0.12);
}

}  // namespace
}  // namespace thalweg
