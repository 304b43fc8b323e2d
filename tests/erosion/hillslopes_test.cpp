#include "thalweg/erosion/hillslopes.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// Heights by x and y, m from the middle of a square of that side.
Field<float> terrain(double side, int cells, const std::function<double(double, double)>& height) {
    Field<float> z(make_grid(side, side, cells));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) =
                static_cast<float>(height(z.grid().x(column) - side / 2.0, z.grid().y(row) - side / 2.0));
    return z;
}

CreepResult crept(const Field<float>& start, const CreepParameters& parameters,
                  const CreepFields& fields = {}) {
    QuietProgress progress;
    return creep(start, fields, parameters, progress);
}

double sum_of(const Field<float>& z) {
    double sum = 0.0;
    for (const float value : z)
        if (!is_no_data(value)) sum += static_cast<double>(value);
    return sum;
}

/// A cone of this slope, or a rough mountain on it.
Field<float> cone(double slope, int cells = 128, double roughness = 0.0) {
    Field<float> z =
        terrain(2560.0, cells, [&](double x, double y) { return 1500.0 - slope * std::hypot(x, y); });
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] +=
            static_cast<float>(roughness * static_cast<double>(unit_float(random_bits(
                                               3, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)))));
    return z;
}

/// Error of the top of a gaussian hill that spreads in proportion to slope, m.
double error_of_gaussian(int steps) {
    constexpr double kWidth = 200.0, kReach = 20000.0;  // m, m^2
    const Field<float> start = terrain(3000.0, 300, [&](double x, double y) {
        return 100.0 * std::exp(-(x * x + y * y) / (2.0 * kWidth * kWidth));
    });
    const Field<float> end =
        crept(start, {.time = kReach / 0.1, .diffusivity = 0.1, .critical_slope = kInfinite, .steps = steps})
            .elevation;
    const double variance = kWidth * kWidth + 2.0 * kReach;
    const double top = 100.0 * kWidth * kWidth / variance * std::exp(-(25.0 + 25.0) / (2.0 * variance));
    return std::abs(static_cast<double>(end(150, 150)) - top);
}

TEST(Creep, spreads_a_gaussian_hill_with_an_error_of_first_order_in_time) {
    const double of_8 = error_of_gaussian(8), of_16 = error_of_gaussian(16), of_32 = error_of_gaussian(32);
    EXPECT_LT(of_32, 1.0);
    EXPECT_NEAR(of_8 / of_16, 2.0, 0.3);
    EXPECT_NEAR(of_16 / of_32, 2.0, 0.3);
}

/// A strip from a divide to a channel, at steady state with uplift.
Field<float> steady_strip(const CreepParameters& parameters, double uplift, int columns) {
    Field<float> z(Grid{.columns = columns, .rows = 3, .cell_size = 5.0});
    CreepFields fields{.held = Field<std::uint8_t>(z.grid())};
    for (int row = 0; row < 3; ++row) fields.held(columns - 1, row) = 1;
    for (int i = 0; i < 30; ++i) {
        for (int row = 0; row < 3; ++row)
            for (int column = 0; column + 1 < columns; ++column)
                z(column, row) += static_cast<float>(uplift * parameters.time);
        z = crept(z, parameters, fields).elevation;
    }
    return z;
}

TEST(Creep, in_proportion_to_slope_keeps_the_parabola_that_balances_uplift) {
    constexpr double kUplift = 1e-4, kDiffusivity = 0.02;
    const Field<float> z = steady_strip(
        {.time = 1e6, .diffusivity = kDiffusivity, .critical_slope = kInfinite, .steps = 1}, kUplift, 40);
    for (int column = 0; column + 1 < 40; ++column) {
        const double slope = static_cast<double>(z(column, 1) - z(column + 1, 1)) / 5.0;
        EXPECT_NEAR(slope, kUplift * (column + 1) * 5.0 / kDiffusivity, 2e-3) << column;
    }
}

TEST(Creep, near_failure_keeps_the_hillslope_of_roering_that_balances_uplift) {
    constexpr double kUplift = 1e-4, kDiffusivity = 0.005, kCritical = 1.25;
    const Field<float> z = steady_strip(
        {.time = 1e6, .diffusivity = kDiffusivity, .critical_slope = kCritical, .steps = 1}, kUplift, 40);
    double steepest = 0.0;
    for (int column = 0; column + 1 < 40; ++column) {
        const double slope = static_cast<double>(z(column, 1) - z(column + 1, 1)) / 5.0;
        const double flux = kUplift * (column + 1) * 5.0;  // m^2/yr
        const double ratio = 2.0 * flux / (kDiffusivity * kCritical);
        const double expected = kCritical / ratio * (std::sqrt(1.0 + ratio * ratio) - 1.0);
        if (expected > 0.9 * kCritical) break;
        EXPECT_NEAR(slope, expected, 2e-3) << column;
        steepest = expected;
    }
    EXPECT_GT(steepest, 0.85 * kCritical);
}

