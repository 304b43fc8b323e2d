#include "thalweg/flow/fill_spill_merge.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/flow/fill.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/flow/lake_ground.hpp"
#include "tests/flow/slow_pools.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::difficult_terrains;
using tests::Ground;
using tests::kTwoPits;
using tests::SlowPools;
using tests::terrain_of;
using tests::white_terrain;

constexpr double kInf = std::numeric_limits<double>::infinity();
QuietProgress progress;

/// Runoff on the western pit alone, m.
Field<float> on_the_west(float depth) {
    Field<float> runoff(kTwoPits.grid(), 0.0F);
    runoff(2, 1) = depth;
    return runoff;
}

TEST(FillSpillMerge, fills_then_spills_then_merges_then_drains) {
    const Ground ground(kTwoPits);
    const Lakes filling = ground.lakes(on_the_west(1.5F));
    ASSERT_EQ(filling.lakes.size(), 1U);
    EXPECT_EQ(filling.lakes[0].id, 1);
    EXPECT_EQ(filling.lakes[0].level, 3.5);
    EXPECT_EQ(filling.lakes[0].outlet, -1);
    EXPECT_EQ(filling.water_depth(2, 1), 1.5F);
    EXPECT_EQ(filling.water_elevation(2, 1), 3.5F);
    EXPECT_TRUE(is_no_data(filling.water_elevation(4, 1)));
    EXPECT_EQ(filling.water_depth(4, 1), 0.0F);

    const Lakes spilling = ground.lakes(on_the_west(4.0F));
    ASSERT_EQ(spilling.lakes.size(), 2U);
    EXPECT_EQ(spilling.lakes[0].level, 5.0);
    EXPECT_EQ(spilling.lakes[0].outlet, 11);
    EXPECT_EQ(spilling.lakes[0].inflow, 4.0);
    EXPECT_EQ(spilling.lakes[1].level, 3.5);
    EXPECT_EQ(spilling.lakes[1].inflow, 1.0);
    EXPECT_EQ(spilling.lakes[1].area, 2.0);
    EXPECT_EQ(spilling.lake(5, 1), 2);

    const Lakes merged = ground.lakes(on_the_west(9.0F));
    ASSERT_EQ(merged.lakes.size(), 1U);
    EXPECT_EQ(merged.lakes[0].id, 1);
    EXPECT_EQ(merged.lakes[0].level, 5.5);
    EXPECT_EQ(merged.lakes[0].depth, 3.5);
    EXPECT_EQ(merged.lakes[0].area, 4.0);
    EXPECT_EQ(merged.lakes[0].volume, 9.0);
    EXPECT_EQ(merged.lake(4, 1), 1);

    const Lakes draining = ground.lakes(on_the_west(12.0F));
    ASSERT_EQ(draining.lakes.size(), 1U);
    EXPECT_EQ(draining.lakes[0].level, 6.0);
    EXPECT_EQ(draining.lakes[0].outlet, 14);
    EXPECT_EQ(draining.lakes[0].inflow, 12.0);
    EXPECT_EQ(draining.outflow, 1.0);
    EXPECT_EQ(draining.volume, 11.0);
    EXPECT_EQ(draining.volume_error, 0.0);
}

TEST(FillSpillMerge, conserves_volume_to_rounding) {
    for (const Field<float>& z : difficult_terrains()) {
        const Ground ground(z);
        for (const double runoff : {0.01, 0.5, 3.0, 20.0, 1e4}) {
            const Lakes result = ground.lakes(runoff);
            EXPECT_LT(result.volume_error, 1e-12);
            double from_lakes = 0.0, from_cells = 0.0;
            for (const Lake& lake : result.lakes) from_lakes += lake.volume;
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                if (!is_no_data(z[cell]))
                    from_cells += static_cast<double>(result.water_depth[cell]) * z.grid().cell_area();
            EXPECT_NEAR(from_lakes + result.outflow, result.runoff, 1e-12 * result.runoff);
            EXPECT_NEAR(from_cells, from_lakes, 1e-6 * from_lakes);
        }
    }
}

TEST(FillSpillMerge, leaves_what_pools_hold_that_are_filled_drop_by_drop) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Field<float> z = white_terrain(13, 11, seed);
        if (seed % 2 == 0) cut_out(z, 4, 4, 5, 4);
        const Ground ground(z);
        for (const double runoff : {2.0, 9.0, 30.0}) {
            SlowPools slow(ground);
            constexpr std::int64_t kDrops = 8;  // of each cell, in disorder
            for (std::int64_t i = 0; i < kDrops * 997; ++i) {
                const std::int64_t drop = i * 389 % (kDrops * 997);
                const std::int64_t cell = drop / kDrops;
                if (cell < z.size() && !is_no_data(z[cell]))
                    slow.drop(cell, runoff * z.grid().cell_area() / static_cast<double>(kDrops));
            }
            const Lakes fast = ground.lakes(runoff);
            slow.expect_in(fast);
        }
    }
}

