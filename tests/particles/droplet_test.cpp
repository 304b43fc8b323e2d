#include "thalweg/particles/droplet.hpp"

#include "thalweg/particles/droplet_batch.hpp"
#include "thalweg/particles/particle_ground.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr DropletLaw kLaw{.cell_size = 10.0F,
                          .gravity = 0.05F,
                          .momentum_transfer = 0.07F,
                          .momentum_discharge = 5e4F,
                          .entrainment = 10.0F,
                          .entrainment_rate = 1e-5F,
                          .capacity = 1e6F,
                          .exchange_length = 141.0F,
                          .evaporation_length = 1e30F,
                          .climb_limit = 1.0F,
                          .steps = 1000};

/// Ground of whole units that falls to the east by `slope` m/m.
Field<std::int32_t> fall_to_the_east(int columns, int rows, double slope) {
    Field<std::int32_t> units(
        Grid{.columns = columns, .rows = rows, .cell_size = 10.0, .north = rows * 10.0});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            units(column, row) = static_cast<std::int32_t>(
                std::lround((columns - 1 - column) * 10.0 * slope / kElevationUnit));
    return units;
}

/// One droplet on a ground of its own.
DropletTraces run_one(ParticleGround& ground, const Field<std::int32_t>& units, const DropletLaw& law,
                      Droplet droplet) {
    std::vector<DropletTraces> traces(1);
    traces[0].cells.resize(static_cast<std::size_t>(units.size()));
    traces[0].is_touched = ground.tiles().no_marks();
    const std::vector<DropletStart> starts = {{.droplet = droplet, .water = 1 << 20}};
    run_droplets(law, ground.for_droplets(), ground.tiles(), starts, traces[0]);
    ground.count_visits(traces);
    move_sediment(law, ground.for_droplets(), traces[0]);
    return traces[0];
}

TEST(Droplet, turns_on_a_plane_into_its_fall_as_the_closed_form_says) {
    constexpr double kSlope = 0.1;
    DropletLaw law = kLaw;
    law.momentum_transfer = 0.0F;
    constexpr double kStep = 0.25;  // m: small beside the length on which it turns
    const double start = 0.5 * std::numbers::pi;
    Vector2 direction = {0.0F, 1.0F};
    double way = 0.0;
    for (int step = 0; step < 4000; ++step) {
        direction =
            turned(law, direction, {static_cast<float>(-kSlope), 0.0F}, {}, static_cast<float>(kStep));
        way += kStep;
        const double rate = 0.05 * kSlope / std::sqrt(1.0 + kSlope * kSlope);
        const double angle = 2.0 * std::atan(std::tan(0.5 * start) * std::exp(-rate * way));
        ASSERT_NEAR(std::atan2(direction.y, direction.x), angle, 2e-3) << way;
    }
    EXPECT_NEAR(direction.x, 1.0F, 1e-3F);
}

TEST(Droplet, is_carried_along_by_a_stream_and_not_by_one_across) {
    const GroundCell stream{.discharge = 1e7F, .momentum_east = 1e7F};
    const Vector2 oblique = turned(kLaw, {0.8F, 0.6F}, {}, stream, 10.0F);
    EXPECT_GT(oblique.x, 0.8F);
    const Vector2 across = turned(kLaw, {0.0F, 1.0F}, {}, stream, 10.0F);
    EXPECT_EQ(across.x, 0.0F);
    EXPECT_EQ(across.y, 1.0F);
}

TEST(Droplet, comes_to_its_equilibrium_load_on_a_uniform_slope_by_the_closed_form) {
    constexpr double kSlope = 0.02;
    const Field<std::int32_t> units = fall_to_the_east(120, 9, kSlope);
    ParticleGround ground(units, {});
    const DropletTraces traces = run_one(ground, units, kLaw, {.place = {1.5F, 4.5F}});
    EXPECT_EQ(traces.tally.moves, 118);
    // Without discharge, C V is the capacity times the slope, and a batch takes half of the drop at most.
    const double equilibrium = 1e6 * kSlope;
    double load = 0.0;
    for (int step = 0; step < 118; ++step) {
        load -= static_cast<double>(traces.cells[units.grid().index(1 + step, 4)].elevation);
        const double expected = equilibrium * (1.0 - std::pow(141.0 / 151.0, step + 1));
        ASSERT_NEAR(load, expected, 1e-3 * equilibrium) << step;
    }
    EXPECT_EQ(static_cast<double>(traces.tally.sediment_left), load);
}

TEST(Droplet, crosses_each_column_once_whichever_way_it_goes) {
    Field<std::int32_t> units = fall_to_the_east(80, 80, 0.0);
    ParticleGround ground(units, {});
    for (GroundCell& cell : ground.cells())
        cell = {.discharge = 1e9F, .momentum_east = 9e8F, .momentum_south = 4e8F};
    const DropletTraces traces =
        run_one(ground, units, kLaw, {.place = {1.5F, 1.5F}, .direction = {0.9F, 0.4F}});
    for (int column = 1; column < 79; ++column) {
        std::int64_t visits = 0;
        for (int row = 0; row < 80; ++row) visits += traces.cells[units.grid().index(column, row)].water;
        ASSERT_EQ(visits, 4096) << column;
    }
}