TEST(Creep, keeps_mass_on_slopes_beyond_the_critical_one) {
    Field<float> start = cone(1.6, 128, 40.0);
    for (int row = 20; row < 40; ++row) start(50 + row, row) = kNoData;
    const CreepResult result = crept(start, {.time = 1e5, .diffusivity = 0.02});
    EXPECT_LT(result.report.error, 1e-4 * start.grid().cell_size);
    EXPECT_NEAR(sum_of(result.elevation) / sum_of(start), 1.0, 1e-8);
    EXPECT_NEAR(result.report.delivered_volume, 0.0, 1.0);
    for (std::int64_t cell = 0; cell < start.size(); ++cell)
        ASSERT_EQ(is_no_data(result.elevation[cell]), is_no_data(start[cell]));
}

TEST(Creep, brings_to_channels_what_it_takes_off_slopes) {
    const Field<float> start = cone(1.0, 128, 20.0);
    CreepFields fields{.held = Field<std::uint8_t>(start.grid())};
    for (int row = 0; row < 128; ++row) fields.held(90, row) = 1;
    const CreepResult result = crept(start, {.time = 1e5}, fields);
    for (int row = 0; row < 128; ++row) ASSERT_EQ(result.elevation(90, row), start(90, row));
    const double lost = (sum_of(start) - sum_of(result.elevation)) * start.grid().cell_area();
    EXPECT_GT(std::abs(lost), 1e4);
    EXPECT_NEAR(result.report.delivered_volume, lost, 1e-8 * sum_of(start) * start.grid().cell_area());
}

/// Cells that all 8 neighbours stand above, or that lie on no edge.
int pits_of(const Field<float>& z) {
    int pits = 0;
    for (int row = 1; row + 1 < z.rows(); ++row)
        for (int column = 1; column + 1 < z.columns(); ++column) {
            bool is_pit = true;
            for (int r = row - 1; r <= row + 1; ++r)
                for (int c = column - 1; c <= column + 1; ++c)
                    is_pit = is_pit && (z(c, r) > z(column, row) || (c == column && r == row));
            pits += is_pit ? 1 : 0;
        }
    return pits;
}

TEST(Creep, stays_between_the_lowest_and_the_highest_and_makes_no_pits) {
    const Field<float> start = cone(0.9, 128, 100.0);
    ASSERT_GT(pits_of(start), 400);
    for (const double time : {1e4, 1e5, 1e8}) {
        const Field<float> end = crept(start, {.time = time}).elevation;
        const float margin = 1e-4F * static_cast<float>(start.grid().cell_size);
        EXPECT_LE(*std::ranges::max_element(end), *std::ranges::max_element(start) + margin);
        EXPECT_GE(*std::ranges::min_element(end), *std::ranges::min_element(start) - margin);
        EXPECT_LT(pits_of(end), pits_of(start) / 10) << time;
    }
}

/// How often the ground turns from convex to hollow and back along a row down the flank of a cone, counting
/// turns of more than a tenth of a per cent of slope.
int terraces_along(const Field<float>& z, int row) {
    int turns = 0;
    double last = 0.0;
    const double least = 1e-3 * z.grid().cell_size;
    for (int column = z.columns() / 2 + 8; column + 9 < z.columns(); ++column) {
        const double bend = static_cast<double>(z(column - 1, row)) -
                            2.0 * static_cast<double>(z(column, row)) +
                            static_cast<double>(z(column + 1, row));
        if (std::abs(bend) < least) continue;
        if (bend * last < 0.0) ++turns;
        last = bend;
    }
    return turns;
}

TEST(Creep, leaves_no_terraces_on_slopes_beyond_the_critical_one) {
    for (const double slope : {1.1, 1.25, 1.5, 2.5})
        for (const double time : {3e3, 3e4, 3e5}) {
            const CreepResult result = crept(cone(slope), {.time = time});
            for (const int row : {63, 80})
                EXPECT_LE(terraces_along(result.elevation, row), 1) << slope << " " << time;
            EXPECT_LT(result.report.error, 0.002);
        }
}

TEST(Creep, brings_slopes_down_to_the_critical_one) {
    const Field<float> end = crept(cone(2.0), {.time = 1e6, .diffusivity = 0.02}).elevation;
    for (int column = 72; column < 120; ++column)
        EXPECT_LT(static_cast<double>(end(column, 63) - end(column + 1, 63)) / end.grid().cell_size, 1.25)
            << column;
}

TEST(Creep, leaves_cliffs_where_rock_is_strong) {
    const Field<float> start = cone(2.0);
    CreepFields fields{.critical_slope = Field<float>(start.grid(), 0.8F)};
    for (int row = 0; row < 128; ++row)
        for (int column = 90; column < 96; ++column) fields.critical_slope(column, row) = 5.0F;
    const Field<float> end = crept(start, {.time = 2e5}, fields).elevation;
    const auto slope_at = [&](int column) {
        return static_cast<double>(end(column, 63) - end(column + 1, 63)) / end.grid().cell_size;
    };
    EXPECT_GT(slope_at(92), 2.0);
    EXPECT_LT(slope_at(80), 0.95);
}

