#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/river/line_network.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kSide = 12000.0;   // m
constexpr double kMiddle = 6000.0;  // m
constexpr double kFloor = 600.0;    // m, half the width of the floor
constexpr double kSlope = 0.0005;   // m/m, of the floor

/// A valley from west to east with a flat floor and walls that rise at once.
Field<float> valley(double wall) {
    Field<float> ground(make_grid(kSide, kSide, 400));
    const Grid& grid = ground.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double aside = std::abs(grid.y(grid.row_of(cell)) - kMiddle);
        ground[cell] = static_cast<float>(kSlope * (kSide - grid.x(grid.column_of(cell))) +
                                          (aside > kFloor ? wall : 0.0));
    }
    return ground;
}

MeanderState after(double wall, double years, double wall_erodibility = 0.2) {
    const Field<float> ground = valley(wall);
    const RiverNetwork river = network_of_lines(
        {{.points = {{500.0, kMiddle, 0.0}, {11500.0, kMiddle, 0.0}}}}, 60.0, ground, "river");
    MeanderSimulation rivers(river, {.wall_erodibility = wall_erodibility, .crevasse_rate = 0.0}, ground, 4);
    QuietProgress progress;
    while (rivers.year() < years) rivers.step(progress);
    return rivers.state();
}

double furthest_from_middle(const MeanderState& state) {
    double furthest = 0.0;
    for (const double y : state.channels[0].line.y) furthest = std::max(furthest, std::abs(y - kMiddle));
    return furthest;
}

/// Ground of the valley that lies less than half the wall above the floor, m^2.
double floor_area(const Field<float>& ground, double wall) {
    const Grid& grid = ground.grid();
    std::int64_t cells = 0;
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
        cells += ground[cell] < kSlope * (kSide - grid.x(grid.column_of(cell))) + 0.5 * wall ? 1 : 0;
    return static_cast<double>(cells) * grid.cell_area();
}

TEST(ValleyWalls, hold_a_river_that_would_wander_further) {
    const double free = furthest_from_middle(after(0.0, 300.0));
    const double held = furthest_from_middle(after(60.0, 300.0));
    EXPECT_GT(free, kFloor + 300.0);
    EXPECT_LT(held, kFloor + 100.0);
}

TEST(ValleyWalls, are_cut_back_the_slower_the_higher_and_harder_they_are) {
    const double cell = std::pow(kSide / 400.0, 2.0);  // m^2
    const auto gained = [&](double wall, double erodibility) {
        const MeanderState state = after(wall, 400.0, erodibility);
        return floor_area(*state.elevation, wall) - floor_area(valley(wall), wall);
    };
    const double low = gained(3.0, 1.0);
    const double high = gained(12.0, 1.0);
    const double hard = gained(12.0, 0.1);
    EXPECT_GT(high, 20.0 * cell);
    EXPECT_GT(low, 1.5 * high);
    EXPECT_GT(high, 1.5 * hard);
}

TEST(ValleyWalls, of_rock_twice_as_erodible_give_way_as_walls_of_twice_the_erodibility) {
    constexpr double kWall = 20.0;  // m
    const Field<float> ground = valley(kWall);
    // Straight, so close to the wall that this begins behind the bank.
    const RiverNetwork river = network_of_lines(
        {{.points = {{500.0, kMiddle + kFloor - 20.0, 0.0}, {11500.0, kMiddle + kFloor - 20.0, 0.0}}}}, 60.0,
        ground, "river");
    const auto mobility = [&](double erodibility, std::optional<Field<float>> rock) {
        const MeanderSimulation rivers(river, {.wall_erodibility = erodibility}, ground, 4, std::move(rock));
        return rivers.state().channels.front();
    };
    Field<float> rock(ground.grid(), 2.0F);
    for (std::int64_t cell = 0; cell < rock.size(); ++cell)
        if (rock.grid().x(rock.grid().column_of(cell)) > kMiddle) rock[cell] = 0.5F;
    const MeanderChannel ordinary = mobility(0.2, std::nullopt);
    const MeanderChannel other = mobility(0.2, rock);
    EXPECT_EQ(mobility(0.2, Field<float>(ground.grid(), 2.0F)).mobility,
              mobility(0.4, std::nullopt).mobility);
    int at_wall = 0;
    for (std::size_t i = 0; i < ordinary.mobility.size(); ++i) {
        const double x = ordinary.line.x[i];
        if (x < 1500.0 || x > 10500.0 || std::abs(x - kMiddle) < 100.0) continue;
        const double before = ordinary.mobility[i];
        const double depth = ordinary.line.values.depth[i];
        if (before > 0.5) continue;  // towards the side that is free, but for what banks are rounded by
        ++at_wall;
        // m = g d / (d + H / e): of both g and H are the same.
        const double factor = x < kMiddle ? 2.0 : 0.5;
        double height = kWall;
        const double bank = ordinary.line.z[i] + depth;
        height += kSlope * (kSide - x) - bank;
        EXPECT_NEAR(other.mobility[i] / before, (depth + height / 0.2) / (depth + height / (0.2 * factor)),
                    0.02);
    }
    EXPECT_GT(at_wall, 50);
}

TEST(ValleyWalls, are_never_raised) {
    const Field<float> before = valley(60.0);
    const MeanderState state = after(60.0, 100.0);
    for (std::int64_t cell = 0; cell < before.size(); ++cell)
        ASSERT_LE((*state.elevation)[cell], before[cell]);
}

}  // namespace
}  // namespace thalweg
