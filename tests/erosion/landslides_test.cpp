#include "thalweg/erosion/landslides.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "tests/cancelling_progress.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

constexpr double kFoot = 3000.0;  // m from the south, of a mountain side above a plain

/// A plain, and a side of a mountain that rises by `slope` behind it.
Field<float> mountain_side(int cells, double slope = 0.8) {
    Field<float> z(make_grid(6000.0, 6000.0, cells));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column) {
            const double y = z.grid().y(row), x = z.grid().x(column);
            z(column, row) = static_cast<float>(100.0 + 0.01 * y + slope * std::max(0.0, y - kFoot) +
                                                0.5 * std::sin(x / 70.0));
        }
    return z;
}

LandslideResult slid(const Field<float>& start, const LandslideParameters& parameters,
                     std::uint64_t seed = 4) {
    QuietProgress progress;
    return slide(start, parameters, seed, progress);
}

TEST(Landslides, keep_all_mass_but_what_leaves_over_the_rim) {
    const Field<float> start = mountain_side(300);
    const auto [end, report] = slid(start, {.landslides = 10.0});
    EXPECT_GT(report.slides, 50);
    EXPECT_NEAR((report.deposited_volume + report.carried_off_volume) / report.removed_volume, 1.0, 1e-12);
    EXPECT_LT(report.carried_off_volume, 0.3 * report.removed_volume);
    double change = 0.0;
    for (std::int64_t cell = 0; cell < start.size(); ++cell)
        change += static_cast<double>(start[cell]) - static_cast<double>(end[cell]);
    EXPECT_NEAR(change * start.grid().cell_area() / report.removed_volume,
                report.carried_off_volume / report.removed_volume, 1e-5);
}

TEST(Landslides, lay_down_all_that_they_remove_where_none_comes_to_the_rim) {
    Field<float> start(make_grid(8000.0, 8000.0, 400));
    for (int row = 0; row < start.rows(); ++row)
        for (int column = 0; column < start.columns(); ++column)
            start(column, row) =
                static_cast<float>(0.8 * std::max(0.0, 2000.0 - std::hypot(start.grid().x(column) - 4000.0,
                                                                           start.grid().y(row) - 4000.0)));
    const LandslideReport report = slid(start, {.landslides = 3.0}).report;
    EXPECT_GT(report.slides, 10);
    EXPECT_NEAR(report.deposited_volume / report.removed_volume, 1.0, 1e-12);
}

TEST(Landslides, leave_scars_above_aprons) {
    const Field<float> start = mountain_side(300);
    const Field<float> end = slid(start, {.landslides = 10.0}).elevation;
    std::int64_t scars = 0, aprons = 0, scars_below_the_foot = 0, aprons_on_the_plain = 0;
    for (int row = 0; row < start.rows(); ++row)
        for (int column = 0; column < start.columns(); ++column) {
            const float change = end(column, row) - start(column, row);
            const bool is_plain = start.grid().y(row) < kFoot;
            scars += change < -1.0F ? 1 : 0;
            scars_below_the_foot += change < -1.0F && is_plain ? 1 : 0;
            aprons += change > 1.0F ? 1 : 0;
            aprons_on_the_plain += change > 1.0F && is_plain ? 1 : 0;
        }
    EXPECT_GT(scars, 1000);
    EXPECT_EQ(scars_below_the_foot, 0);
    EXPECT_GT(aprons, 1000);
    EXPECT_GT(aprons_on_the_plain, aprons / 2);
}

TEST(Landslides, rest_at_the_slope_of_repose) {
    const Field<float> start = mountain_side(300);
    const Field<float> end = slid(start, {.landslides = 4.0, .repose_slope = 0.3}).elevation;
    double steepest = 0.0;
    const double cell = start.grid().cell_size;
    for (int row = 1; row + 1 < end.rows(); ++row)
        for (int column = 1; column + 1 < end.columns(); ++column) {
            if (start.grid().y(row) > kFoot - 2.0 * cell || end(column, row) - start(column, row) < 0.1F)
                continue;
            steepest = std::max(
                steepest, std::abs(static_cast<double>(end(column + 1, row) - end(column, row))) / cell);
            steepest = std::max(
                steepest, std::abs(static_cast<double>(end(column, row + 1) - end(column, row))) / cell);
        }
    EXPECT_GT(steepest, 0.25);
    EXPECT_LT(steepest, 0.35);
}

TEST(Landslides, have_the_areas_of_the_distribution) {
    // On an even slope all places slide but those near the rim.
    const LandslideReport report =
        slid(mountain_side(600), {.landslides = 60.0, .failure_slope = 0.5}).report;
    constexpr double kLeast = 8e3, kMost = 4e5;
    const double mean = (1.1 / 0.1) * (std::pow(kLeast, -0.1) - std::pow(kMost, -0.1)) /
                        (std::pow(kLeast, -1.1) - std::pow(kMost, -1.1));
    EXPECT_GT(report.slides, 400);
    EXPECT_NEAR(report.scar_area / static_cast<double>(report.slides) / mean, 1.0, 0.3);
}

TEST(Landslides, are_the_same_at_every_cell_size) {
    const LandslideReport fine = slid(mountain_side(600), {.landslides = 6.0}).report;
    for (const int cells : {300, 200}) {
        const LandslideReport coarse = slid(mountain_side(cells), {.landslides = 6.0}).report;
        EXPECT_NEAR(static_cast<double>(coarse.slides) / static_cast<double>(fine.slides), 1.0, 0.1) << cells;
        EXPECT_NEAR(coarse.removed_volume / fine.removed_volume, 1.0, 0.15) << cells;
    }
}

TEST(Landslides, come_down_where_it_is_steep_and_follow_the_seed) {
    const Field<float> start = mountain_side(200);
    EXPECT_TRUE(slid(start, {.landslides = 0.0}).elevation == start);
    EXPECT_TRUE(slid(start, {.landslides = 20.0, .failure_slope = 0.9}).elevation == start);
    const Field<float> end = slid(start, {.landslides = 5.0}).elevation;
    EXPECT_TRUE(slid(start, {.landslides = 5.0}).elevation == end);
    EXPECT_FALSE(slid(start, {.landslides = 5.0}, 5).elevation == end);
}

TEST(Landslides, leave_the_rim_of_the_data_as_it_is) {
    Field<float> start = mountain_side(200);
    for (int row = 80; row < 120; ++row)
        for (int column = 60; column < 90; ++column) start(column, row) = kNoData;
    const Field<float> end = slid(start, {.landslides = 20.0}).elevation;
    ASSERT_GT(slid(start, {.landslides = 20.0}).report.slides, 100);
    const Grid& grid = start.grid();
    for (int row = 0; row < 200; ++row)
        for (int column = 0; column < 200; ++column) {
            if (grid.on_edge(column, row)) {
                ASSERT_EQ(end(column, row), start(column, row));
            }
            ASSERT_EQ(is_no_data(end(column, row)), is_no_data(start(column, row)));
        }
}

TEST(Landslides, refuse_a_range_of_areas_that_is_empty) {
    EXPECT_THAT(refusal_of([] {
                    slid(mountain_side(20), {.landslides = 1.0, .least_slide = 10.0, .most_slide = 5.0});
                }),
                HasSubstr("most_slide = 5 is not allowed"));
}

TEST(Landslides, can_be_cancelled) {
    ImpatientProgress progress(3);
    EXPECT_THROW(slide(mountain_side(100), {.landslides = 20.0}, 1, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
