#include "thalweg/meander/meander_ground.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/meander/ground/bed_lines.hpp"
#include "thalweg/meander/ground/channel_beds.hpp"
#include "thalweg/meander/meander_maps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "tests/meander/histories.hpp"
#include "tests/meander/networks.hpp"
#include "tests/meander/plains.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Ground, a network on it and what it has left.
struct WanderedLand {
    Field<float> elevation;  // m
    RiverNetwork network;
    MeanderHistory history;
};

ShapedGround shaped(const WanderedLand& land, const MeanderMapParameters& maps = {},
                    const MeanderGroundParameters& parameters = {}) {
    QuietProgress progress;
    const Grid& grid = land.elevation.grid();
    const Field<float> age = channel_age(land.history, grid, progress);
    const Field<float> deposit = meander_deposit(land.history, grid, maps, progress);
    const OxbowLakes lakes = oxbow_lakes(land.history, grid, maps, progress);
    return shaped_ground({.elevation = land.elevation,
                          .network = land.network,
                          .history = land.history,
                          .channel_age = age,
                          .deposit = deposit,
                          .oxbow_depth = lakes.depth,
                          .bar_height = maps.bar_height},
                         parameters, progress);
}

/// Rivers of a plain of 8 km, after `years`.
WanderedLand wandered_plain(int cells, double years, double widening = 4.0, std::uint64_t seed = 3) {
    Field<float> elevation = plain(seed, 8000.0, cells, 0.002);
    MeanderSimulation rivers(plain_network(elevation, 4e6, widening), {.crevasse_rate = 0.2}, elevation,
                             seed);
    QuietProgress progress;
    rivers.record();
    while (rivers.year() < years) {
        for (int step = 0; step < 10; ++step) rivers.step(progress);
        rivers.record();
    }
    return {*rivers.state().elevation, rivers.network(), rivers.history()};
}

/// One channel that stays where it is.
WanderedLand still_channel(Field<float> elevation, const ChannelLine& line) {
    return {std::move(elevation), network_of({reach_along(1, 1, 2, -1, line)}),
            history_of([&](double) { return line; }, 10.0, 20.0)};
}

/// All cells that a line passes, one after another.
std::vector<std::int64_t> walked_cells(const Grid& grid, const std::vector<RiverPoint>& points) {
    constexpr int kSteps = 400;
    std::vector<std::int64_t> cells;
    for (std::size_t i = 0; i + 1 < points.size(); ++i)
        for (int step = 0; step < kSteps; ++step) {
            const double share = (step + 0.5) / kSteps;
            const double x = points[i].x + share * (points[i + 1].x - points[i].x);
            const double y = points[i].y + share * (points[i + 1].y - points[i].y);
            const int column = static_cast<int>(std::floor((x - grid.west) / grid.cell_size));
            const int row = static_cast<int>(std::floor((grid.north - y) / grid.cell_size));
            if (!grid.contains(column, row)) continue;
            if (const std::int64_t cell = grid.index(column, row); cells.empty() || cells.back() != cell)
                cells.push_back(cell);
        }
    return cells;
}

std::vector<std::int64_t> cells_of_channels(const WanderedLand& land) {
    std::vector<std::int64_t> all;
    for (const Reach& reach : land.network.reaches)
        for (const std::int64_t cell : walked_cells(land.elevation.grid(), reach.points)) all.push_back(cell);
    return all;
}

/// A plane of 3 x 2 km that stands at `height` m.
Field<float> level_ground(float height, double cell_size) {
    return Field<float>(Grid{.columns = static_cast<int>(3000.0 / cell_size),
                             .rows = static_cast<int>(2000.0 / cell_size),
                             .cell_size = cell_size,
                             .north = 1000.0},
                        height);
}

