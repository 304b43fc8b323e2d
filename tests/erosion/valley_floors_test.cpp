#include "thalweg/erosion/valley_floors.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/noise/noise.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kWallSlope = 0.6;    // m/m, of the valleys' sides
constexpr double kRiverSlope = 0.02;  // m/m

/// Floors that reach as far into high walls as into low ones.
constexpr ValleyFloorParameters kEvenFloors = {.floor_width = 120.0,
                                               .width_exponent = 0.0,
                                               .floor_area = 1e6,
                                               .wall_height = 1e9,
                                               .incision_rate = 1e-12};

/// A V-shaped valley, 800 m wide and 12 km long, whose river falls to the south along the middle column.
Field<float> valley(double cell_size, double flat_width = 0.0) {
    const int columns = 2 * static_cast<int>(std::lround(400.0 / cell_size)) + 1;
    const Grid grid = {.columns = columns,
                       .rows = static_cast<int>(std::lround(12000.0 / cell_size)),
                       .cell_size = cell_size,
                       .west = -0.5 * columns * cell_size};
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double from_flat = std::max(0.0, std::abs(grid.x(column)) - 0.5 * flat_width);
            const double to_river = std::abs(grid.x(column)) - from_flat;
            z(column, row) = static_cast<float>(kWallSlope * from_flat + 0.01 * to_river +
                                                kRiverSlope * (grid.rows - row) * cell_size);
        }
    return z;
}

struct Cut {
    FlowResult flow;
    ValleyFloors floors;
};

Cut cut(const Field<float>& elevation, const ValleyFloorParameters& parameters = {}) {
    Cut result = {.flow = route(elevation, {}, progress), .floors = {}};
    result.floors =
        valley_floors({.elevation = result.flow.elevation, .tree = result.flow.tree}, parameters, progress);
    return result;
}

/// Width of the law across the middle row, m.
double law_width(const Cut& cut, double floor_width = kEvenFloors.floor_width) {
    const Grid& grid = cut.flow.tree.grid;
    const double area = cut.flow.drained_area(grid.index(grid.columns / 2, grid.rows / 2));
    return floor_width * (1.0 - kEvenFloors.floor_area / area);
}

/// Width of the floor across a row, m.
double width_across(const Field<float>& floor, int row) {
    double width = 0.0;
    for (int column = 0; column < floor.columns(); ++column)
        width += static_cast<double>(floor(column, row)) * floor.grid().cell_size;
    return width;
}

/// Rough terrain with many rivers.
Field<float> rough_terrain() {
    const Grid grid = make_grid(9600.0, 9600.0, 160);
    NoiseParameters noise;
    noise.amplitude = 2500.0;
    noise.wavelength = 4000.0;
    return make_noise(grid, noise, 7, progress);
}

bool has_lower_neighbour(const Field<float>& z, std::int64_t cell) {
    const Grid& grid = z.grid();
    for (int d = 0; d < 8; ++d) {
        const int column = grid.column_of(cell) + kColumnStep[d], row = grid.row_of(cell) + kRowStep[d];
        if (grid.contains(column, row) && z(column, row) < z[cell]) return true;
    }
    return false;
}

TEST(ValleyFloors, are_as_wide_as_the_law_says_along_a_straight_river) {
    for (const double cell_size : {5.0, 10.0, 20.0, 40.0}) {
        const Cut valley_cut = cut(valley(cell_size), kEvenFloors);
        const Field<float>& floor = valley_cut.floors.floor;
        EXPECT_NEAR(width_across(floor, floor.rows() / 2), law_width(valley_cut), 2.0) << cell_size;
    }
}

TEST(ValleyFloors, are_half_as_wide_where_rivers_cut_down_by_half_a_millimetre_a_year) {
    ValleyFloorParameters parameters = kEvenFloors;
    parameters.incision_rate = 5e-4;
    const Cut valley_cut = cut(valley(10.0), parameters);
    EXPECT_NEAR(width_across(valley_cut.floors.floor, 600), 0.5 * law_width(valley_cut), 2.0);
}