TEST(Droplet, lays_what_it_carries_down_where_it_ends) {
    Field<std::int32_t> units = fall_to_the_east(80, 20, 0.02);
    for (int row = 0; row < 20; ++row)  // a hollow without an exit
        for (int column = 50; column < 80; ++column)
            units(column, row) =
                static_cast<std::int32_t>(std::lround((10.0 + column * 2.0) / kElevationUnit));
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 80; ++column) units(column, row) += std::abs(row - 9) << 16;
    ParticleGround ground(units, {});
    const DropletTraces traces = run_one(ground, units, kLaw, {.place = {20.5F, 9.5F}});
    std::int64_t sum = 0;
    for (const CellTrace& cell : traces.cells) sum += cell.elevation;
    EXPECT_EQ(sum, 0);
    EXPECT_EQ(traces.tally.sediment_left, 0);
    EXPECT_LT(traces.tally.moves, 200);
}

TEST(Droplet, takes_no_more_than_half_of_the_drop_with_all_that_come_with_it) {
    for (const float visits : {1.0F, 10.0F, 1000.0F}) {
        DropletLaw law = kLaw;
        law.capacity = 1e12F;
        const std::int32_t taken = exchanged(law, {}, 2.0F, 10.0F, {.visits = visits});
        EXPECT_NEAR(taken * static_cast<double>(visits) * kElevationUnit, 1.0, 1e-2) << visits;
    }
    EXPECT_EQ(exchanged(kLaw, {}, -1.0F, 10.0F, {}), 0) << "uphill with nothing to lay down";
}

TEST(Droplet, lays_down_no_more_than_half_of_the_way_up_to_where_it_comes_from) {
    for (const float above : {-1.0F, 0.0F, 0.3F, 4.0F}) {
        const DropletCargo cargo = {.volume = 0.5F, .load = 1 << 24, .above = above};
        const std::int32_t laid = -exchanged(kLaw, cargo, 5.0F, 10.0F, {.visits = 20.0F});
        EXPECT_NEAR(laid * kElevationUnit, 0.5 * std::max(above, 0.0F) * 0.5 / 20.0, 1e-4) << above;
    }
}

TEST(Droplet, that_has_climbed_too_far_falls_to_lower_ground_than_it_has_seen) {
    // A narrow channel to the south, with a bend, that a droplet leaves by its momentum.
    Field<std::int32_t> units(Grid{.columns = 30, .rows = 40, .cell_size = 10.0, .north = 400.0});
    for (int row = 0; row < 40; ++row)
        for (int column = 0; column < 30; ++column) {
            const int bed = row < 20 ? 8 : 16;
            const bool is_bed = column == bed || (row == 20 && column >= 8 && column <= 16);
            const double along = 40 - row + (row < 20 ? 8 : row == 20 ? 16 - column : 0);
            units(column, row) =
                static_cast<std::int32_t>(std::lround((0.2 * along + (is_bed ? 0.0 : 8.0)) / kElevationUnit));
        }
    ParticleGround ground(units, {});
    const DropletTraces traces = run_one(ground, units, kLaw, {.place = {8.5F, 2.5F}});
    EXPECT_TRUE(traces.paths.at(0).has_left);
    EXPECT_EQ(traces.steps.back().cell, units.grid().index(16, 39));
}

TEST(Droplet, knows_the_gradient_of_a_cubic_by_fourth_order) {
    const auto height = [](double x) { return 1e-5 * x * x * x - 2e-3 * x * x; };
    Field<std::int32_t> units(Grid{.columns = 12, .rows = 12, .cell_size = 10.0});
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 12; ++column)
            units(column, row) =
                static_cast<std::int32_t>(std::lround(height(column * 10.0) / kElevationUnit));
    const ParticleGround ground(units, {});
    DropletLaw law = kLaw;
    law.is_fourth_order = true;
    const double exact = 3e-5 * 2500.0 - 4e-3 * 50.0;
    EXPECT_NEAR(gradient_at(law, ground.for_droplets(), 5, 5).x, exact, 1e-5);
    EXPECT_NEAR(gradient_at(kLaw, ground.for_droplets(), 5, 5).x, exact + 1e-5 * 100.0, 1e-5);
    EXPECT_NEAR(gradient_at(law, ground.for_droplets(), 1, 5).x, 3e-5 * 100.0 - 4e-3 * 10.0 + 1e-5 * 100.0,
                1e-5)
        << "beside the border by second order";
}

TEST(Droplet, knows_the_error_function) {
    for (float x = 0.0F; x < 5.0F; x += 0.1F) EXPECT_NEAR(error_function(x), std::erf(x), 5e-4);
}

}  // namespace
}  // namespace thalweg