TEST(FillSpillMerge, without_end_fills_what_filling_fills) {
    for (const Field<float>& z : difficult_terrains()) {
        const Lakes result = Ground(z).lakes(kInf);
        const Filled filled = fill_depressions(z, edge_roots(z), FilledSurface::Level, progress);
        std::int64_t wet = 0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) {
                ASSERT_TRUE(is_no_data(result.water_depth[cell]) && is_no_data(result.water_elevation[cell]));
                continue;
            }
            const bool is_wet = filled.elevation[cell] > z[cell];
            wet += is_wet ? 1 : 0;
            ASSERT_EQ(result.lake[cell] != 0, is_wet);
            ASSERT_EQ(is_wet ? result.water_elevation[cell] : z[cell], filled.elevation[cell]);
        }
        EXPECT_EQ(wet, filled.raised_cells);
        EXPECT_NEAR(result.volume, filled.volume, 1e-12 * filled.volume);
        EXPECT_LT(result.volume_error, 1e-12);
        EXPECT_EQ(result.outflow, kInf);
    }
}

TEST(FillSpillMerge, leaves_the_same_lakes_after_plenty_as_without_end) {
    for (const Field<float>& z : difficult_terrains()) {
        const Ground ground(z);
        const Lakes plenty = ground.lakes(1e6), endless = ground.lakes(kInf);
        EXPECT_EQ(plenty.lake, endless.lake);
        ASSERT_EQ(plenty.lakes.size(), endless.lakes.size());
        for (std::size_t i = 0; i < plenty.lakes.size(); ++i) {
            EXPECT_EQ(plenty.lakes[i].level, endless.lakes[i].level);
            EXPECT_EQ(plenty.lakes[i].outlet, endless.lakes[i].outlet);
        }
    }
}

TEST(FillSpillMerge, rises_with_the_runoff) {
    for (const Field<float>& z : {white_terrain(90, 70, 5), white_terrain(90, 70, 5, 30)}) {
        const Ground ground(z);
        Lakes before = ground.lakes(0.0);
        EXPECT_TRUE(before.lakes.empty());
        EXPECT_EQ(before.volume_error, 0.0);
        for (double runoff = 0.25; runoff < 200.0; runoff *= 1.7) {
            Lakes after = ground.lakes(runoff);
            EXPECT_GE(after.volume, before.volume * (1.0 - 1e-12));
            EXPECT_GE(after.outflow, before.outflow * (1.0 - 1e-12));
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                ASSERT_GE(after.water_depth[cell], before.water_depth[cell] * (1.0F - 1e-6F));
            before = std::move(after);
        }
    }
}

TEST(FillSpillMerge, depends_on_each_cells_water_alone) {
    // A field that holds one depth everywhere, and one that moves each basin's water to its pit.
    const Field<float> z = white_terrain(120, 90, 6);
    const Ground ground(z);
    const Lakes even = ground.lakes(4.0);
    const Lakes as_field = ground.lakes(Field<float>(z.grid(), 4.0F));
    EXPECT_EQ(even.lake, as_field.lake);
    Field<float> at_pits(z.grid(), 0.0F);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const std::int32_t basin = ground.basins.of_cell[at(cell)];
        at_pits[basin > 0 ? ground.basins.pits[at(basin - 1)] : cell] += 4.0F;
    }
    EXPECT_EQ(even.lake, ground.lakes(at_pits).lake);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        ASSERT_NEAR(even.water_depth[cell], as_field.water_depth[cell], 1e-4F);
}

TEST(FillSpillMerge, tells_of_each_lake_what_its_cells_say) {
    for (const double runoff : {3.0, kInf}) {
        const Field<float> z = white_terrain(140, 120, 9);
        const Ground ground(z);
        const Lakes result = ground.lakes(runoff);
        std::set<std::int32_t> ids(result.lake.begin(), result.lake.end());
        EXPECT_EQ(ids.size(), result.lakes.size() + 1);
        for (const Lake& lake : result.lakes) {
            double area = 0.0, depth = 0.0;
            for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                if (result.lake[cell] != lake.id) continue;
                area += z.grid().cell_area();
                depth = std::max(depth, lake.level - static_cast<double>(z[cell]));
                EXPECT_EQ(result.water_elevation[cell], static_cast<float>(lake.level));
            }
            ASSERT_EQ(lake.area, area);
            ASSERT_EQ(lake.depth, depth);
            ASSERT_EQ(result.lake[lake.pit], lake.id);
            ASSERT_EQ(ground.basins.of_cell[at(lake.pit)], lake.id);
            if (lake.outlet >= 0) {
                ASSERT_EQ(static_cast<double>(z[lake.outlet]), lake.level);
                ASSERT_GE(lake.inflow, lake.volume * (1.0 - 1e-12));
            } else {
                ASSERT_NEAR(lake.inflow, lake.volume, 1e-9 * lake.volume);
            }
        }
    }
}

TEST(FillSpillMerge, sends_out_what_flows_in_and_is_not_kept) {
    const Field<float> z = white_terrain(140, 120, 9);
    const Ground ground(z);
    const Lakes result = ground.lakes(25.0);
    double leaves = 0.0;  // m^3
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (ground.basins.of_cell[at(cell)] == kDrained) leaves += 25.0 * z.grid().cell_area();
    for (const Lake& lake : result.lakes)
        if (lake.outlet >= 0 && ground.hierarchy.depressions[at(lake.depression)].spills_into == kDrained)
            leaves += lake.inflow - lake.volume;
    EXPECT_NEAR(leaves, result.outflow, 1e-9 * result.outflow);
}

