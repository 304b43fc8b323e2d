#include "thalweg/particles/simulation/standing_water.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/particles/particle_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "tests/particles/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::int64_t kMetre = 1 << 17;  // units

/// Two hollows, 3 and 2 m below a sill of 5 m, in a wall of 9 m with a gap of 6 m in the east; cells of 1 m.
Field<float> two_hollows() {
    return Field<float>(Grid{.columns = 8, .rows = 3, .cell_size = 1.0}, {9, 9, 9, 9, 9, 9, 9, 9,  //
                                                                          9, 9, 2, 5, 3, 3, 6, 0,  //
                                                                          9, 9, 9, 9, 9, 9, 9, 9});
}

std::int64_t sum_of_water(const UnitField& water) {
    std::int64_t sum = 0;
    for (std::int64_t cell = 0; cell < water.size(); ++cell) sum += water[cell];
    return sum;
}

TEST(StandingWater, fills_spills_and_merges_to_the_unit) {
    const Field<float> elevation = two_hollows();
    const Field<std::uint8_t> roots = edge_roots(elevation);
    QuietProgress progress;
    for (const std::int64_t poured : {std::int64_t{1}, kMetre, 4 * kMetre + 7, 9 * kMetre, 20 * kMetre}) {
        UnitField water(elevation.grid());
        water.set(elevation.grid().index(2, 1), poured);
        const Field<std::int32_t> no_lake(elevation.grid());
        const LevelledWater levelled =
            level_water(drain_ground(elevation, roots, progress), water, no_lake, false, progress);
        EXPECT_EQ(sum_of_water(levelled.water) + levelled.outflow, poured);
        EXPECT_EQ(levelled.outflow > 0, poured > 13 * kMetre) << "both hold 13 m^3 below the gap";
    }
}

TEST(StandingWater, tells_where_full_lakes_spill) {
    const Field<float> elevation = two_hollows();
    QuietProgress progress;
    UnitField water(elevation.grid());
    water.set(elevation.grid().index(2, 1), 4 * kMetre);
    const Field<std::int32_t> no_lake(elevation.grid());
    const LevelledWater levelled = level_water(drain_ground(elevation, edge_roots(elevation), progress),
                                               water, no_lake, false, progress);
    ASSERT_EQ(levelled.lakes.size(), 2U);
    EXPECT_EQ(levelled.lakes[0].level, 5.0F);
    EXPECT_EQ(levelled.lakes[0].sill, 11);
    EXPECT_EQ(levelled.lakes[1].level, 3.5F);
    EXPECT_EQ(levelled.lakes[1].sill, -1);
    EXPECT_EQ(levelled.lake(2, 1), 1);
    EXPECT_EQ(levelled.lake(4, 1), 2);
    EXPECT_EQ(levelled.lake(3, 1), 0);
    EXPECT_EQ(levelled.drained_cells, elevation.size() - 5) << "all but what runs down to the hollows";

    const LevelledWater full =
        level_water(drain_ground(elevation, edge_roots(elevation), progress), water, no_lake, true, progress);
    ASSERT_EQ(full.lakes.size(), 1U);
    EXPECT_EQ(full.lakes[0].level, 6.0F);
    EXPECT_EQ(full.drained_cells, elevation.size());
}

/// A valley that falls to the south, with a hollow of `depth` m behind a bar across its middle.
Field<float> barred_valley(double depth) {
    Field<float> elevation = tests::plane(48, 80, 10.0, 0.04);
    for (int row = 0; row < 80; ++row)
        for (int column = 0; column < 48; ++column) {
            const double side = std::abs(column - 23.5) / 23.5;
            elevation(column, row) += static_cast<float>(20.0 * side * side);
            if (row > 25 && row < 45) elevation(column, row) -= static_cast<float>(depth * (1.0 - side));
        }
    return elevation;
}

ParticleParameters river_into_the_lake() {
    return {.time_step = 0.05,
            .rainfall = 0.02,
            .droplets = 128,
            .batches = 8,
            .repose_slope = 5.0,
            .lakes_every = 4,
            .springs = {{.x = 240.0, .y = 700.0, .radius = 15.0, .discharge = 2e5, .is_fed = true}}};
}