/// A level line along a sine, with its bed at `bed` m.
ChannelLine level_line(double amplitude, double width, double depth, double bed) {
    ChannelLine line = sine_line(2600.0, 20.0, 1000.0, amplitude, width);
    for (std::size_t i = 0; i < line.size(); ++i) {
        line.x[i] += 203.0;
        line.z[i] = bed;
        line.values.depth[i] = static_cast<float>(depth);
    }
    return line;
}

TEST(MeanderGround, where_no_channel_is_or_was_is_what_it_was) {
    const Field<float> elevation = plain(2, 1000.0, 30, 0.01);
    EXPECT_EQ(shaped({elevation, {}, {}}).elevation, elevation);
    const MeanderHistory empty{.networks = {{.year = 0.0, .channels = {}}}, .courses = {}, .events = {}};
    const ShapedGround ground = shaped({elevation, {}, empty});
    EXPECT_EQ(ground.elevation, elevation);
    EXPECT_EQ(ground.report.changed_cells, 0);
}

TEST(MeanderGround, under_a_straight_channel_is_its_cross_section) {
    // Ground at the bank: 100 m wide, 3 m deep, banks of 0.5.
    const WanderedLand land = still_channel(level_ground(8.0F, 5.0), level_line(0.0, 100.0, 3.0, 5.0));
    const ShapedGround ground = shaped(land, {.deposit_rate = 0.0});
    const int column = 300;
    for (int row = 0; row < land.elevation.rows(); ++row) {
        const double n = std::abs(land.elevation.grid().y(row));
        const double expected = n < 50.0 ? 8.0 - std::min(3.0, 0.5 * (50.0 - n)) : 8.0;
        ASSERT_NEAR(ground.elevation(column, row), expected, 1e-5) << n;
    }
}

TEST(MeanderGround, in_a_bend_is_deeper_on_the_outer_side) {
    const ChannelLine line = level_line(150.0, 60.0, 3.0, 5.0);
    const WanderedLand land = still_channel(level_ground(8.0F, 5.0), line);
    const ShapedGround ground = shaped(land, {.deposit_rate = 0.0});
    const ShapedGround flat = shaped(land, {.deposit_rate = 0.0}, {.bend_scour = 0.0});
    // At the crest of the sine, where the river turns to the right and its outer bank is in the north.
    const Grid& grid = land.elevation.grid();
    const int column = static_cast<int>(grid.column_at(203.0 + 1250.0));
    const auto depth_at = [&](const ShapedGround& of, double y) {
        return 8.0 - of.elevation(column, static_cast<int>(std::lround(grid.row_at(y))));
    };
    EXPECT_NEAR(depth_at(ground, 167.5), 3.0, 0.02);
    EXPECT_NEAR(depth_at(flat, 132.5), 3.0, 0.02);
    EXPECT_LT(depth_at(ground, 132.5), 2.4);
    EXPECT_GT(depth_at(ground, 132.5), 0.4);
}

TEST(MeanderGround, never_rises_along_channels_however_coarse_its_cells_are) {
    for (const int cells : {80, 260, 800}) {
        const WanderedLand land = wandered_plain(cells, 100.0);
        ASSERT_GT(land.network.reaches.size(), 3U);
        const Field<float> ground = shaped(land).elevation;
        for (const Reach& reach : land.network.reaches) {
            float before = std::numeric_limits<float>::infinity();
            for (const std::int64_t cell : walked_cells(ground.grid(), reach.points)) {
                ASSERT_LE(ground[cell], before) << cells << ": reach " << reach.id;
                before = ground[cell];
            }
        }
    }
}

TEST(MeanderGround, that_is_filled_has_no_water_standing_in_its_channels) {
    for (const int cells : {80, 260}) {
        const WanderedLand land = wandered_plain(cells, 100.0);
        const Field<float> ground = shaped(land).elevation;
        QuietProgress progress;
        const Filled filled = fill_depressions(ground, edge_roots(ground), FilledSurface::Level, progress);
        for (const std::int64_t cell : cells_of_channels(land))
            ASSERT_EQ(filled.elevation[cell], ground[cell]) << cells << ": " << cell;
    }
}

