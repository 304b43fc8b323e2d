#include "thalweg/core/error.hpp"
#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/field.hpp"

#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Grid, places_its_first_cell_in_the_north_west) {
    const Grid grid = make_grid(400.0, 200.0, 4);
    EXPECT_EQ(grid.columns, 4);
    EXPECT_EQ(grid.rows, 2);
    EXPECT_EQ(grid.x(0), 50.0);
    EXPECT_EQ(grid.y(0), 150.0);
    EXPECT_EQ(grid.y(1), 50.0);
    EXPECT_EQ(grid.column_at(grid.x(3)), 3.0);
    EXPECT_EQ(grid.row_at(grid.y(1)), 1.0);
    EXPECT_EQ(grid.index(1, 1), 5);
    EXPECT_EQ(grid.column_of(5), 1);
    EXPECT_EQ(grid.row_of(5), 1);
}

TEST(Grid, coarser_keeps_the_corner_and_covers_odd_sizes) {
    Grid grid = make_grid(500.0, 300.0, 5);
    const Grid coarse = grid.coarser();
    EXPECT_EQ(coarse.columns, 3);
    EXPECT_EQ(coarse.rows, 2);
    EXPECT_EQ(coarse.cell_size, 200.0);
    EXPECT_EQ(coarse.west, grid.west);
    EXPECT_EQ(coarse.north, grid.north);
}

TEST(Grid, refuses_sizes_that_make_no_sense) {
    EXPECT_THROW(make_grid(0.0, 100.0, 4), Error);
    EXPECT_THROW(make_grid(100.0, -1.0, 4), Error);
    EXPECT_THROW(make_grid(100.0, std::numeric_limits<double>::infinity(), 4), Error);
    EXPECT_THROW(make_grid(100.0, std::numeric_limits<double>::quiet_NaN(), 4), Error);
    EXPECT_THROW(make_grid(100.0, 100.0, 0), Error);
    EXPECT_THROW(make_grid(100.0, 100.0, 1 << 16), Error);
    EXPECT_NO_THROW(make_grid(100.0, 1.0, 1));
}

TEST(CellRange, part_of_a_grid_lies_where_its_cells_lie) {
    const Grid grid = make_grid(800.0, 800.0, 8);
    CellRange range;
    range.first_column = 2;
    range.end_column = 5;
    range.first_row = 1;
    range.end_row = 3;
    const Grid part = part_of(grid, range);
    EXPECT_EQ(part.columns, 3);
    EXPECT_EQ(part.rows, 2);
    EXPECT_EQ(part.x(0), grid.x(2));
    EXPECT_EQ(part.y(1), grid.y(2));
}

TEST(CellRange, union_with_nothing_is_the_range_itself) {
    CellRange range;
    range.first_column = 2;
    range.end_column = 5;
    range.first_row = 1;
    range.end_row = 3;
    EXPECT_EQ(united(range, CellRange{}).first_column, 2);
    EXPECT_EQ(united(CellRange{}, range).end_row, 3);
    CellRange other = range;
    other.first_column = 4;
    other.end_column = 9;
    EXPECT_EQ(united(range, other).columns(), 7);
}

}  // namespace
}  // namespace thalweg
