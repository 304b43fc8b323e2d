// Gullies beside closed forms and a slow oracle.
#include "thalweg/erosion/gullies.hpp"

#include "thalweg/flow/route.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

/// Hills that fall to the south, and where water goes on them.
struct Hills {
    Field<float> elevation;
    FlowTree tree;
};

Hills hills(int cells, Routing routing = Routing::Random) {
    QuietProgress progress;
    const Grid grid = make_grid(3000.0, 3000.0, cells);
    Field<float> z =
        make_noise(grid, {.kind = NoiseKind::Simplex, .amplitude = 150.0, .wavelength = 900.0}, 3, progress);
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) += static_cast<float>(0.5 * grid.y(row));
    FlowParameters parameters;
    parameters.routing = {.routing = routing, .seed = 5};
    FlowResult flow = route(z, parameters, progress);
    return {std::move(flow.elevation), std::move(flow.tree)};
}

/// A chain of cells of 10 m that falls to the west by `slope`, one row high between walls.
Hills chain(int cells, double slope) {
    QuietProgress progress;
    Field<float> z(make_grid(10.0 * cells, 10.0, cells));
    for (int column = 0; column < cells; ++column) z(column, 0) = static_cast<float>(10.0 * slope * column);
    FlowBoundary west{.roots = Field<std::uint8_t>(z.grid())};
    west.roots(0, 0) = 1;
    const FlowResult flow = route(z, eight_neighbours(z.grid()), west, {}, progress);
    return {z, flow.tree};
}

Field<float> cut(const Hills& hills, const GullyParameters& parameters, const GullyFields& fields = {}) {
    QuietProgress progress;
    return cut_gullies(hills.elevation, hills.tree, fields, parameters, progress);
}

TEST(Gullies, lower_an_even_slope_by_celerity_times_slope_and_time) {
    const Hills slope = chain(400, 0.3);
    // 200 cells up, 200 drain; the change in a short time is k (A^m - A_g^m) S t.
    const GullyParameters parameters{.time = 10.0, .head_area = 2e3};
    const Field<float> after = cut(slope, parameters);
    const double area = 200.0 * 100.0;
    const double fall = 2e-5 * (std::pow(area, 0.4) - std::pow(2e3, 0.4)) * 0.3 * 10.0;
    const auto fallen = static_cast<double>(slope.elevation(200, 0) - after(200, 0));
    EXPECT_NEAR(fallen, fall, 0.02 * fall + 3e-5);  // floats of 600 m
    for (int column = 381; column < 400; ++column)
        EXPECT_EQ(after(column, 0), slope.elevation(column, 0)) << "a head drains 2e3 m^2";
    EXPECT_EQ(after(0, 0), 0.0F);
}

TEST(Gullies, are_the_implicit_step_of_a_slow_oracle) {
    const Hills ground = hills(60);
    const GullyParameters parameters{
        .time = 5e4, .head_area = 8e3, .erodibility = 3e-5, .area_exponent = 0.5};
    const Field<float> after = cut(ground, parameters);
    // By the lowest cell that is still open, with areas counted by walking down from every cell.
    std::vector<double> cells(ground.elevation.size(), 0.0);
    for (std::int32_t cell = 0; cell < ground.elevation.size(); ++cell)
        for (std::int32_t at = cell; at >= 0; at = ground.tree.receiver(at)) cells[at] += 1.0;
    double lowered = 0.0;
    for (std::int32_t cell = 0; cell < ground.elevation.size(); ++cell) {
        const std::int32_t below = ground.tree.receiver(cell);
        const auto z = static_cast<double>(ground.elevation[cell]);
        double expected = z;
        const double area = cells[cell] * 2500.0;
        if (below >= 0 && area > 8e3) {
            const double x = ground.elevation.grid().x(cell % 60) - ground.elevation.grid().x(below % 60);
            const double y = ground.elevation.grid().y(cell / 60) - ground.elevation.grid().y(below / 60);
            const double celerity = 3e-5 * (std::sqrt(area) - std::sqrt(8e3));
            const double reach = celerity * 5e4 / std::hypot(x, y);
            expected = std::min(z, (z + reach * static_cast<double>(after[below])) / (1.0 + reach));
        }
        ASSERT_NEAR(static_cast<double>(after[cell]), expected, 1e-3);
        lowered += z - static_cast<double>(after[cell]);
    }
    EXPECT_GT(lowered, 0.5 * 3600.0);
}