TEST(StandingWater, of_a_river_fills_a_lake_spills_and_keeps_its_sediment) {
    const Field<float> start = barred_valley(12.0);
    ParticleParameters parameters = river_into_the_lake();
    parameters.are_lakes_full_at_first = false;
    ParticleSimulation rivers(start, parameters, 1);
    QuietProgress progress;
    double before = 0.0;
    for (int cycle = 0; cycle < 8; ++cycle) {
        rivers.step(progress);
        EXPECT_GT(rivers.report().lake_volume, before);
        before = rivers.report().lake_volume;
    }
    for (int cycle = 0; cycle < 40; ++cycle) rivers.step(progress);
    const ParticleReport report = rivers.report();
    EXPECT_EQ(report.water_error, 0);
    EXPECT_EQ(report.sediment_error, 0);
    EXPECT_GT(report.drained_share, 0.99);
    // A delta has grown where the river comes in, and none where it goes out.
    const Field<float> after = rivers.elevation();
    const auto raised = [&](int north, int south) {
        double sum = 0.0;
        for (int row = north; row < south; ++row)
            for (int column = 1; column < 47; ++column)
                sum += static_cast<double>(after(column, row) - start(column, row));
        return sum;
    };
    EXPECT_GT(raised(24, 32), 10.0);
    EXPECT_GT(raised(24, 32), 2.0 * raised(38, 46));
}

TEST(StandingWater, of_lakes_that_dry_up_goes_to_the_air) {
    ParticleParameters parameters = river_into_the_lake();
    parameters.springs.clear();
    parameters.rainfall = 0.0;
    parameters.lake_evaporation = 10.0;
    ParticleSimulation rivers(barred_valley(12.0), parameters, 1);
    QuietProgress progress;
    rivers.step(progress);
    const double full = rivers.report().lake_volume;
    EXPECT_GT(full, 1e4);
    for (int cycle = 0; cycle < 60; ++cycle) rivers.step(progress);
    EXPECT_EQ(rivers.report().lake_volume, 0.0);
    EXPECT_EQ(rivers.report().water_error, 0);
    const Field<float> start = barred_valley(12.0);
    for (std::int64_t cell = 0; cell < start.size(); ++cell)
        ASSERT_NEAR(rivers.elevation()[cell], start[cell], 1e-4F);
}

TEST(StandingWater, of_the_sea_takes_rivers_and_keeps_their_sediment) {
    ParticleParameters parameters = river_into_the_lake();
    parameters.sea_level = 10.0;  // m: over the southern quarter
    const Field<float> start = tests::plane(48, 80, 10.0, 0.04);
    ParticleSimulation rivers(start, parameters, 1);
    QuietProgress progress;
    for (int cycle = 0; cycle < 30; ++cycle) rivers.step(progress);
    const ParticleReport report = rivers.report();
    EXPECT_EQ(report.water_error, 0);
    EXPECT_EQ(report.sediment_error, 0);
    EXPECT_LT(report.sediment_out, 0.05 * report.sediment_in);
    const Field<float> after = rivers.elevation();
    double raised = 0.0;
    for (int row = 54; row < 64; ++row)
        for (int column = 1; column < 47; ++column)
            raised += static_cast<double>(after(column, row) - start(column, row));
    EXPECT_GT(raised, 0.0) << "a delta before the shore, in row 54";
    EXPECT_LE(std::ranges::max(after.values()), std::ranges::max(start.values()));
}

TEST(StandingWater, lets_ground_drain_by_the_rain_of_its_map_that_fills_its_lakes) {
    const auto drained_share = [](float rain, double years) {  // m/yr
        const Field<float> elevation = two_hollows();
        const Field<float> map(elevation.grid(), rain);
        return ParticleSimulation(elevation, {.rainfall = 0.2, .averaging_time = years}, 1, {.rain = map})
            .report()
            .drained_share;
    };
    EXPECT_LT(drained_share(0.0F, 9.0), 0.9);
    EXPECT_EQ(drained_share(5.0F, 9.0), 1.0);
    EXPECT_EQ(drained_share(1000.0F, 1e6), 1.0) << "more than any lake holds";
}

TEST(StandingWater, is_the_same_on_any_number_of_threads_and_from_any_cycle_on) {
    const auto after = [](int threads, int saved_at) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        ParticleSimulation rivers(barred_valley(12.0), river_into_the_lake(), 1);
        for (int cycle = 0; cycle < 11; ++cycle) {
            rivers.step(progress);
            if (cycle == saved_at) rivers = ParticleSimulation(ParticleState(rivers.state()));
        }
        return rivers.state();
    };
    const ParticleState one = after(1, -1);
    EXPECT_EQ(one, after(8, -1));
    for (const int saved_at : {1, 4, 6}) EXPECT_EQ(one, after(1, saved_at));
}

}  // namespace
}  // namespace thalweg
