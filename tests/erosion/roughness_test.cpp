#include "thalweg/erosion/roughness.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/cancelling_progress.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::uint64_t kSeed = 7;

Field<float> terrain(double side, int cells, const std::function<double(double, double)>& height) {
    Field<float> z(make_grid(side, side, cells));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) = static_cast<float>(height(z.grid().x(column), z.grid().y(row)));
    return z;
}

Field<float> plane(double slope, int cells = 512, double side = 5120.0) {
    return terrain(side, cells, [&](double x, double) { return 100.0 + slope * x; });
}

Field<std::uint8_t> none(const Field<float>& z) {
    return Field<std::uint8_t>(z.grid());
}

Field<float> roughened(const Field<float>& z, double roughness = 17.0) {
    QuietProgress progress;
    return roughen(z, none(z), {.size = roughness}, kSeed, progress);
}

/// Root mean square of what differs, m, but near the edges.
double difference(const Field<float>& a, const Field<float>& b) {
    double sum = 0.0;
    int count = 0;
    for (int row = 8; row + 8 < a.rows(); ++row)
        for (int column = 8; column + 8 < a.columns(); ++column, ++count)
            sum += std::pow(static_cast<double>(a(column, row)) - static_cast<double>(b(column, row)), 2);
    return std::sqrt(sum / count);
}

/// Hills with ridges and valleys, which fall to the south.
Field<float> hills(int cells) {
    QuietProgress progress;
    const Grid grid = make_grid(7680.0, 7680.0, cells);
    Field<float> z =
        make_noise(grid, {.kind = NoiseKind::Billow, .amplitude = 500.0, .wavelength = 1500.0, .octaves = 3},
                   3, progress);
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) += static_cast<float>(0.4 * grid.y(row));
    return z;
}

std::int64_t pits_of(const Field<float>& z) {
    std::int64_t pits = 0;
    for (int row = 1; row + 1 < z.rows(); ++row)
        for (int column = 1; column + 1 < z.columns(); ++column) {
            bool drains = false;
            for (int d = 0; d < 8; ++d)
                drains = drains || z(column + kColumnStep[d], row + kRowStep[d]) < z(column, row);
            pits += drains ? 0 : 1;
        }
    return pits;
}

TEST(Roughness, makes_a_slope_uneven_by_its_metres_times_the_slope) {
    for (const double slope : {0.2, 0.8}) {
        const Field<float> z = plane(slope);
        EXPECT_NEAR(difference(roughened(z), z), 17.0 * slope, 0.05 * 17.0 * slope);
    }
    const Field<float> along_y = terrain(5120.0, 512, [](double, double y) { return 0.5 * y; });
    EXPECT_NEAR(difference(roughened(along_y, 10.0), along_y), 5.0, 0.25);
}

TEST(Roughness, leaves_level_ground_level_and_all_ground_alone_where_it_is_0) {
    const Field<float> level = plane(0.0);
    EXPECT_EQ(roughened(level), level);
    const Field<float> z = hills(128);
    EXPECT_EQ(roughened(z, 0.0), z);
}

TEST(Roughness, keeps_held_cells_and_edges_and_fades_in_beside_them) {
    const Field<float> z = plane(0.5);
    Field<std::uint8_t> held = none(z);
    for (int row = 0; row < held.rows(); ++row) held(256, row) = 1;
    QuietProgress progress;
    const Field<float> rough = roughen(z, held, {.size = 17.0}, kSeed, progress);
    const auto moved = [&](int column) {
        double sum = 0.0;
        for (int row = 1; row + 1 < z.rows(); ++row)
            sum += std::abs(static_cast<double>(rough(column, row)) - static_cast<double>(z(column, row)));
        return sum / z.rows();
    };
    EXPECT_EQ(moved(256), 0.0);
    EXPECT_LT(moved(257), 0.2 * moved(276));
    EXPECT_LT(moved(259), 0.8 * moved(276));
    for (int i = 0; i < z.columns(); ++i) ASSERT_EQ(rough(i, 0), z(i, 0));
}

