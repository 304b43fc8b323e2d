#include "thalweg/flow/survey/river_pieces.hpp"

#include "thalweg/flow/statistics/families.hpp"
#include "thalweg/flow/survey/planar_path.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <numeric>
#include <vector>

#include "tests/flow/built_terrain.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// A straight river, from its upper end to its lower one.
struct Line {
    double x0, y0, x1, y1;  // cells
};

/// Rivers along lines, to which all other cells of their rows run along the row. What comes later ends in
/// what was before.
FlowTree tree_of(int columns, int rows, const std::vector<Line>& lines) {
    FlowTree tree;
    tree.grid = {.columns = columns, .rows = rows, .cell_size = 30.0};
    tree.direction.assign(at(tree.grid.cells()), kRoot);
    Field<std::uint8_t> is_river(tree.grid);
    for (const Line& line : lines) {
        const int steps =
            static_cast<int>(std::lround(std::max(std::abs(line.x1 - line.x0), std::abs(line.y1 - line.y0))));
        const auto cell = [&](int step) {
            const double share = static_cast<double>(step) / steps;
            return tree.grid.index(static_cast<int>(std::lround(std::lerp(line.x0, line.x1, share))),
                                   static_cast<int>(std::lround(std::lerp(line.y0, line.y1, share))));
        };
        for (int step = 0; step < steps; ++step) {
            tree.direction[at(cell(step))] = direction_between(tree.grid, cell(step), cell(step + 1));
            is_river[cell(step)] = is_river[cell(step + 1)] = 1;
        }
    }
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            for (int away = 1; is_river(column, row) == 0 && away < columns; ++away) {
                const auto flows_to = [&](int there) {
                    return there >= 0 && there < columns && is_river(there, row) != 0;
                };
                if (!flows_to(column - away) && !flows_to(column + away)) continue;
                tree.direction[at(tree.grid.index(column, row))] =
                    direction_of_step(flows_to(column - away) ? -1 : 1, 0);
                break;
            }
    order_tree(tree, progress);
    return tree;
}

/// A survey of terrain that falls evenly along a tree, and its rivers.
struct EvenTerrain {
    Field<float> elevation;
    Survey survey;
    RiverPieces rivers;

    explicit EvenTerrain(const FlowTree& tree, double cell_size = 30.0)
        : elevation(tests::built_up(
              tree, [](std::int32_t, std::int32_t, double distance) { return 0.05 * distance; })),
          survey{.elevation = elevation,
                 .scale = {.cell_size = cell_size, .step = 30.0},
                 .lattice = eight_neighbours(tree.grid),
                 .flow = {},
                 .ground = Field<std::uint8_t>(tree.grid, 1),
                 .inner = Field<std::uint8_t>(tree.grid, 1)} {
        survey.flow.tree = tree;
        survey.flow.elevation = elevation;
        survey.flow.drainage_area = drainage_area(tree);
        rivers = river_pieces(survey, progress);
    }
    EvenTerrain(const EvenTerrain&) = delete;
    EvenTerrain& operator=(const EvenTerrain&) = delete;

    [[nodiscard]] std::int32_t entry_at(int column, int row) const {
        const auto found = std::ranges::find(rivers.tree.cell, elevation.grid().index(column, row));
        return static_cast<std::int32_t>(found - rivers.tree.cell.begin());
    }
};

/// Two rivers that meet at an angle in (120, 120), symmetric about a third to the south.
FlowTree fork(double degrees) {
    const double half = 0.5 * degrees / 180.0 * std::numbers::pi;
    const double x = 100.0 * std::sin(half), y = 100.0 * std::cos(half);
    return tree_of(241, 200,
                   {{120.0 - x, 120.0 - y, 120.0, 120.0},
                    {120.0 + x, 120.0 - y, 120.0, 120.0},
                    {120.0, 120.0, 120.0, 199.0}});
}