/// How many cells of channels send their water to another one, by steepest descent.
double share_within_channels(const WanderedLand& land, const Field<float>& ground) {
    QuietProgress progress;
    const FlowResult flow = route(ground, {}, progress);
    const ChannelBeds beds =
        channel_beds(ground.grid(), bed_lines(land.network, land.elevation), {}, progress);
    std::int64_t within = 0;
    std::int64_t all = 0;
    for (std::int64_t cell = 0; cell < ground.size(); ++cell) {
        const Grid& grid = ground.grid();
        if (is_no_data(beds.bed[cell]) || grid.on_edge(grid.column_of(cell), grid.row_of(cell))) continue;
        ++all;
        within += is_no_data(beds.bed[flow.tree.receiver(static_cast<std::int32_t>(cell))]) ? 0 : 1;
    }
    EXPECT_GT(all, 200);
    return static_cast<double>(within) / static_cast<double>(all);
}

TEST(MeanderGround, keeps_water_in_its_channels) {
    for (const int cells : {80, 260, 800}) {
        const WanderedLand land = wandered_plain(cells, 100.0);
        EXPECT_GT(share_within_channels(land, shaped(land).elevation), 0.999) << cells;
        EXPECT_LT(share_within_channels(land, land.elevation), 0.97) << cells;
    }
}

TEST(MeanderGround, has_the_values_of_a_slow_loop_over_all_cells_and_segments) {
    constexpr double kWidth = 70.0;
    constexpr double kDepth = 2.5;
    constexpr float kBank = 7.5F;
    const ChannelLine line = level_line(120.0, kWidth, kDepth, kBank - kDepth);
    Field<float> elevation = level_ground(0.0F, 25.0);
    const Grid grid = elevation.grid();
    Field<float> age(grid, kNoData);
    Field<float> deposit(grid, 0.0F);
    Field<float> scar(grid, 0.0F);
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const auto draw = [&](std::uint64_t number) {
            return unit_float(random_bits(7, Stream::WhiteNoise, static_cast<std::uint64_t>(cell), number));
        };
        elevation[cell] = 7.6F + 4.0F * draw(1);
        if (draw(2) < 0.5F) age[cell] = 50.0F * draw(3);
        if (draw(4) < 0.5F) deposit[cell] = 2.0F * draw(5);
        if (draw(6) < 0.2F) scar[cell] = draw(7);
    }
    const WanderedLand land = still_channel(elevation, line);
    QuietProgress progress;
    const ShapedGround ground = shaped_ground({.elevation = elevation,
                                               .network = land.network,
                                               .history = land.history,
                                               .channel_age = age,
                                               .deposit = deposit,
                                               .oxbow_depth = scar,
                                               .bar_height = 1.5},
                                              {.bend_scour = 0.0}, progress);
    const std::vector<std::int64_t> path = walked_cells(grid, points_of(line));
    const std::set<std::int64_t> middle(path.begin(), path.end());
    const auto distance_at = [&](std::int64_t cell) {
        double least = std::numeric_limits<double>::infinity();
        const Position p = grid.centre(grid.column_of(cell), grid.row_of(cell));
        for (std::size_t i = 0; i + 1 < line.size(); ++i) {
            const double dx = line.x[i + 1] - line.x[i];
            const double dy = line.y[i + 1] - line.y[i];
            const double t =
                std::clamp(((p.x - line.x[i]) * dx + (p.y - line.y[i]) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
            least = std::min(least, std::hypot(p.x - line.x[i] - t * dx, p.y - line.y[i] - t * dy));
        }
        return least;
    };
    const auto is_channel = [&](std::int64_t cell) {
        return middle.contains(cell) || distance_at(cell) < 0.5 * kWidth;
    };
    int channel_cells = 0;
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double n = distance_at(cell);
        const auto smooth = [](double u) {
            const double t = std::clamp(u, 0.0, 1.0);
            return t * t * (3.0 - 2.0 * t);
        };
        const double flooded = 1.0 - smooth((elevation[cell] - kBank) / kDepth);
        const double beside = elevation[cell] + flooded * deposit[cell];
        const double above =
            age[cell] == 0.0F ? 0.0
                              : std::max(deposit[cell] - (is_no_data(age[cell]) ? 0.0 : 1.5), -0.5 * kDepth);
        const double levelled = smooth((1.0 - n / kWidth) / 0.5);
        double expected = beside + levelled * (kBank + above - beside);
        if (levelled > 0.0 && scar[cell] > 0.0F)
            expected = std::min(expected, std::max<double>(expected, kBank) - scar[cell]);
        if (is_channel(cell)) {
            ++channel_cells;
            const double section = kBank - std::min(kDepth, 0.5 * (0.5 * kWidth - n));
            expected = middle.contains(cell) ? kBank - kDepth : std::min(expected, section);
        }
        if (!is_channel(cell)) {
            ASSERT_GE(ground.elevation[cell], expected - 2e-4) << cell;  // raised beside channels
            if (ground.elevation[cell] > expected + 2e-4) {
                ASSERT_NEAR(ground.elevation[cell], kBank, 0.75 * kDepth);
            }
            continue;
        }
        ASSERT_NEAR(ground.elevation[cell], expected, 2e-4) << cell;
    }
    EXPECT_GT(channel_cells, 200);
}

