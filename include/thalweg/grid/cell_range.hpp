// A rectangle of a grid's cells.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <algorithm>

namespace thalweg {

/// Cells [first_column, end_column) x [first_row, end_row) of a grid.
struct CellRange {
    int first_column = 0;
    int end_column = 0;
    int first_row = 0;
    int end_row = 0;

    [[nodiscard]] int columns() const { return end_column - first_column; }
    [[nodiscard]] int rows() const { return end_row - first_row; }
    [[nodiscard]] bool empty() const { return columns() <= 0 || rows() <= 0; }
};

/// The grid of the cells in `range` alone.
///
/// Example:
///     const CellRange north_west = {.end_column = 256, .end_row = 256};
///     const Grid tile = part_of(grid, north_west);
inline Grid part_of(const Grid& grid, const CellRange& range) {
    Grid part = grid;
    part.columns = range.columns();
    part.rows = range.rows();
    part.west = grid.west + range.first_column * grid.cell_size;
    part.north = grid.north - range.first_row * grid.cell_size;
    return part;
}

/// The smallest range that holds both.
inline CellRange united(const CellRange& a, const CellRange& b) {
    if (a.empty()) return b;
    if (b.empty()) return a;
    CellRange both;
    both.first_column = std::min(a.first_column, b.first_column);
    both.end_column = std::max(a.end_column, b.end_column);
    both.first_row = std::min(a.first_row, b.first_row);
    both.end_row = std::max(a.end_row, b.end_row);
    return both;
}

}  // namespace thalweg
