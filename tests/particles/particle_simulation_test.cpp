#include "thalweg/particles/particle_simulation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/particles/simulation/cycle_backup.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/particles/terrains.hpp"
#include "tests/refusal.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(ParticleSimulation, keeps_sediment_and_water_to_the_unit_in_every_cycle) {
    const Field<float> elevation = tests::hills(96);
    ParticleSimulation rivers(elevation,
                              {.springs = {{.x = 300.0, .y = 500.0, .radius = 30.0, .is_fed = true}}}, 1);
    QuietProgress progress;
    for (int cycle = 0; cycle < 20; ++cycle) {
        rivers.step(progress);
        const ParticleReport report = rivers.report();
        ASSERT_EQ(report.sediment_error, 0);
        ASSERT_EQ(report.water_error, 0);
    }
    EXPECT_GT(rivers.report().sediment_in, 0.0);
    EXPECT_GT(rivers.report().sediment_out, 0.0);
    EXPECT_GT(rivers.report().moves, 1000);
}

TEST(ParticleSimulation, gives_the_same_bits_on_any_number_of_threads) {
    const Field<float> elevation = tests::hills(96);
    const auto after = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        ParticleSimulation rivers(elevation, {}, 1);
        for (int cycle = 0; cycle < 10; ++cycle) rivers.step(progress);
        return rivers.state();
    };
    const ParticleState one = after(1);
    EXPECT_EQ(one, after(2));
    EXPECT_EQ(one, after(8));
}

TEST(ParticleSimulation, is_what_it_was_before_a_cycle_that_is_cancelled) {
    const Field<float> elevation = tests::hills(96);
    QuietProgress progress;
    ParticleSimulation rivers(elevation, {}, 1);
    for (int cycle = 0; cycle < 3; ++cycle) rivers.step(progress);
    const ParticleState before = rivers.state();
    ImpatientProgress impatient(20);
    EXPECT_THROW(rivers.step(impatient), Cancelled);
    EXPECT_EQ(rivers.state(), before);

    // And goes on as if nothing had been.
    ParticleSimulation other(before);
    rivers.step(progress);
    other.step(progress);
    EXPECT_EQ(rivers.state(), other.state());
    EXPECT_EQ(rivers.state().cycles, 4);
}

/// Whether a cycle is cancelled that is asked so often; expects what `before` is, then.
bool is_cancelled_after(int polls, const ParticleState& before) {
    ImpatientProgress impatient(polls);
    ParticleSimulation rivers(before);
    try {
        const ExecutionScope scope({.progress = &impatient, .threads = 1});
        rivers.step(impatient);
    } catch (const Cancelled&) {
        EXPECT_EQ(rivers.state(), before) << polls;
        return true;
    }
    return false;
}

/// Rivers with soil, plants, pigment, lakes and a fed spring.
ParticleState of_all_materials() {
    ParticleParameters parameters = {.batches = 4};
    parameters.sediment_depth = 1.0;
    parameters.soil_depth = 0.5;
    parameters.soil_time = 50.0;
    parameters.plant_time = 10.0;
    parameters.springs = {{.x = 240.0, .y = 240.0, .radius = 20.0, .discharge = 1e6, .is_fed = true}};
    const Field<float> elevation = tests::hills(48);
    ParticleMaps maps = {.pigments = {elevation}};
    for (float& pigment : maps.pigments[0]) pigment = pigment > 0.0F ? 1.0F : 0.0F;
    return tests::after_cycles(ParticleSimulation(elevation, parameters, 1, std::move(maps)), 3);
}