TEST(Creep, does_the_same_at_every_cell_size) {
    const auto hills = [](double x, double y) {
        return 200.0 + 120.0 * std::sin(x / 90.0) * std::cos(y / 110.0) + 0.3 * x;
    };
    const CreepParameters parameters{.time = 1e5, .diffusivity = 0.02, .steps = 4};
    const Field<float> fine = crept(terrain(2560.0, 256, hills), parameters).elevation;
    for (const int factor : {2, 4}) {
        const Field<float> coarse = crept(terrain(2560.0, 256 / factor, hills), parameters).elevation;
        double squares = 0.0;
        for (int row = 0; row < coarse.rows(); ++row)
            for (int column = 0; column < coarse.columns(); ++column) {
                double mean = 0.0;
                for (int r = 0; r < factor; ++r)
                    for (int c = 0; c < factor; ++c)
                        mean += static_cast<double>(fine(column * factor + c, row * factor + r));
                mean /= factor * factor;
                squares += std::pow(mean - static_cast<double>(coarse(column, row)), 2);
            }
        EXPECT_LT(std::sqrt(squares / static_cast<double>(coarse.size())), 0.4 * factor) << factor;
    }
}

TEST(Creep, does_the_same_along_axes_and_diagonals) {
    // A round hill on a plain, whose heights along the two are compared at equal distances.
    Field<float> start = terrain(
        2560.0, 129, [](double x, double y) { return 1000.0 - 1.5 * std::min(600.0, std::hypot(x, y)); });
    const Field<float> end = crept(start, {.time = 1e5}).elevation;
    for (int step = 3; step <= 30; step += 3) {
        const double diagonal = static_cast<double>(end(64 + step, 64 + step));
        const double cells = step * std::numbers::sqrt2;
        const int whole = static_cast<int>(cells);
        const double part = cells - whole;
        const double axis = (1.0 - part) * static_cast<double>(end(64 + whole, 64)) +
                            part * static_cast<double>(end(65 + whole, 64));
        EXPECT_NEAR(diagonal, axis, 1.0) << step;  // m, of 900
    }
}

TEST(Creep, on_any_number_of_threads_and_in_vectors_of_any_width_has_the_same_bits) {
    const Field<float> start = cone(1.4, 300, 30.0);
    std::vector<Field<float>> results;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope scope({.threads = threads});
        results.push_back(crept(start, {.time = 5e4}).elevation);
    }
    for (const int lanes : {4, 8}) {
        limit_vector_lanes(lanes);
        results.push_back(crept(start, {.time = 5e4}).elevation);
    }
    limit_vector_lanes(0);
    for (const Field<float>& result : results) EXPECT_TRUE(result == results.front());
}

TEST(Creep, does_nothing_without_time_soil_or_slope) {
    const Field<float> start = cone(1.0, 32, 10.0);
    EXPECT_TRUE(crept(start, {.time = 0.0}).elevation == start);
    EXPECT_TRUE(crept(start, {.diffusivity = 0.0}).elevation == start);
    const Field<float> flat(make_grid(100.0, 100.0, 10), 7.0F);
    EXPECT_TRUE(crept(flat, {.time = 1e6}).elevation == flat);
    const Field<float> empty(make_grid(100.0, 100.0, 10), kNoData);
    EXPECT_TRUE(is_no_data(crept(empty, {.time = 1e6}).elevation[0]));
}

TEST(Creep, works_on_grids_of_one_row_or_column) {
    for (const bool is_row : {true, false}) {
        Field<float> z(Grid{.columns = is_row ? 40 : 1, .rows = is_row ? 1 : 40, .cell_size = 10.0});
        for (std::int64_t i = 0; i < 40; ++i) z[i] = i < 20 ? 0.0F : 100.0F;
        const Field<float> end = crept(z, {.time = 1e5}).elevation;
        EXPECT_NEAR(sum_of(end), 2000.0, 1e-3);
        EXPECT_GT(end[19], 5.0F);
        EXPECT_LT(end[20], 95.0F);
    }
}

TEST(Creep, refuses_what_makes_no_sense) {
    const Field<float> z = cone(1.0, 16);
    EXPECT_THAT(refusal_of([&] { crept(z, {.time = -1.0}); }), HasSubstr("time = -1 is not allowed"));
    EXPECT_THAT(refusal_of([&] { crept(z, {.time = kInfinite}); }), HasSubstr("time = inf"));
    EXPECT_THAT(refusal_of([&] { crept(z, {.critical_slope = 0.0}); }), HasSubstr("critical_slope = 0"));
    EXPECT_THAT(refusal_of([&] { crept(z, {.steps = -2}); }), HasSubstr("steps = -2"));
    CreepFields fields{.diffusivity = Field<float>(z.grid(), -0.5F)};
    EXPECT_THAT(refusal_of([&] { crept(z, {}, fields); }), HasSubstr("diffusivity = -0.5"));
    fields = {.critical_slope = Field<float>(z.grid(), kNoData)};
    EXPECT_THAT(refusal_of([&] { crept(z, {}, fields); }), HasSubstr("critical_slope = nan"));
}

TEST(Creep, can_be_cancelled) {
    const Field<float> z = cone(1.0, 64);
    ImpatientProgress progress(2);
    EXPECT_THROW(creep(z, {}, {}, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