/// Halves that meet head on at the upper end of each river, which are half as long from order to order.
void add_halves(double x, double y, double length, bool along_rows, int orders, std::vector<Line>& lines) {
    for (const double side : {-1.0, 1.0}) {
        const double x0 = x + (along_rows ? side * length : 0.0), y0 = y + (along_rows ? 0.0 : side * length);
        lines.push_back({x0, y0, x, y});
        if (orders > 1) add_halves(x0, y0, 0.5 * length, !along_rows, orders - 1, lines);
    }
}

TEST(RiverPieces, of_a_fork_has_three_links_of_two_orders_and_two_stems) {
    const EvenTerrain terrain(fork(60.0));
    const RiverPieces& rivers = terrain.rivers;
    const std::int32_t junction = terrain.entry_at(120, 120);
    EXPECT_TRUE(rivers.is_junction(junction));
    EXPECT_EQ(rivers.order[at(junction)], 2);
    EXPECT_EQ(rivers.links.size(), 3U);
    ASSERT_EQ(rivers.links_into(junction).size(), 2U);
    for (const River& link : rivers.links_into(junction)) EXPECT_EQ(rivers.order[at(link.front())], 1);
    EXPECT_EQ(rivers.streams.size(), 3U);
    ASSERT_EQ(rivers.stems.size(), 2U);
    // One goes on to the outlet, the other ends in the junction.
    const auto last = [&](std::size_t stem) { return rivers.stems[stem].back(); };
    EXPECT_EQ(std::max(last(0), last(1)), junction);
    EXPECT_EQ(std::min(last(0), last(1)), terrain.entry_at(120, 199));
    for (const River& stem : rivers.stems)
        for (std::size_t i = 1; i < stem.size(); ++i) EXPECT_EQ(rivers.tree.below[at(stem[i - 1])], stem[i]);
}

TEST(RiverPieces, begins_where_three_hundred_squares_of_the_reference_length_drain) {
    const EvenTerrain terrain(fork(60.0));
    const StreamTree& tree = terrain.rivers.tree;
    for (std::int32_t entry = 0; entry < tree.size(); ++entry) {
        EXPECT_GE(tree.area[at(entry)], 300.0 * 900.0);
        EXPECT_GE(terrain.rivers.order[at(entry)], 1);
    }
}

TEST(RiverPieces, meets_at_the_angle_at_which_lines_do) {
    for (const double degrees : {40.0, 60.0, 90.0, 120.0}) {
        const EvenTerrain terrain(fork(degrees));
        // The cells of narrow forks touch before their lines do.
        std::vector<Heading> headings;
        for (std::int32_t entry = 0; entry < terrain.rivers.tree.size(); ++entry)
            if (terrain.rivers.is_junction(entry))
                for (const River& link : terrain.rivers.links_into(entry))
                    headings.push_back(main_heading(planar_path(terrain.survey, terrain.rivers.tree, link)));
        ASSERT_EQ(headings.size(), 2U);
        EXPECT_NEAR(std::acos(headings[0].dot(headings[1])) * 180.0 / std::numbers::pi, degrees, 1.0);
    }
}

TEST(RiverPieces, of_halves_within_halves_has_ratios_of_two) {
    std::vector<Line> lines;
    add_halves(256.0, 256.0, 128.0, true, 4, lines);
    lines.push_back({256.0, 256.0, 256.0, 511.0});
    const EvenTerrain terrain(tree_of(512, 512, lines));
    TerrainDescription found;
    describe_basins(terrain.survey, terrain.rivers, found);
    describe_junctions(terrain.survey, terrain.rivers, found);
    describe_planform(terrain.survey, terrain.rivers, found);
    EXPECT_NEAR(found.statistics.bifurcation_ratio, 2.0, 1e-9);
    EXPECT_NEAR(found.statistics.stream_length_ratio, 2.0,
                0.25);  // the first order begins below its lines' ends
    EXPECT_NEAR(found.statistics.junction_angle_mean, 180.0, 1e-3);
    EXPECT_NEAR(found.statistics.junction_angle_spread, 0.0, 1e-3);
    EXPECT_NEAR(found.statistics.direction_axis_bias, 4.5, 0.8);  // 90 over 20 degrees, but about bends
    EXPECT_NEAR(
        std::accumulate(found.curves.junction_shares.begin(), found.curves.junction_shares.end(), 0.0), 1.0,
        1e-9);
}

