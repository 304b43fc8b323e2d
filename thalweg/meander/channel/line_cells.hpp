// Cells that lines pass.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

/// A cell that a segment passes, perhaps beyond the grid, and where on it.
struct PassedCell {
    int column = 0;
    int row = 0;
    double first = 0.0;  // share of the segment where it comes into the cell
    double last = 0.0;   // and where it leaves
};

/// Calls body(passed) for all cells of a segment between two places, one after another, each a neighbour of
/// four of the one before. The first and the last are those of the places themselves. Source: Amanatides and
/// Woo 1987 (Eurographics).
template <class Body>
void for_each_passed_cell(const Grid& grid, Position from, Position to, const Body& body) {
    const double c0 = grid.column_at(from.x) + 0.5;
    const double r0 = grid.row_at(from.y) + 0.5;
    const double c1 = grid.column_at(to.x) + 0.5;
    const double r1 = grid.row_at(to.y) + 0.5;
    const double dc = c1 - c0;
    const double dr = r1 - r0;
    PassedCell cell{.column = static_cast<int>(std::floor(c0)), .row = static_cast<int>(std::floor(r0))};
    const int end_column = static_cast<int>(std::floor(c1));
    const int end_row = static_cast<int>(std::floor(r1));
    while (true) {
        // Go to the nearer of the next edges between columns and between rows.
        constexpr double kNever = 2.0;
        const double to_column =
            cell.column == end_column ? kNever : (cell.column + (dc > 0.0 ? 1 : 0) - c0) / dc;
        const double to_row = cell.row == end_row ? kNever : (cell.row + (dr > 0.0 ? 1 : 0) - r0) / dr;
        cell.last = std::clamp(std::min(to_column, to_row), cell.first, 1.0);
        body(cell);
        if (cell.column == end_column && cell.row == end_row) return;
        cell.first = cell.last;
        if (to_column <= to_row)
            cell.column += dc > 0.0 ? 1 : -1;
        else
            cell.row += dr > 0.0 ? 1 : -1;
    }
}

}  // namespace thalweg
