#include "thalweg/erosion/fans.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kValleySpacing = 4000.0;  // m
constexpr double kAxis = 2012.5;           // m, of the first valley, from the west: no edge of cells
constexpr double kFront = 8000.0;          // m, y: to the north mountains, to the south a plain

/// Three valleys that end at a straight front, before a plain that falls by `plain_slope` to the south.
Field<float> front(double cell_size, double plain_slope = 0.01) {
    const Grid grid = make_grid(12000.0, 16000.0, static_cast<int>(std::lround(16000.0 / cell_size)));
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double north = grid.y(row) - kFront;
            const double aside = std::abs(std::fmod(grid.x(column), kValleySpacing) - kAxis);
            const double height = north > 0.0 ? 0.12 * north + std::min(0.3 * aside, 0.6 * north)
                                              : plain_slope * north + 1e-3 * aside;
            z(column, row) = static_cast<float>(200.0 + height);
        }
    return z;
}

struct Land {
    FlowBoundary boundary;
    FlowResult flow;
    Fans laid;
};

Land lay(const Field<float>& z, const FanParameters& parameters = {},
         double sea_level = -std::numeric_limits<double>::infinity(), std::uint64_t seed = 1) {
    Land land = {.boundary = {.roots = edge_roots(z)}, .flow = {}, .laid = {}};
    Field<float> water(z.grid(), kNoData);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (static_cast<double>(z[cell]) <= sea_level) {
            land.boundary.roots[cell] = 1;
            water[cell] = static_cast<float>(sea_level);
        }
    land.flow = route(z, eight_neighbours(z.grid()), land.boundary, {}, progress);
    land.laid = fans({.elevation = land.flow.elevation,
                      .tree = land.flow.tree,
                      .boundary = land.boundary,
                      .water = water,
                      .seed = seed},
                     parameters, progress);
    return land;
}

double volume_above(const Field<float>& before, const Field<float>& after) {
    double sum = 0.0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell)
        sum += static_cast<double>(after[cell]) - static_cast<double>(before[cell]);
    return sum * before.grid().cell_area();
}

std::vector<FanApex> mouths(const Land& land) {
    std::vector<FanApex> found;
    const Grid& grid = land.flow.tree.grid;
    for (const FanApex& apex : land.laid.apexes)
        if (apex.area > 1e7 && std::abs(grid.y(grid.row_of(apex.cell)) - kFront) < 300.0)
            found.push_back(apex);
    return found;
}

TEST(Fans, lie_at_the_mouth_of_every_valley_at_all_sizes_of_cells) {
    for (const double cell_size : {25.0, 50.0, 100.0}) {
        const Land land = lay(front(cell_size));
        const Grid& grid = land.flow.tree.grid;
        const std::vector<FanApex> found = mouths(land);
        ASSERT_EQ(found.size(), 3U) << cell_size;
        for (const FanApex& apex : found) {
            const double x = grid.x(grid.column_of(apex.cell));
            EXPECT_NEAR(std::fmod(x, kValleySpacing), kAxis, 200.0) << cell_size;
            EXPECT_NEAR(apex.slope, 0.10 * std::pow(apex.area / 1e6, -0.25), 1e-9);
        }
    }
}

TEST(Fans, hold_what_is_demanded_to_a_thousandth) {
    for (const double thickness : {1.0, 5.0}) {
        const Land land = lay(front(50.0), {.fan_thickness = thickness});
        const FanReport& report = land.laid.report;
        double demanded = 0.0;
        for (const FanApex& apex : land.laid.apexes) demanded += thickness * apex.area;
        EXPECT_NEAR(report.demanded_volume, demanded, 1e-9 * demanded);
        EXPECT_NEAR(volume_above(land.flow.elevation, land.laid.elevation),
                    report.demanded_volume - report.left_volume, 1e-3 * demanded);
    }
}

