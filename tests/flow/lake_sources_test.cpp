#include "thalweg/flow/lake_sources.hpp"

#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

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
using tests::white_terrain;

constexpr double kInf = std::numeric_limits<double>::infinity();

/// A source in the middle of a cell. volume: m^3.
LakeSource source_at(const Grid& grid, int column, int row, double volume) {
    return {.x = grid.west + (column + 0.5) * grid.cell_size,
            .y = grid.north - (row + 0.5) * grid.cell_size,
            .volume = volume};
}

TEST(LakeSources, fills_from_sources_and_uneven_runoff_what_drops_fill_there) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Field<float> z = white_terrain(13, 11, seed);
        if (seed % 2 == 0) cut_out(z, 4, 4, 5, 4);
        const Ground ground(z);
        for (const double volume : {3e2, 4e3, 3e4}) {
            LakeWater water{.runoff_of_cell = Field<float>(z.grid(), 0.0F)};
            for (const int place : {2, 6, 9})
                water.sources.push_back(source_at(z.grid(), place, 11 - place, volume / place));
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                water.runoff_of_cell[cell] = 0.25F * static_cast<float>(cell % 5);
            SlowPools slow(ground);
            constexpr int kDrops = 8;
            for (int drop = 0; drop < kDrops; ++drop) {
                for (const int place : {9, 2, 6})
                    slow.drop(z.grid().index(place, 11 - place), volume / place / kDrops);
                for (std::int64_t cell = 0; cell < z.size(); ++cell)
                    if (!is_no_data(z[cell]))
                        slow.drop(cell, static_cast<double>(water.runoff_of_cell[cell]) *
                                            z.grid().cell_area() / kDrops);
            }
            const Lakes fast = ground.lakes(water);
            EXPECT_LT(fast.volume_error, 1e-12);
            slow.expect_in(fast);
        }
    }
}

TEST(LakeSources, counts_the_water_of_sources_in_runoff_inflow_and_outflow) {
    const Ground ground(kTwoPits);
    const Grid& grid = kTwoPits.grid();
    const Lakes result =
        ground.lakes({.runoff = 0.0, .sources = {source_at(grid, 2, 1, 3.0), source_at(grid, 2, 1, 9.0)}});
    EXPECT_EQ(result.runoff, 12.0);
    EXPECT_EQ(result.outflow, 1.0);
    ASSERT_EQ(result.lakes.size(), 1U);
    EXPECT_EQ(result.lakes[0].inflow, 12.0);
    EXPECT_EQ(result.volume_error, 0.0);
    const Lakes gone = ground.lakes({.runoff = 0.0, .sources = {source_at(grid, 7, 1, 5.0)}});
    EXPECT_TRUE(gone.lakes.empty());
    EXPECT_EQ(gone.outflow, 5.0);
}

TEST(LakeSources, conserves_the_water_of_sources_to_rounding) {
    for (const Field<float>& z : difficult_terrains())
        for (const double volume : {1e-3, 1e4, 1e9}) {
            const LakeWater water{
                .runoff = 0.7,
                .sources = {source_at(z.grid(), 0, 0, volume),
                            source_at(z.grid(), z.columns() / 2, z.rows() / 2, 1e3 / 7.0 * volume)}};
            const Lakes result = Ground(z).lakes(water);
            EXPECT_LT(result.volume_error, 1e-12);
            EXPECT_GT(result.runoff, 1e3 / 7.0 * volume);
        }
}

TEST(LakeSources, refuses_sources_outside_without_data_or_without_a_volume) {
    Field<float> z = white_terrain(6, 5, 1);
    cut_out(z, 2, 2, 2, 2);
    const Ground ground(z);
    const auto refusal_of = [&](const LakeSource& source) -> std::string {
        try {
            (void)ground.lakes({.runoff = 0.0, .sources = {source_at(z.grid(), 1, 1, 1.0), source}});
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Input);
            return error.what();
        }
        return "";
    };
    const auto holds = [](const std::string& text, const char* part) {
        return text.find("lake source 2") == 0 && text.find(part) != std::string::npos;
    };
    EXPECT_EQ(refusal_of(source_at(z.grid(), 5, 4, 1.0)), "");
    for (const auto& [column, row] : {std::pair{-1, 2}, {6, 2}, {3, -1}, {3, 5}})
        EXPECT_TRUE(holds(refusal_of(source_at(z.grid(), column, row, 1.0)), "outside the terrain"));
    EXPECT_TRUE(holds(refusal_of({.x = std::nan(""), .y = 0.0, .volume = 1.0}), "outside the terrain"));
    EXPECT_TRUE(holds(refusal_of(source_at(z.grid(), 2, 2, 1.0)), "no data"));
    for (const double wrong : {0.0, -1.0, std::nan(""), kInf, 1e19})
        EXPECT_TRUE(holds(refusal_of(source_at(z.grid(), 3, 2, wrong)), "volume"));
}

}  // namespace
}  // namespace thalweg