TEST(ValleyFloors, are_narrower_by_the_strength_of_rock_and_by_layers_of_incision) {
    const Field<float> z = valley(10.0);
    const Cut soft = cut(z, kEvenFloors);
    const ValleyFloorInputs inputs = {.elevation = soft.flow.elevation, .tree = soft.flow.tree};
    ValleyFloorInputs hard = inputs, rising = inputs;
    hard.rock_strength = Field<float>(z.grid(), 2.0F);
    rising.incision_rate = Field<float>(z.grid(), 5e-4F);
    for (const ValleyFloorInputs& changed : {hard, rising}) {
        const Field<float> floor = valley_floors(changed, kEvenFloors, progress).floor;
        EXPECT_NEAR(width_across(floor, 600), 0.5 * law_width(soft), 2.0);
    }
}

TEST(ValleyFloors, make_less_way_into_high_walls_by_the_closed_form_of_their_front) {
    ValleyFloorParameters parameters = kEvenFloors;
    parameters.wall_height = 20.0;
    const double in_walls = parameters.wall_height / kWallSlope;
    for (const double cell_size : {5.0, 10.0, 20.0}) {
        const Cut valley_cut = cut(valley(cell_size), parameters);
        // x + s x^2 / (2 H0) = W / 2
        const double expected = 2.0 * in_walls * (std::sqrt(1.0 + law_width(valley_cut) / in_walls) - 1.0);
        const Field<float>& floor = valley_cut.floors.floor;
        EXPECT_NEAR(width_across(floor, floor.rows() / 2), expected, 0.3 * cell_size) << cell_size;
    }
}

TEST(ValleyFloors, rise_gently_from_the_bank_to_their_edge_and_from_there_as_a_wall) {
    const Cut valley_cut = cut(valley(10.0), kEvenFloors);
    const Field<float>& z = valley_cut.floors.elevation;
    const int row = z.rows() / 2, middle = z.columns() / 2;
    const auto slope_at = [&](int column) {
        return static_cast<double>(z(column + 1, row) - z(column, row)) / 10.0;
    };
    for (int i = 1; i < 3; ++i) EXPECT_NEAR(slope_at(middle + i), 0.02, 2e-3);  // 0.01 + half the river's
    for (int i = 8; i < 12; ++i) EXPECT_NEAR(slope_at(middle + i), kWallSlope + 0.12, 1e-2);
    EXPECT_EQ(z(middle, row), valley_cut.flow.elevation(middle, row));
}

TEST(ValleyFloors, take_as_much_rock_at_all_sizes) {
    const double fine = cut(valley(5.0), kEvenFloors).floors.report.removed_volume;
    EXPECT_GT(fine, 1e6);
    for (const double cell_size : {10.0, 20.0, 40.0})
        EXPECT_NEAR(cut(valley(cell_size), kEvenFloors).floors.report.removed_volume, fine, 0.1 * fine)
            << cell_size;
}

TEST(ValleyFloors, are_left_as_they_are_where_they_are_there_already) {
    const ValleyFloors floors = cut(valley(10.0, 40.0), kEvenFloors).floors;
    EXPECT_LT(floors.report.removed_volume,
              1e-3 * cut(valley(10.0), kEvenFloors).floors.report.removed_volume);
    EXPECT_NEAR(width_across(floors.floor, floors.floor.rows() / 2), 60.0, 15.0);
}

TEST(ValleyFloors, are_not_widened_when_they_are_cut_again) {
    const ValleyFloors once = cut(valley(10.0), kEvenFloors).floors;
    const ValleyFloors twice = cut(once.elevation, kEvenFloors).floors;
    EXPECT_LT(twice.report.removed_volume, 0.01 * once.report.removed_volume);
}

TEST(ValleyFloors, leave_a_terrain_as_it_is_where_no_river_drains_enough) {
    ValleyFloorParameters parameters = kEvenFloors;
    parameters.floor_area = 1e9;
    const Field<float> z = valley(10.0);
    EXPECT_EQ(cut(z, parameters).floors.elevation, z);
}

