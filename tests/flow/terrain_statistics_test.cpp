#include "thalweg/flow/terrain_statistics.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/io/raster.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <numbers>
#include <numeric>
#include <set>
#include <string>

#include "tests/flow/built_terrain.hpp"
#include "tests/flow/statistics_of.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::described;
using tests::expect_near;
using tests::ground_of;
using tests::statistics_of;

Field<float> example_terrain() {
    return read_raster(THALWEG_SOURCE_DIR "/examples/dem.tif");
}

/// Hills of many sizes, for tests that ThreadSanitizer runs: it takes GDAL's locks for a deadlock.
Field<float> hills() {
    return ground_of(300, [](double x, double y) {
        double z = 2000.0, length = 6000.0;
        for (int i = 0; i < 6; ++i, length *= 0.53)
            z += 0.06 * length * std::sin(x / length * 6.0 + 1.7 * i + std::sin(y / length * 4.0)) *
                 std::cos(y / length * 5.0 + 0.6 * i);
        return z;
    });
}

TEST(TerrainStatistics, are_listed_once_each_family_by_family) {
    std::set<std::string> names;
    std::set<StatisticFamily> families;
    StatisticFamily family = StatisticFamily::ValleyFloors;
    const TerrainStatistics none;
    for (const TerrainStatistic& one : terrain_statistics()) {
        EXPECT_TRUE(names.insert(one.name).second) << one.name;
        if (one.family != family) {
            EXPECT_TRUE(families.insert(one.family).second) << one.name;
        }
        family = one.family;
        EXPECT_TRUE(std::isnan(none.*one.value)) << one.name;
        EXPECT_GT(std::strlen(one.meaning), 8U) << one.name;
    }
    EXPECT_EQ(names.size() * sizeof(double), sizeof(TerrainStatistics));
    EXPECT_EQ(families.size(), 6U);
    EXPECT_STREQ(name_of(StatisticFamily::ValleyFloors), "valley floors");
}

TEST(TerrainStatistics, count_lengths_in_cells_of_the_surveys_that_nature_was_measured_on) {
    EXPECT_EQ(reference_length(2.0), 30.0);
    EXPECT_EQ(reference_length(30.0), 30.0);
    EXPECT_EQ(reference_length(50.0), 50.0);
    EXPECT_EQ(reference_length(65.0), 90.0);
    EXPECT_EQ(reference_length(90.0), 90.0);
    EXPECT_EQ(reference_length(250.0), 250.0);
}

TEST(TerrainStatistics, of_a_plane_are_those_of_one_slope_and_no_rivers_meet) {
    const TerrainDescription plane = described(ground_of(96, [](double x, double) { return 0.25 * x; }));
    const TerrainStatistics& found = plane.statistics;
    EXPECT_TRUE(plane.is_mountainous);
    EXPECT_NEAR(found.slope_mean, std::atan(0.25) * 180.0 / std::numbers::pi, 1e-4);
    EXPECT_NEAR(found.slope_variation, 0.0, 1e-5);
    EXPECT_EQ(found.slope_share_near_median, 1.0);
    EXPECT_EQ(found.slope_share_above_35, 0.0);
    EXPECT_TRUE(std::isnan(found.junction_angle_mean));
    EXPECT_EQ(found.pit_density, 0.0);
    EXPECT_NEAR(plane.curves.slope_shares[7], 1.0, 1e-9);    // 14 to 16 degrees
    EXPECT_NEAR(plane.curves.aspect_shares[18], 1.0, 1e-9);  // to the west
    EXPECT_NEAR(plane.curves.hypsometry.integral.value(), 0.5, 1e-6);
}

TEST(TerrainStatistics, of_a_cone_face_all_ways_at_one_slope) {
    const auto cone = [](double x, double y) {
        const double radius = std::sqrt(x * x + y * y);
        return radius < 3000.0 ? 3000.0 - 0.8 * radius : static_cast<double>(kNoData);
    };
    const TerrainDescription found = described(ground_of(202, cone));
    EXPECT_NEAR(found.statistics.slope_mean, std::atan(0.8) * 180.0 / std::numbers::pi, 0.02);
    EXPECT_LT(found.statistics.slope_variation, 0.01);
    EXPECT_NEAR(found.statistics.slope_share_above_35, 1.0, 0.001);
    for (const double share : found.curves.aspect_shares) EXPECT_NEAR(share, 1.0 / 24.0, 0.003);
    EXPECT_NEAR(std::accumulate(found.curves.slope_shares.begin(), found.curves.slope_shares.end(), 0.0), 1.0,
                1e-9);
}

TEST(TerrainStatistics, of_a_round_hill_tell_how_it_curves) {
    // Second derivatives are -2 a along every way.
    constexpr double kBend = 2e-5;  // 1/m
    const TerrainStatistics found =
        statistics_of(ground_of(128, [](double x, double y) { return -kBend * (x * x + y * y); }));
    EXPECT_NEAR(found.hilltop_curvature, 4.0 * kBend, 1e-7);
    EXPECT_NEAR(found.tangential_profile_ratio, 1.0, 0.01);
}