TEST(FillSpillMerge, keeps_an_islands_shore_dry) {
    const Field<float> z = terrain_of(5, 5, {9, 9, 9, 9, 9,  //
                                             9, 1, 1, 1, 9,  //
                                             9, 1, 7, 1, 5,  //
                                             9, 1, 1, 1, 9,  //
                                             9, 9, 9, 9, 9});
    const Lakes result = Ground(z).lakes(kInf);
    ASSERT_EQ(result.lakes.size(), 1U);
    EXPECT_EQ(result.lakes[0].area, 8.0);
    EXPECT_EQ(result.lakes[0].volume, 32.0);
    EXPECT_EQ(result.lake(2, 2), 0);
}

TEST(FillSpillMerge, fills_closed_ground_above_all_its_rims) {
    const Field<float> z = terrain_of(5, 1, {3, 4, 1, 5, 2});
    const Ground ground(z, Field<std::uint8_t>(z.grid(), 0));
    const Lakes some = ground.lakes(1.0);  // 3 m^3 to the middle, less to the others
    EXPECT_EQ(some.outflow, 0.0);
    EXPECT_EQ(some.volume_error, 0.0);
    const Lakes deep = ground.lakes(10.0);
    ASSERT_EQ(deep.lakes.size(), 1U);
    EXPECT_EQ(deep.lakes[0].level, 13.0);
    EXPECT_EQ(deep.lakes[0].outlet, -1);
    const Lakes endless = ground.lakes(kInf);
    const Filled filled =
        fill_depressions(z, Field<std::uint8_t>(z.grid(), 0), FilledSurface::Level, progress);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        EXPECT_EQ(endless.lake[cell] != 0 ? endless.water_elevation[cell] : z[cell], filled.elevation[cell]);
}

TEST(FillSpillMerge, without_end_drains_closed_ground_as_filling_does) {
    for (const Field<float>& z : difficult_terrains()) {
        const Field<std::uint8_t> no_roots(z.grid(), 0);
        const Lakes result = Ground(z, no_roots).lakes(kInf);
        const Filled filled = fill_depressions(z, no_roots, FilledSurface::Level, progress);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            ASSERT_TRUE(is_no_data(z[cell]) ||
                        filled.elevation[cell] ==
                            (result.lake[cell] != 0 ? result.water_elevation[cell] : z[cell]));
    }
}

TEST(FillSpillMerge, mirrors_with_its_terrain) {
    const Field<float> z = white_terrain(80, 60, 12);
    Field<float> mirrored(z.grid());
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 80; ++column) mirrored(79 - column, row) = z(column, row);
    for (const double runoff : {1.0, 8.0, kInf}) {
        const Lakes here = Ground(z).lakes(runoff), there = Ground(mirrored).lakes(runoff);
        EXPECT_EQ(here.lakes.size(), there.lakes.size());
        for (int row = 0; row < 60; ++row)
            for (int column = 0; column < 80; ++column)
                ASSERT_NEAR(here.water_depth(column, row), there.water_depth(79 - column, row), 1e-5F);
    }
}

TEST(FillSpillMerge, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(700, 400, 10, 1000);
    for (const double runoff : {0.5, 10.0, kInf}) {
        std::vector<Lakes> results;
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            results.push_back(Ground(z).lakes(runoff));
        }
        for (const Lakes& result : results) {
            EXPECT_EQ(result.lake, results[0].lake);
            EXPECT_EQ(result.volume, results[0].volume);
            EXPECT_EQ(result.volume_error, results[0].volume_error);
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                ASSERT_EQ(result.water_depth[cell], results[0].water_depth[cell]);
        }
    }
}

TEST(FillSpillMerge, refuses_runoff_that_is_negative_or_no_number) {
    const Ground ground(kTwoPits);
    EXPECT_THROW(ground.lakes(-1.0), Error);
    EXPECT_THROW(ground.lakes(std::nan("")), Error);
    EXPECT_THROW(ground.lakes(1e12), Error);
    for (const float wrong :
         {-0.5F, std::numeric_limits<float>::quiet_NaN(), 1e12F, std::numeric_limits<float>::infinity()}) {
        try {
            (void)ground.lakes(on_the_west(wrong));
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Input);
            EXPECT_NE(std::string(error.what()).find("cell 10"), std::string::npos) << error.what();
        }
    }
}

TEST(FillSpillMerge, stops_when_cancelled) {
    const Ground ground(white_terrain(50, 50, 1));
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(
        fill_spill_merge(ground.elevation, ground.basins, ground.hierarchy, {.runoff = 1.0}, cancelled),
        Cancelled);
    EXPECT_THROW(find_depressions(ground.elevation, eight_neighbours(ground.elevation.grid()), ground.basins,
                                  ground.tree, cancelled),
                 Cancelled);
}

}  // namespace
}  // namespace thalweg