TEST(ValleyFloors, never_raise_ground_nor_leave_pits_nor_turn_beds_round) {
    const Cut rough = cut(rough_terrain(), {.floor_width = 300.0, .floor_area = 1e5});
    const Field<float>& before = rough.flow.elevation;
    const Field<float>& after = rough.floors.elevation;
    std::int64_t rivers = 0;
    for (std::int64_t cell = 0; cell < before.size(); ++cell) {
        ASSERT_LE(after[cell], before[cell]);
        const std::int32_t receiver = rough.flow.tree.receiver(static_cast<std::int32_t>(cell));
        if (receiver < 0) {
            EXPECT_EQ(after[cell], before[cell]);
            continue;
        }
        EXPECT_GE(has_lower_neighbour(after, cell), has_lower_neighbour(before, cell)) << cell;
        if (rough.flow.drained_area(cell) < 1e5 || before[cell] == before[receiver]) continue;
        EXPECT_GT(after[cell], after[receiver]) << cell;
        ++rivers;
    }
    EXPECT_GT(rivers, 500);
    EXPECT_GT(rough.floors.report.removed_volume, 2e7);
}

TEST(ValleyFloors, keep_tributaries_on_their_way_across) {
    Field<float> z = valley(10.0);
    const Grid& grid = z.grid();
    const int row = grid.rows / 2, middle = grid.columns / 2;  // where a tributary comes from the east
    for (int r = 0; r < grid.rows; ++r)
        for (int column = middle; column < grid.columns; ++column) {
            const double bed = 0.1 * grid.x(column) + kRiverSlope * (grid.rows - row) * 10.0;
            const double side = kWallSlope * std::abs(r - row) * 10.0;
            z(column, r) = std::min(z(column, r), static_cast<float>(bed + side));
        }
    const Cut valley_cut = cut(z, {.floor_width = 150.0, .floor_area = 1e6, .wall_height = 1e9});
    const std::vector<std::uint8_t> after = steepest_directions(
        valley_cut.floors.elevation, eight_neighbours(grid), edge_roots(valley_cut.floors.elevation));
    EXPECT_LT(valley_cut.floors.elevation(middle + 4, row), z(middle + 4, row));
    // Beside the river itself the steepest way may lead to its next cell downstream.
    for (int column = middle + 2; column < middle + 20; ++column)
        EXPECT_EQ(after[at(grid.index(column, row))],
                  valley_cut.flow.tree.direction[at(grid.index(column, row))])
            << column;
}

TEST(ValleyFloors, are_the_same_on_1_2_and_8_threads) {
    const Field<float> z = rough_terrain();
    const auto floors_on = [&](int threads) {
        const ExecutionScope on_threads({.threads = threads});
        return cut(z, {.floor_area = 1e5}).floors;
    };
    const ValleyFloors one = floors_on(1);
    for (const int threads : {2, 8}) {
        EXPECT_EQ(floors_on(threads).elevation, one.elevation);
        EXPECT_EQ(floors_on(threads).floor, one.floor);
    }
}

TEST(ValleyFloors, stop_at_cells_without_data_and_at_grids_of_one_row) {
    Field<float> z = valley(10.0);
    const int hole = z.columns() / 2 + 3;
    for (int row = 0; row < z.rows(); ++row) z(hole, row) = kNoData;
    const ValleyFloors floors = cut(z, kEvenFloors).floors;
    EXPECT_TRUE(is_no_data(floors.elevation(hole, 600)));
    EXPECT_TRUE(is_no_data(floors.floor(hole, 600)));
    const Field<float> row(make_grid(1000.0, 10.0, 100), 5.0F);
    EXPECT_EQ(cut(row, kEvenFloors).floors.elevation, row);
    const Field<float> cell(make_grid(10.0, 10.0, 1), 5.0F);
    EXPECT_EQ(cut(cell, kEvenFloors).floors.elevation, cell);
}

TEST(ValleyFloors, stop_when_they_are_cancelled) {
    const FlowResult flow = route(valley(10.0), {}, progress);
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(valley_floors({.elevation = flow.elevation, .tree = flow.tree}, {}, cancelled), Cancelled);
}

}  // namespace
}  // namespace thalweg