TEST(RiverPieces, runs_along_rows_by_chords_of_ten_cells_of_any_size) {
    // Of ten cells 4 in 10 rise by one, the others by two and by 11.3 degrees; of twelve none by more than
    // two.
    const FlowTree river = tree_of(241, 200, {{0.0, 60.0, 240.0, 98.4}});
    for (const double cell_size : {25.0, 30.0}) {
        const EvenTerrain terrain(river, cell_size);
        TerrainDescription found;
        describe_planform(terrain.survey, terrain.rivers, found);
        EXPECT_NEAR(found.statistics.direction_axis_bias, 0.4 * 4.5, 0.1) << cell_size;
    }
}

/// A straight river along a row with tributaries from the north, `gaps` cells apart.
TerrainStatistics with_tributaries(const std::vector<int>& gaps) {
    std::vector<Line> lines;
    for (int river = 0; river < 3; ++river) {  // three of them, beneath each other
        const double row = 100.0 + 150.0 * river;
        int column = 10;
        for (const int gap : gaps) lines.push_back({1.0 * (column += gap), row - 60.0, 1.0 * column, row});
        lines.push_back({0.0, row - 60.0, 2.0, row});
        lines.push_back({2.0, row, 511.0, row});
    }
    const EvenTerrain terrain(tree_of(512, 512, lines));
    TerrainDescription found;
    describe_tributaries(terrain.survey, terrain.rivers, found);
    return found.statistics;
}

TEST(TributarySpacing, varies_as_the_gaps_do) {
    EXPECT_NEAR(with_tributaries(std::vector<int>(9, 40)).tributary_spacing_variation, 0.0, 1e-6);
    // Of gaps of 20 and 60 in turns the deviation is half of the mean. The first tributary makes the stream
    // that the others are counted along.
    const TerrainStatistics found = with_tributaries({40, 40, 20, 60, 20, 60, 20, 60, 20, 60});
    EXPECT_NEAR(found.tributary_spacing_variation, 0.5, 1e-6);
    EXPECT_NEAR(found.stream_parallelism, 1.0, 0.1);
}

TEST(PlanarPath, of_a_straight_line_stays_straight_when_smoothed) {
    PlanarPath path;
    for (int i = 0; i < 50; ++i) {
        path.x.push_back(3.0 * i);
        path.y.push_back(4.0 * i);
    }
    EXPECT_DOUBLE_EQ(path.chord(10, 20), 50.0);
    EXPECT_NEAR(path.bearing(3, 4), std::atan2(4.0, 3.0), 1e-15);
    EXPECT_NEAR(way_along(path).back(), 245.0, 1e-9);
    const PlanarPath smooth = smoothed(path, 2.0);
    for (int i = 8; i < 42; ++i) EXPECT_NEAR(smooth.x[at(i)], 3.0 * i, 1e-9);  // ends are drawn in
    EXPECT_GT(smooth.x[0], 0.5);
    const Heading heading = main_heading(path);
    EXPECT_NEAR(heading.east, 0.6, 1e-12);
    EXPECT_NEAR(heading.north, 0.8, 1e-12);
}

TEST(PlanarPath, loses_waves_by_the_share_that_a_gaussian_takes) {
    PlanarPath path;
    constexpr double kWave = 20.0, kDeviation = 3.0;  // points
    for (int i = 0; i < 200; ++i) {
        path.x.push_back(i);
        path.y.push_back(std::sin(2.0 * std::numbers::pi * i / kWave));
    }
    const PlanarPath smooth = smoothed(path, kDeviation);
    const double phase = 2.0 * std::numbers::pi * kDeviation / kWave;
    EXPECT_NEAR(smooth.y[105], std::exp(-0.5 * phase * phase), 1e-3);  // where the wave stands at 1
}

}  // namespace
}  // namespace thalweg