TEST(TerrainStatistics, of_waves_tell_their_length_and_way) {
    const auto waves = [](double x_part, double y_part) {
        return described(ground_of(256, [=](double x, double y) {
            return 5.0 * std::sin(2.0 * std::numbers::pi * (x_part * x + y_part * y) / 640.0);
        }));
    };
    const auto peak = [](const TerrainDescription& found) {
        return std::ranges::max(found.curves.spectrum, {}, &CurvePoint::y).x;
    };
    const TerrainDescription along = waves(1.0, 0.0), across = waves(0.0, 1.0), diagonal = waves(0.6, 0.8);
    for (const TerrainDescription* found : {&along, &across, &diagonal})
        EXPECT_NEAR(peak(*found), 640.0, 60.0);
    EXPECT_GT(along.statistics.spectral_fourfold_share, 1.0);
    EXPECT_NEAR(along.statistics.spectral_fourfold_share, across.statistics.spectral_fourfold_share, 1e-3);
    EXPECT_LT(waves(std::sqrt(0.5), std::sqrt(0.5)).statistics.spectral_fourfold_share, -1.0);
    EXPECT_GT(along.statistics.spectral_anisotropy, 1e3);
}

TEST(TerrainStatistics, find_the_law_of_slope_and_area_that_a_terrain_was_built_by) {
    const FlowTree tree = tests::noise_tree(500, 500, 2);
    for (const double concavity : {0.35, 0.5}) {
        const TerrainStatistics found = statistics_of(tests::flint_terrain(tree, 30.0, concavity));
        EXPECT_NEAR(found.concavity, concavity, 0.03);
        EXPECT_LT(found.steepness_spread, 0.06);
        EXPECT_NEAR(found.slope_area_exponent_of_hillslopes, concavity, 0.02);
        EXPECT_NEAR(found.slope_area_exponent_of_channels, concavity, 0.02);
    }
}

TEST(TerrainStatistics, find_the_width_of_a_valley_floor) {
    // 11 cells between walls of 40 degrees, by 600. Each row adds 0.09 km^2, so that the river has 10 km^2
    // from the 111th on, and lies 3 m below the first, which drains to it too.
    Field<float> valley(Grid{.columns = 101, .rows = 600, .cell_size = 30.0});
    for (int row = 0; row < valley.rows(); ++row)
        for (int column = 0; column < valley.columns(); ++column) {
            const int away = std::abs(column - 50);
            valley(column, row) = static_cast<float>(25.0 * std::max(0, away - 5) + 0.1 * away - 0.03 * row);
        }
    const TerrainStatistics found = statistics_of(valley);
    EXPECT_NEAR(found.floor_width, 330.0 * 600.0 / 490.0, 6.0);
    EXPECT_NEAR(found.floor_width_ratio, 13.0 / 11.0, 0.01);  // the lowest cell of each wall
    EXPECT_NEAR(found.floor_share, 11.0 / 101.0, 0.001);
}

TEST(TerrainStatistics, count_pits_that_are_large_and_deep) {
    Field<float> ground = ground_of(200, [](double x, double) { return 0.05 * x; });
    const auto dig = [&](int first_column, int first_row, int side, float depth) {
        for (int row = first_row; row < first_row + side; ++row)
            for (int column = first_column; column < first_column + side; ++column)
                ground(column, row) -= depth;
    };
    dig(20, 20, 8, 40.0F);
    dig(100, 60, 8, 40.0F);
    dig(160, 30, 4, 40.0F);  // small
    dig(60, 150, 8, 4.0F);   // shallow
    EXPECT_NEAR(statistics_of(ground).pit_density, 2.0 / 36.0 * 1000.0, 1e-9);
}

TEST(TerrainStatistics, are_told_of_the_mountains_alone_where_there_are_some) {
    const auto half = [](double x, double y) {
        return x > 0.0 ? 0.0 : 400.0 * std::sin(x / 300.0) * std::sin(y / 300.0);
    };
    const TerrainDescription found = described(ground_of(256, half));
    EXPECT_TRUE(found.is_mountainous);
    EXPECT_NEAR(found.described_share, 0.5, 0.07);
    EXPECT_GT(found.statistics.slope_mean, 15.0);
    const TerrainDescription lowland =
        described(ground_of(128, [](double x, double y) { return 20.0 * std::sin(x / 300.0 + y / 200.0); }));
    EXPECT_FALSE(lowland.is_mountainous);
    EXPECT_EQ(lowland.described_share, 1.0);
    EXPECT_GT(lowland.statistics.slope_mean, 1.0);
}

TEST(TerrainStatistics, of_level_ground_are_absent_or_nought) {
    const TerrainStatistics found = statistics_of(ground_of(128, [](double, double) { return 7.0; }));
    EXPECT_EQ(found.slope_mean, 0.0);
    for (const double absent : {found.slope_variation, found.aspect_grid_bias, found.curvature_skew,
                                found.spectral_slope_long, found.concavity, found.hypsometric_integral})
        EXPECT_TRUE(std::isnan(absent));
}