TEST(ParticleSimulation, is_given_back_all_that_a_cycle_changes) {
    ParticleState before = of_all_materials();
    ASSERT_FALSE(before.lakes.empty());
    for (const std::int64_t cell : {500, 1000}) {  // more than 32 bits hold
        before.debt.set(cell, std::int64_t{1} << 40);
        before.water_at_rest.set(cell, std::int64_t{1} << 36);
    }
    CycleBackup backup(before);
    ParticleState state = tests::after_cycles(ParticleSimulation(before), 1);
    StreamAverages averages(before.elevation.grid());
    averages.swap_with(state);  // as they are after the cycle
    state.discharge = before.discharge;
    state.momentum_east = before.momentum_east;
    state.momentum_south = before.momentum_south;
    backup.change_averages(state, std::move(averages));
    EXPECT_NE(state.discharge, before.discharge);
    EXPECT_NE(state.soil_debt, before.soil_debt);
    backup.restore(state);
    EXPECT_EQ(state, before);
}

TEST(ParticleSimulation, is_what_it_was_wherever_in_a_cycle_with_all_materials_it_is_cancelled) {
    const ParticleState before = of_all_materials();
    int least = 0;
    int most = 1;
    while (is_cancelled_after(most, before)) most *= 2;
    while (most - least > 1)
        (is_cancelled_after((least + most) / 2, before) ? least : most) = (least + most) / 2;
    // The last of a cycle.
    for (int polls = std::max(least - 12, 0); polls <= least; ++polls)
        EXPECT_TRUE(is_cancelled_after(polls, before)) << polls;
    EXPECT_GT(least, 20);
}

/// Mean and standard error of samples, as their quotient.
double z_of(const std::vector<double>& samples) {
    const auto count = static_cast<double>(samples.size());
    double mean = 0.0;
    for (const double sample : samples) mean += sample / count;
    double variance = 0.0;
    for (const double sample : samples) variance += (sample - mean) * (sample - mean) / (count - 1.0);
    return mean / std::sqrt(variance / count);
}

TEST(ParticleSimulation, leaves_a_cone_and_a_plane_symmetric_in_the_mean) {
    constexpr int kSide = 48;
    const auto asymmetries = [](const Field<float>& start, const auto& mirrored) {
        std::vector<double> sums;
        for (std::uint64_t seed = 0; seed < 12; ++seed) {
            QuietProgress progress;
            ParticleSimulation rivers(start, {.droplets = 256, .batches = 4}, seed);
            for (int cycle = 0; cycle < 6; ++cycle) rivers.step(progress);
            const Field<float> after = rivers.elevation();
            double sum = 0.0;
            for (int row = 0; row < kSide; ++row)
                for (int column = 0; column < kSide / 2; ++column) {
                    const auto [x, y] = mirrored(column, row);
                    const auto [own_x, own_y] = mirrored(kSide - 1 - column, row);
                    sum += static_cast<double>((after(x, y) - start(x, y)) -
                                               (after(own_x, own_y) - start(own_x, own_y)));
                }
            sums.push_back(sum);
        }
        return sums;
    };
    const auto as_it_is = [](int column, int row) { return std::pair(column, row); };
    const auto turned = [](int column, int row) { return std::pair(row, column); };
    constexpr double kMost = 3.5;  // standard errors: one run in two thousand beyond, of 12 samples some more
    EXPECT_LT(std::abs(z_of(asymmetries(tests::plane(kSide, kSide, 10.0, 0.1), as_it_is))), kMost);
    EXPECT_LT(std::abs(z_of(asymmetries(tests::cone(kSide, 10.0, 0.3), as_it_is))), kMost);
    EXPECT_LT(std::abs(z_of(asymmetries(tests::cone(kSide, 10.0, 0.3), turned))), kMost);
}

TEST(ParticleSimulation, keeps_elevations_within_those_of_the_start) {
    const Field<float> elevation = tests::hills(64, 10.0, 5);
    QuietProgress progress;
    ParticleSimulation rivers(elevation, {.batches = 1, .capacity = 10.0}, 1);
    const auto [lowest, highest] = std::ranges::minmax(elevation.values());
    for (int cycle = 0; cycle < 20; ++cycle) rivers.step(progress);
    const Field<float> after = rivers.elevation();
    EXPECT_GE(std::ranges::min(after.values()), lowest - 1e-4F);
    EXPECT_LE(std::ranges::max(after.values()), highest + 1e-4F);
    EXPECT_EQ(rivers.report().sediment_error, 0);
}