TEST(Fans, have_nearly_the_same_volume_and_extent_on_finer_cells) {
    const Land coarse = lay(front(50.0)), fine = lay(front(25.0));
    EXPECT_NEAR(fine.laid.report.laid_volume / coarse.laid.report.laid_volume, 1.0, 0.05);
    const auto covered = [](const Land& land) {
        double cells = 0.0;
        for (std::int64_t cell = 0; cell < land.laid.elevation.size(); ++cell)
            cells += land.laid.elevation[cell] > land.flow.elevation[cell] + 0.5F ? 1.0 : 0.0;
        return cells * land.laid.elevation.grid().cell_area();
    };
    EXPECT_NEAR(covered(fine) / covered(coarse), 1.0, 0.1);
}

TEST(Fans, leave_no_pit) {
    const Land land = lay(front(50.0), {.fan_thickness = 5.0});
    EXPECT_GT(volume_above(land.flow.elevation, land.laid.elevation), 1e8);
    const FlowResult again =
        route(land.laid.elevation, eight_neighbours(land.flow.tree.grid), land.boundary, {}, progress);
    EXPECT_EQ(again.pits, 0);
    EXPECT_EQ(again.changed_cells, 0);
}

TEST(Fans, fall_away_from_the_apex_and_are_no_higher_than_it) {
    const Land land = lay(front(50.0));
    const Grid& grid = land.flow.tree.grid;
    for (const FanApex& apex : mouths(land)) {
        const int column = grid.column_of(apex.cell), row = grid.row_of(apex.cell);
        float above = land.laid.elevation[apex.cell] + 1.0F;
        for (int south = row; south < row + 20; south += 5) {
            EXPECT_LT(land.laid.elevation(column, south), above);
            above = land.laid.elevation(column, south);
        }
    }
}

TEST(Fans, build_deltas_where_rivers_come_to_the_sea) {
    const Land land = lay(front(50.0, 0.02), {}, 195.0);
    std::int64_t deltas = 0;
    for (const FanApex& apex : land.laid.apexes) deltas += apex.is_delta ? 1 : 0;
    EXPECT_GE(deltas, 3);
    std::int64_t new_land = 0;
    for (std::int64_t cell = 0; cell < land.laid.elevation.size(); ++cell)
        new_land += land.flow.elevation[cell] <= 195.0F && land.laid.elevation[cell] > 195.0F ? 1 : 0;
    EXPECT_GT(new_land, 50);
}

TEST(Fans, of_another_seed_have_other_lobes_and_the_same_volume) {
    const Field<float> z = front(50.0);
    const Land one = lay(z), other = lay(z, {}, -std::numeric_limits<double>::infinity(), 2);
    EXPECT_NE(one.laid.elevation, other.laid.elevation);
    EXPECT_NEAR(one.laid.report.laid_volume / other.laid.report.laid_volume, 1.0, 2e-3);
}

TEST(Fans, are_the_same_on_1_2_and_8_threads) {
    const Field<float> z = front(50.0);
    const Field<float> expected = lay(z).laid.elevation;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(lay(z).laid.elevation, expected);
    }
}

TEST(Fans, are_none_where_no_ground_is_steep_or_large_enough) {
    const Grid grid = make_grid(3000.0, 3000.0, 60);
    Field<float> z(grid);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) z[cell] = static_cast<float>(grid.row_of(cell));
    for (const Field<float>& ground : {z, Field<float>(make_grid(100.0, 100.0, 1), 5.0F)}) {
        const Land land = lay(ground);
        EXPECT_TRUE(land.laid.apexes.empty());
        EXPECT_EQ(land.laid.elevation, land.flow.elevation);
    }
}

TEST(Fans, stop_when_they_are_cancelled) {
    const FlowResult flow = route(front(100.0), {}, progress);
    const FlowBoundary boundary = {.roots = edge_roots(flow.elevation)};
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(fans({.elevation = flow.elevation, .tree = flow.tree, .boundary = boundary}, {}, cancelled),
                 Cancelled);
}

}  // namespace
}  // namespace thalweg