Field<float> mirrored(const Field<float>& z) {
    Field<float> result = z;
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            result(column, row) = z(z.columns() - 1 - column, row);
    return result;
}

Field<float> turned(const Field<float>& z) {
    Field<float> result(Grid{.columns = z.rows(), .rows = z.columns(), .cell_size = z.grid().cell_size});
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            result(z.rows() - 1 - row, column) = z(column, row);
    return result;
}

TEST(TerrainStatistics, stay_where_terrain_is_mirrored_turned_or_raised) {
    const Field<float> z = example_terrain();
    const TerrainStatistics found = statistics_of(z);
    // Tiles of 2 km are laid out from the north-west, so that other cells are left over.
    const auto without_tiles = [&](TerrainStatistics statistics) {
        statistics.slope_variation_of_tiles = found.slope_variation_of_tiles;
        return statistics;
    };
    expect_near(without_tiles(statistics_of(mirrored(z))), found, 1e-3);
    expect_near(without_tiles(statistics_of(turned(z))), found, 1e-3);
    Field<float> raised = z;
    for (float& height : raised) height += 512.0F;
    expect_near(statistics_of(raised), found, 2e-3);
}

TEST(TerrainStatistics, change_little_where_cells_are_halved) {
    const Field<float> z = example_terrain();
    Grid halves = z.grid();
    halves.columns *= 2;
    halves.rows *= 2;
    halves.cell_size /= 2.0;
    Field<float> fine(halves);
    for (int row = 0; row < fine.rows(); ++row)
        for (int column = 0; column < fine.columns(); ++column) {
            const double x = std::clamp(z.grid().column_at(halves.x(column)), 0.0, z.columns() - 1.001);
            const double y = std::clamp(z.grid().row_at(halves.y(row)), 0.0, z.rows() - 1.001);
            const int west = static_cast<int>(x), north = static_cast<int>(y);
            const auto at_row = [&](int r) {
                return std::lerp(static_cast<double>(z(west, r)), static_cast<double>(z(west + 1, r)),
                                 x - west);
            };
            fine(column, row) = static_cast<float>(std::lerp(at_row(north), at_row(north + 1), y - north));
        }
    // From 50 m to 25 m, of which steps are 30 m: what is told in them is of other lengths, but not by half.
    const TerrainStatistics coarse = statistics_of(z), found = statistics_of(fine);
    EXPECT_NEAR(found.drainage_density, coarse.drainage_density, 0.1 * coarse.drainage_density);
    EXPECT_NEAR(found.hack_exponent, coarse.hack_exponent, 0.05);
    EXPECT_NEAR(found.concavity, coarse.concavity, 0.08);
    EXPECT_NEAR(found.slope_mean, coarse.slope_mean, 0.1 * coarse.slope_mean);
}

TEST(TerrainStatistics, have_the_same_bits_on_any_number_of_threads) {
    const Field<float> z = hills();
    const auto on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return described(z);
    };
    const TerrainDescription one = on(1);
    for (const int threads : {2, 8}) {
        const TerrainDescription found = on(threads);
        for (const TerrainStatistic& each : terrain_statistics())
            EXPECT_EQ(std::bit_cast<std::uint64_t>(found.statistics.*each.value),
                      std::bit_cast<std::uint64_t>(one.statistics.*each.value))
                << each.name << ", " << threads;
        EXPECT_EQ(found.curves.spectrum, one.curves.spectrum);
        EXPECT_EQ(found.curves.aspect_shares, one.curves.aspect_shares);
        EXPECT_EQ(found.curves.slope_area, one.curves.slope_area);
        EXPECT_EQ(found.curves.long_profile, one.curves.long_profile);
    }
}

TEST(TerrainStatistics, leave_gaps_out) {
    const Field<float> z = example_terrain();
    Field<float> with_gap = z;
    tests::cut_out(with_gap, 0, 0, 255, 40);
    tests::cut_out(with_gap, 120, 120, 125, 122);
    const TerrainDescription whole = described(z), found = described(with_gap);
    EXPECT_NEAR(found.statistics.slope_mean, whole.statistics.slope_mean, 2.0);
    EXPECT_NEAR(found.statistics.hypsometric_integral, whole.statistics.hypsometric_integral, 0.05);
    EXPECT_NEAR(found.curves.hypsometry.area, 2500.0 * (256.0 * 215.0 - 18.0), 1.0);
}

TEST(TerrainStatistics, refuse_terrain_that_is_too_small_or_empty) {
    const auto message = [](int columns, int rows, float height) -> std::string {
        QuietProgress progress;
        try {
            describe_terrain(Field<float>(Grid{.columns = columns, .rows = rows}, height), progress);
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    };
    EXPECT_EQ(message(64, 63, 1.0F),
              "64 x 63 cells are not allowed: a terrain that is described has at least 64 x 64");
    EXPECT_EQ(message(64, 64, kNoData), "a terrain without data cannot be described");
    EXPECT_EQ(message(64, 64, 1.0F), "none");
}

TEST(TerrainStatistics, are_given_up_once_cancelled) {
    QuietProgress progress;
    progress.cancel();
    EXPECT_THROW(describe_terrain(hills(), progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