TEST(ParticleSimulation, changes_the_same_place_alike_on_cells_of_any_size) {
    const auto change = [](int side, double cell_size, std::uint64_t seed) {
        QuietProgress progress;
        const Field<float> start = tests::cone(side, cell_size, 0.3);
        ParticleSimulation rivers(start, {.droplets = 512, .batches = 8}, seed);
        for (int cycle = 0; cycle < 12; ++cycle) rivers.step(progress);
        const Field<float> after = rivers.elevation();
        double sum = 0.0;
        for (std::int64_t cell = 0; cell < after.size(); ++cell)
            sum += static_cast<double>(after[cell] - start[cell]) / static_cast<double>(after.size());
        return sum;
    };
    const double coarse = 0.5 * (change(48, 10.0, 1) + change(48, 10.0, 2));
    const double fine = 0.5 * (change(96, 5.0, 1) + change(96, 5.0, 2));
    EXPECT_LT(coarse, 0.0);
    EXPECT_NEAR(fine, coarse, 0.1 * std::abs(coarse));
}

/// A mountain valley of slope 0.02 on cells of 30 m, with a floor of 7 cells and rough heights of whole
/// metres, as surveys have them.
Field<float> surveyed_valley() {
    Field<float> elevation(Grid{.columns = 64, .rows = 96, .cell_size = 30.0, .north = 2880.0});
    const Grid& grid = elevation.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double wall = std::max(0.0, std::abs(grid.column_of(cell) - 31.5) - 3.0);  // cells
        const double along = 95 - grid.row_of(cell);
        const double noise =
            unit_double(random_bits(1, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
        elevation[cell] = static_cast<float>(std::round(0.6 * along + 15.0 * wall + 6.0 * noise));
    }
    return elevation;
}

/// Cells lower than all their neighbours.
int pits_of(const Field<float>& elevation) {
    int pits = 0;
    for (int row = 1; row + 1 < elevation.grid().rows; ++row)
        for (int column = 1; column + 1 < elevation.grid().columns; ++column) {
            bool is_pit = true;
            for (int y = row - 1; y <= row + 1; ++y)
                for (int x = column - 1; x <= column + 1; ++x)
                    is_pit =
                        is_pit && (elevation(x, y) > elevation(column, row) || (x == column && y == row));
            if (is_pit) ++pits;
        }
    return pits;
}

float deepest_of(const Field<float>& elevation) {
    QuietProgress progress;
    const Filled filled = fill_depressions(elevation, edge_roots(elevation), FilledSurface::Level, progress);
    float deepest = 0.0F;
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        deepest = std::max(deepest, filled.elevation[cell] - elevation[cell]);
    return deepest;
}

TEST(ParticleSimulation, leaves_floors_of_valleys_with_no_more_and_no_deeper_pits) {
    const Field<float> start = surveyed_valley();
    // With default parameters, which are for streams of 10 m, and with those of its cells, whose streams cut
    // faster.
    constexpr double kDefault = 5.12e4;  // m^3/yr
    for (const auto& [discharge, cycles] : {std::pair(kDefault, 24), std::pair(kDefault * 10.0 / 30.0, 16)}) {
        ParticleSimulation rivers(start, {.rainfall = 10.0, .entrainment_discharge = discharge}, 1);
        QuietProgress progress;
        for (int cycle = 0; cycle < cycles; ++cycle) rivers.step(progress);
        const Field<float> after = rivers.elevation();
        EXPECT_LE(pits_of(after), pits_of(start));
        EXPECT_LT(deepest_of(after), 0.5F * deepest_of(start));
        EXPECT_EQ(rivers.report().sediment_error, 0);
        EXPECT_EQ(rivers.report().drained_share, 1.0);
    }
}

/// Sediment, m^3, that rain takes from a plane of 1280 m on so many cells along a side.
double sediment_from_a_plane(int side) {
    QuietProgress progress;
    ParticleSimulation rivers(tests::plane(side, side, 1280.0 / side, 0.05),
                              {.rainfall = 2.0, .droplets = 4096, .batches = 16}, 1);
    for (int cycle = 0; cycle < 6; ++cycle) rivers.step(progress);
    return rivers.report().bedrock_eroded;
}

TEST(ParticleSimulation, erodes_a_place_under_sheets_of_water_alike_on_cells_of_any_size) {
    const double coarse = sediment_from_a_plane(32);
    EXPECT_NEAR(sediment_from_a_plane(64) / coarse, 1.0, 0.2);
    EXPECT_NEAR(sediment_from_a_plane(128) / coarse, 1.0, 0.2);
}

TEST(ParticleSimulation, takes_rain_from_a_map) {
    const Field<float> elevation = tests::plane(64, 64, 10.0, 0.05);
    Field<float> rain(elevation.grid());
    for (int row = 0; row < 64; ++row)
        for (int column = 32; column < 64; ++column) rain(column, row) = 2.0F;
    QuietProgress progress;
    ParticleSimulation rivers(elevation, {}, 1, {.rain = rain});
    for (int cycle = 0; cycle < 10; ++cycle) rivers.step(progress);
    double west = 0.0;
    double east = 0.0;
    for (int row = 0; row < 64; ++row)
        for (int column = 0; column < 64; ++column)
            (column < 30 ? west : east) += static_cast<double>(rivers.state().discharge(column, row));
    EXPECT_LT(west, 1e-3 * east);
    EXPECT_NEAR(rivers.report().water_fallen, 10.0 * 640.0 * 640.0, 0.1 * 10.0 * 640.0 * 640.0);
}

TEST(ParticleSimulation, refuses_what_it_can_not_work_on) {
    const auto refused = [](const Field<float>& elevation, const ParticleParameters& parameters) {
        return refusal_of([&] { ParticleSimulation(elevation, parameters, 1); });
    };
    Field<float> high = tests::plane(8, 8, 10.0, 0.1);
    high[0] = 30000.0F;
    EXPECT_EQ(
        refused(high, {}),
        "elevation goes from 0 to 30000 m: particles take up to 16000 m between the lowest and the highest");
    EXPECT_EQ(refused(Field<float>(high.grid(), kNoData), {}),
              "the terrain has no data: no particle can fall");
    EXPECT_EQ(refused(tests::plane(8, 8, 10.0, 0.1), {.springs = {{.x = 1.0, .y = 1.0, .discharge = -1.0}}}),
              "a spring's discharge = -1 m^3/yr is not allowed: greater than 0");
    EXPECT_EQ(refused(tests::plane(8, 8, 10.0, 0.1), {.time_step = 1e6, .rainfall = 1e3}),
              "6.4e+12 m^3 of water in a cycle are too many: up to 4.29e+11 m^3");
    EXPECT_NE(refused(tests::plane(8, 8, 10.0, 0.1), {.springs = {{.x = 900.0, .y = 1.0}}}), "");
}

TEST(ParticleSimulation, works_on_grids_without_an_inside_and_on_flat_ground) {
    QuietProgress progress;
    for (const auto& [columns, rows] : {std::pair(1, 9), std::pair(9, 1), std::pair(2, 2), std::pair(3, 3)}) {
        ParticleSimulation rivers(tests::plane(columns, rows, 10.0, 0.1), {}, 1);
        rivers.step(progress);
        EXPECT_EQ(rivers.report().sediment_error, 0);
        EXPECT_EQ(rivers.report().water_error, 0);
    }
    ParticleSimulation flat(tests::plane(40, 40, 10.0, 0.0), {}, 1);
    for (int cycle = 0; cycle < 3; ++cycle) flat.step(progress);
    EXPECT_EQ(flat.elevation(), tests::plane(40, 40, 10.0, 0.0));
}

}  // namespace
}  // namespace thalweg