TEST(Roughness, is_the_same_at_two_sizes) {
    QuietProgress progress;
    const Field<float> of_fine = resample(roughened(hills(512)), hills(256).grid());
    const double apart = difference(of_fine, roughened(hills(256)));
    const double before = difference(resample(hills(512), hills(256).grid()), hills(256));
    const double moved = difference(roughened(hills(256)), hills(256));
    EXPECT_GT(moved, 5.0);
    EXPECT_LT(apart - before, 0.35 * moved);  // the octave that 30 m do not hold
}

TEST(Roughness, drains_all_that_drained_before) {
    QuietProgress progress;
    const Field<float> ground = hills(256);
    const Field<float> z =
        fill_depressions(ground, edge_roots(ground), FilledSurface::Draining, progress).elevation;
    ASSERT_EQ(pits_of(z), 0);
    Field<float> rough = roughened(z);
    EXPECT_GT(pits_of(rough), 20);
    const Field<float> before = rough;
    EXPECT_GT(drain_pits(rough, edge_roots(rough), progress), 20);
    EXPECT_EQ(pits_of(rough), 0);
    EXPECT_LT(difference(rough, before), 0.4);
}

TEST(Roughness, fills_a_pit_on_a_plain_that_a_long_trench_would_drain) {
    QuietProgress progress;
    const Field<float> plain = terrain(500.0, 50, [](double x, double) { return 10.0 + 0.004 * x; });
    Field<float> z = plain;
    z(40, 20) -= 1.0F;
    EXPECT_EQ(drain_pits(z, edge_roots(z), progress), 1);
    EXPECT_EQ(pits_of(z), 0);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) ASSERT_NEAR(z[cell], plain[cell], 0.041F);
}

TEST(Roughness, cuts_a_breach_path_out_of_a_pit_where_that_moves_less) {
    QuietProgress progress;
    // Two cells west of the hole the ground falls by 5 m.
    const Field<float> step =
        terrain(500.0, 50, [](double x, double) { return 10.0 + 1e-4 * x + (x < 300.0 ? 0.0 : 5.0); });
    Field<float> z = step;
    for (int row = 18; row < 23; ++row) z(31, row) -= 1.0F - 0.1F * static_cast<float>(std::abs(row - 20));
    const Field<float> before = z;
    EXPECT_EQ(drain_pits(z, edge_roots(z), progress), 1);
    EXPECT_EQ(pits_of(z), 0);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) ASSERT_LE(z[cell], before[cell]);
}

TEST(Roughness, leaves_deep_hollows_and_roots_undrained) {
    QuietProgress progress;
    Field<float> z =
        terrain(1000.0, 100, [](double x, double y) { return std::hypot(x - 500.0, y - 500.0); });
    const Field<float> before = z;
    EXPECT_EQ(drain_pits(z, edge_roots(z), progress), 0);
    EXPECT_EQ(z, before);
    z(20, 20) -= 10.0F;
    Field<std::uint8_t> roots = edge_roots(z);
    roots(20, 20) = 1;
    const Field<float> with_root = z;
    EXPECT_EQ(drain_pits(z, roots, progress), 0);
    EXPECT_EQ(z, with_root);
}

TEST(Roughness, knows_no_ground_without_data) {
    Field<float> z = hills(128);
    for (int row = 40; row < 60; ++row)
        for (int column = 30; column < 50; ++column) z(column, row) = kNoData;
    Field<float> rough = roughened(z);
    QuietProgress progress;
    drain_pits(rough, edge_roots(rough), progress);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        ASSERT_EQ(is_no_data(rough[cell]), is_no_data(z[cell]));
}

TEST(Roughness, has_the_same_bits_on_any_number_of_threads) {
    const auto made_on = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        Field<float> rough = roughened(hills(256));
        drain_pits(rough, edge_roots(rough), progress);
        return rough;
    };
    EXPECT_EQ(made_on(1), made_on(2));
    EXPECT_EQ(made_on(1), made_on(8));
}

TEST(Roughness, stops_when_it_is_cancelled) {
    const Field<float> z = hills(128);
    ImpatientProgress progress(1);
    EXPECT_THROW(roughen(z, none(z), {.size = 17.0}, kSeed, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
