#include "thalweg/erosion/fans.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/grid/resampling.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

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

/// Is cancelled once it was asked so many times.
class CancelledAfter final : public Progress {
  public:
    explicit CancelledAfter(int polls) : left_(polls) {}
    [[nodiscard]] bool cancelled() const noexcept override { return left_-- <= 0; }

  protected:
    void show(double, std::string_view) override {}

  private:
    mutable std::atomic<int> left_;
};

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

TEST(Fans, hold_each_its_own_volume_to_a_thousandth) {
    const Land land = lay(front(50.0), {.fan_thickness = 1.0});
    const Grid& grid = land.flow.tree.grid;
    std::vector<double> held(3), told(3);  // m^3, by valley
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            held[at(static_cast<int>(grid.x(column) / kValleySpacing))] +=
                grid.cell_area() * (static_cast<double>(land.laid.elevation(column, row)) -
                                    static_cast<double>(land.flow.elevation(column, row)));
    for (const FanApex& apex : land.laid.apexes)
        told[at(static_cast<int>(grid.x(grid.column_of(apex.cell)) / kValleySpacing))] += apex.volume;
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_GT(told[i], 5e6);
        EXPECT_NEAR(held[i], told[i], 1e-3 * told[i]) << i;
    }
}

TEST(Fans, take_sediment_of_each_cell_as_they_take_a_thickness) {
    const Field<float> z = front(50.0);
    const Land land = lay(z, {.fan_thickness = 2.0});
    const Fans given = fans({.elevation = land.flow.elevation,
                             .tree = land.flow.tree,
                             .boundary = land.boundary,
                             .sediment = Field<float>(z.grid(), 2.0F),
                             .seed = 1},
                            {.fan_thickness = 99.0}, progress);
    EXPECT_NEAR(given.report.demanded_volume, land.laid.report.demanded_volume,
                1e-9 * land.laid.report.demanded_volume);
    EXPECT_NEAR(given.report.laid_volume, land.laid.report.laid_volume, 1e-3 * land.laid.report.laid_volume);
}

TEST(Fans, are_small_where_rivers_stay_in_canyons) {
    Field<float> z = front(50.0);
    const double open = lay(z).laid.report.laid_volume;
    const Grid& grid = z.grid();
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)  // the plain becomes canyons that go on
            if (grid.y(row) < kFront) {
                const double aside = std::abs(std::fmod(grid.x(column), kValleySpacing) - kAxis);
                z(column, row) += static_cast<float>(0.6 * std::max(0.0, aside - 50.0));
            }
    const Land closed = lay(z);
    EXPECT_FALSE(closed.laid.apexes.empty());
    EXPECT_LT(closed.laid.report.laid_volume, 0.1 * open);
    EXPECT_GT(closed.laid.report.left_volume, 0.9 * closed.laid.report.demanded_volume);
}

TEST(Fans, that_reach_over_the_edge_lie_on_the_map_as_if_it_went_on) {
    const Field<float> whole = front(50.0);
    const int rows = static_cast<int>((16000.0 - kFront + 400.0) / 50.0);  // 400 m before the front
    Grid cut = whole.grid();
    cut.rows = rows;
    const Field<float> north(
        cut, std::vector<float>(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut.cells())));
    const Land all = lay(whole), part = lay(north);
    const auto held = [&](const Land& land) {  // m^3, by the rows that both have
        double sum = 0.0;
        for (std::int64_t cell = 0; cell < cut.cells(); ++cell)
            sum += static_cast<double>(land.laid.elevation[cell]) -
                   static_cast<double>(land.flow.elevation[cell]);
        return sum * cut.cell_area();
    };
    EXPECT_GT(part.laid.report.left_volume, 1.1 * all.laid.report.left_volume);
    EXPECT_NEAR(held(part) / held(all), 1.0, 0.2);
}

TEST(Fans, build_deltas_in_lakes_and_keep_the_lake) {
    Field<float> z = front(50.0);
    const Grid& grid = z.grid();
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double away = std::hypot(grid.x(column) - 6000.0, grid.y(row) - 6000.0) / 2300.0;
            z(column, row) -= static_cast<float>(30.0 * std::max(0.0, 1.0 - away * away));
        }
    const FlowBoundary boundary = {.roots = edge_roots(z)};
    const FlowResult flow = route(z, eight_neighbours(grid), boundary,
                                  {.conditioning = {.depressions = Depressions::Lakes}}, progress);
    const Field<float>& water = flow.lakes->water_elevation;
    const Fans laid = fans(
        {.elevation = z, .tree = flow.tree, .boundary = boundary, .water = water, .seed = 1}, {}, progress);
    std::int64_t deltas = 0, new_land = 0, wet = 0;
    for (const FanApex& apex : laid.apexes) deltas += apex.is_delta ? 1 : 0;
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        new_land += z[cell] < water[cell] && laid.elevation[cell] > water[cell] ? 1 : 0;
        wet += laid.elevation[cell] < water[cell] - 1.0F ? 1 : 0;
    }
    EXPECT_GE(deltas, 1);
    EXPECT_GT(new_land, 50);
    EXPECT_GT(wet, 500);
}

TEST(Fans, are_planned_at_the_same_places_with_the_same_volumes_on_averaged_cells) {
    const Field<float> fine = front(25.0);
    const Land one = lay(fine), other = lay(half_coarsen(half_coarsen(fine)));
    ASSERT_EQ(one.laid.apexes.size(), other.laid.apexes.size());
    for (std::size_t i = 0; i < one.laid.apexes.size(); ++i) {
        const FanApex &a = one.laid.apexes[i], &b = other.laid.apexes[i];
        EXPECT_LT(std::hypot(a.place.x - b.place.x, a.place.y - b.place.y), 150.0);
        EXPECT_NEAR(a.volume, b.volume, 0.05 * b.volume);
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
    const FanInputs inputs = {.elevation = flow.elevation, .tree = flow.tree, .boundary = boundary};
    int stopped = 0;
    for (int polls = 0;; ++polls) {
        CancelledAfter cancelled(polls);
        try {
            fans(inputs, {}, cancelled);
            break;
        } catch (const Cancelled&) {
            ++stopped;
        }
    }
    EXPECT_GT(stopped, 20);
}

}  // namespace
}  // namespace thalweg