TEST(MeanderGround, further_from_channels_than_a_width_and_a_cell_keeps_its_bits) {
    ChannelLine line = level_line(0.0, 100.0, 3.0, 0.0);
    for (double& y : line.y) y = 2000.0;
    const WanderedLand land = still_channel(plain(4, 4000.0, 200, 0.001), line);
    const ShapedGround ground = shaped(land, {.deposit_rate = 0.0});
    std::int64_t kept = 0;
    for (std::int64_t cell = 0; cell < ground.elevation.size(); ++cell) {
        const Grid& grid = ground.elevation.grid();
        if (std::abs(grid.y(grid.row_of(cell)) - 2000.0) <= 100.0 + 1.5 * grid.cell_size) continue;
        ++kept;
        ASSERT_EQ(ground.elevation[cell], land.elevation[cell]);
    }
    EXPECT_GT(kept, 30000);
    EXPECT_GT(ground.report.changed_cells, 500);
}

TEST(MeanderGround, goes_over_into_what_is_beside_it_without_a_step) {
    // A wall 6 m above the bank: within half a width it has to come down.
    const WanderedLand land = still_channel(level_ground(14.0F, 4.0), level_line(100.0, 100.0, 3.0, 5.0));
    const Field<float> ground = shaped(land, {.deposit_rate = 0.0}).elevation;
    float most = 0.0F;
    for (int row = 0; row + 1 < ground.rows(); ++row)
        for (int column = 0; column + 1 < ground.columns(); ++column)
            most = std::max({most, std::abs(ground(column, row) - ground(column + 1, row)),
                             std::abs(ground(column, row) - ground(column, row + 1))});
    EXPECT_LT(most, 2.01);  // what banks of 0.5 are in a cell; a cut wall would be 6
}

TEST(MeanderGround, has_scars_as_deep_below_the_banks_as_lakes_are) {
    WanderedLand land = still_channel(level_ground(8.0F, 5.0), level_line(0.0, 60.0, 3.0, 5.0));
    ChannelLine bend = level_line(0.0, 60.0, 3.0, 5.0);
    for (double& y : bend.y) y = 500.0;
    land.history.courses.push_back({.id = 9, .reach = 1, .year = 0.0, .line = bend});
    const MeanderMapParameters maps{.oxbow_fill_time = 20.0, .deposit_rate = 0.0, .bar_height = 0.0};
    QuietProgress progress;
    const Field<float> water = oxbow_lakes(land.history, land.elevation.grid(), maps, progress).depth;
    const Field<float> ground = shaped(land, maps).elevation;
    const float deepest = *std::ranges::max_element(water);
    EXPECT_NEAR(deepest, 3.0 * std::exp(-1.0), 0.05);
    for (std::int64_t cell = 0; cell < water.size(); ++cell)
        if (water[cell] > 0.0F) {
            ASSERT_NEAR(ground[cell], 8.0F - water[cell], 1e-4F);
        }
}