TEST(Gullies, never_raise_ground_nor_turn_beds_round_in_any_time) {
    const Hills ground = hills(100);
    for (const double time : {1e3, 1e5, 1e9}) {
        const Field<float> after = cut(ground, {.time = time});
        for (std::int32_t cell = 0; cell < after.size(); ++cell) {
            ASSERT_LE(after[cell], ground.elevation[cell]);
            const std::int32_t below = ground.tree.receiver(cell);
            if (below >= 0) {
                ASSERT_GE(after[cell], after[below]);
            }
        }
    }
}

TEST(Gullies, keep_held_cells) {
    const Hills ground = hills(100);
    GullyFields fields{.held = Field<std::uint8_t>(ground.elevation.grid())};
    for (int row = 40; row < 60; ++row)
        for (int column = 0; column < 100; ++column) fields.held(column, row) = 1;
    const Field<float> after = cut(ground, {.time = 2e4}, fields);
    double lowered = 0.0;
    for (std::int32_t cell = 0; cell < after.size(); ++cell) {
        if (fields.held[cell] != 0) {
            ASSERT_EQ(after[cell], ground.elevation[cell]);
        }
        lowered += static_cast<double>(ground.elevation[cell] - after[cell]);
    }
    EXPECT_GT(lowered, 1e3);
}

TEST(Gullies, begin_where_area_times_the_square_of_slope_is_that_of_a_head) {
    // At half the slope of a head four times as much drains there: 4e3 m^2, 40 cells of 10 m.
    const Hills slope = chain(200, 0.1);
    const GullyParameters parameters{.time = 1e4, .head_area = 1e3, .head_slope = 0.2};
    const Field<float> even = cut(slope, parameters);
    const Field<float> gentle = cut(slope, parameters, {.slope = Field<float>(slope.elevation.grid(), 0.1F)});
    const Field<float> steep = cut(slope, parameters, {.slope = Field<float>(slope.elevation.grid(), 0.9F)});
    EXPECT_EQ(steep, even);
    const auto is_cut = [&](const Field<float>& after, int column) {
        return after(column, 0) < slope.elevation(column, 0);
    };
    for (int column = 1; column < 200; ++column) {
        ASSERT_EQ(is_cut(even, column), 200 - column > 10) << column;
        ASSERT_EQ(is_cut(gentle, column), 200 - column > 40) << column;
    }
}

TEST(Gullies, end_where_what_drains_is_a_river) {
    const Hills slope = chain(200, 0.1);  // 100 m^2 a cell
    const Field<float> after = cut(slope, {.time = 1e4, .head_area = 1e3, .river_area = 5e3});
    for (int column = 1; column < 200; ++column) {
        const int drained = 200 - column;
        ASSERT_EQ(after(column, 0) < slope.elevation(column, 0), drained > 10 && drained < 50) << column;
    }
}

TEST(Gullies, leave_all_as_it_is_in_no_time_and_above_the_last_head) {
    const Hills ground = hills(50);
    EXPECT_EQ(cut(ground, {.time = 0.0}), ground.elevation);
    EXPECT_EQ(cut(ground, {.time = 1e5, .head_area = 1e9}), ground.elevation);
    EXPECT_EQ(cut(ground, {.time = 1e5, .erodibility = 0.0}), ground.elevation);
}

TEST(Gullies, refuse_wrong_numbers_and_stop_when_they_are_told_to) {
    const Hills ground = hills(20);
    EXPECT_THAT(refusal_of([&] { cut(ground, {.time = -1.0}); }), HasSubstr("time = -1"));
    EXPECT_THAT(refusal_of([&] { cut(ground, {.head_area = std::nan("")}); }), HasSubstr("head_area = nan"));
    EXPECT_THAT(refusal_of([&] { cut(ground, {.head_slope = -0.1}); }), HasSubstr("head_slope = -0.1"));
    EXPECT_THAT(refusal_of([&] { cut(ground, {.river_area = std::nan("")}); }),
                HasSubstr("river_area = nan"));
    EXPECT_THAT(refusal_of([&] { cut(ground, {.erodibility = -1e-5}); }), HasSubstr("erodibility"));
    EXPECT_THAT(refusal_of([&] { cut(ground, {.area_exponent = std::numeric_limits<double>::infinity()}); }),
                HasSubstr("area_exponent = inf"));
    ImpatientProgress impatient(0);
    EXPECT_THROW(cut_gullies(ground.elevation, ground.tree, {}, {}, impatient), Cancelled);
}

}  // namespace
}  // namespace thalweg
