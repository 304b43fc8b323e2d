// Streams wind by momentum that droplets take over from each other: how far, docs/theory/particles.md tells.
#include "thalweg/core/random.hpp"
#include "thalweg/particles/particle_simulation.hpp"

#include <cstdint>

#include "tests/long_test.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A plain of slope 0.02 that falls to the east, with a straight bed of 4 m along its middle and 5 cm of
/// noise.
Field<float> plain_with_bed(int columns, int rows, double cell_size, std::uint64_t seed) {
    Field<float> elevation(
        Grid{.columns = columns, .rows = rows, .cell_size = cell_size, .north = rows * cell_size});
    const Grid& grid = elevation.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double x = grid.x(grid.column_of(cell));
        const double across = (grid.y(grid.row_of(cell)) - 0.5 * grid.height()) / 20.0;
        const double bed = x > 130.0 && across * across < 1.0 ? 4.0 * (1.0 - across * across) : 0.0;
        const double noise =
            0.1 * unit_double(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
        elevation[cell] = static_cast<float>(0.02 * (grid.width() - x) - bed + noise);
    }
    return elevation;
}

/// A river that enters at the head of the bed, with what it can carry.
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

double sinuosity_after(int cycles, ParticleSimulation& river) {
    QuietProgress progress;
    for (int cycle = 0; cycle < cycles; ++cycle) river.step(progress);
    EXPECT_EQ(river.report().sediment_error, 0);
    return river.report().sinuosity;
}

TEST(MeanderingDroplets, bend_a_straight_bed) {
    ParticleSimulation river = river_on(plain_with_bed(100, 60, 10.0, 1), 0.07, 1);
    EXPECT_GT(sinuosity_after(180, river), 1.05);
}

using LongMeanderingDroplets = LongTest;

TEST_F(LongMeanderingDroplets, wind_more_in_the_mean_of_five_plains_with_momentum_than_without) {
    double bent = 0.0;
    double straight = 0.0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Field<float> plain = plain_with_bed(200, 80, 10.0, seed);
        ParticleSimulation with = river_on(plain, 0.07, seed);
        ParticleSimulation without = river_on(plain, 0.0, seed);
        const double bent_here = sinuosity_after(1500, with);
        const double straight_here = sinuosity_after(1500, without);
        RecordProperty(fmt::format("sinuosity_of_seed_{}", seed),
                       fmt::format("{} with momentum, {} without", bent_here, straight_here));
        bent += bent_here / 5.0;
        straight += straight_here / 5.0;
    }
    // Guards what has come out, 1.20 and 1.10; five seeds are too few to show more.
    EXPECT_GT(bent, straight);
}

}  // namespace
}  // namespace thalweg