TEST(MeanderGround, stays_no_data_where_it_is_none_and_is_the_same_beside_it) {
    WanderedLand land = wandered_plain(160, 50.0);
    for (int row = 60; row < 90; ++row)
        for (int column = 0; column < 160; ++column) land.elevation(column, row) = kNoData;
    const ShapedGround ground = shaped(land);
    for (std::int64_t cell = 0; cell < ground.elevation.size(); ++cell)
        ASSERT_EQ(is_no_data(ground.elevation[cell]), is_no_data(land.elevation[cell]));
    EXPECT_TRUE(std::isfinite(ground.report.cut_volume));
    EXPECT_GT(ground.report.changed_cells, 0);
}

TEST(MeanderGround, tells_what_was_cut_and_filled) {
    const WanderedLand land = wandered_plain(200, 100.0);
    const ShapedGround ground = shaped(land);
    double sum = 0.0;
    for (std::int64_t cell = 0; cell < land.elevation.size(); ++cell)
        sum += double{ground.elevation[cell]} - land.elevation[cell];
    const double change = ground.report.filled_volume - ground.report.cut_volume;
    EXPECT_NEAR(sum * land.elevation.grid().cell_area(), change, 1e-6 * ground.report.cut_volume);
    EXPECT_GT(ground.report.cut_volume, 1e4);
    EXPECT_GT(ground.report.filled_volume, 1e4);
    EXPECT_GT(ground.report.deepest_cut, 0.5);
}

TEST(MeanderGround, has_the_same_bits_on_any_number_of_threads) {
    const WanderedLand land = wandered_plain(300, 60.0);
    const auto on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return shaped(land).elevation;
    };
    const Field<float> expected = on(1);
    EXPECT_EQ(on(2), expected);
    EXPECT_EQ(on(8), expected);
}

TEST(MeanderGround, is_cut_to_the_rim_and_no_further_by_a_line_that_goes_on) {
    ChannelLine line = level_line(0.0, 60.0, 3.0, 5.0);
    for (std::size_t i = 0; i < line.size(); ++i) {
        line.x[i] = 1.5 * (line.x[i] - 300.0);
        line.z[i] = 5.0 - 1e-4 * line.x[i];
    }
    const WanderedLand land = still_channel(level_ground(8.0F, 50.0), line);
    const Field<float> ground = shaped(land, {.deposit_rate = 0.0}).elevation;
    const int row = 20;  // the line is its edge
    for (const int column : {0, 30, ground.columns() - 1}) EXPECT_LT(ground(column, row), 5.2F);
}

TEST(MeanderGround, refuses_layers_of_other_grids_and_reaches_without_width) {
    const WanderedLand land = still_channel(level_ground(8.0F, 50.0), level_line(0.0, 60.0, 3.0, 5.0));
    QuietProgress progress;
    const Field<float> none(land.elevation.grid(), 0.0F);
    const Field<float> other(make_grid(10.0, 10.0, 2), 0.0F);
    EXPECT_EQ(refusal_of([&] {
                  shaped_ground({land.elevation, land.network, land.history, none, other, none, 0.0}, {},
                                progress);
              }),
              "deposit must be on the grid of elevation");
    RiverNetwork network = land.network;
    network.reaches[0].values.depth[3] = 0.0F;
    EXPECT_EQ(refusal_of([&] {
                  shaped_ground({land.elevation, network, land.history, none, none, none, 0.0}, {}, progress);
              }),
              "reach 1 has points without width and depth: each must be greater than 0 m");
}

}  // namespace
}  // namespace thalweg
