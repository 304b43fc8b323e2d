// Grid: where cells lie in the world. It holds no values.
#pragma once

#include <cstdint>
#include <string>

namespace thalweg {

/// A position in the world, metres, x to the east and y to the north.
struct Position {
    double x = 0.0;
    double y = 0.0;
};

/// Square cells in rows from north to south, as in a raster file: cell (0, 0) is the north-west one,
/// row-major index = row * columns + column. A cell's value stands for its centre.
struct Grid {
    int columns = 0;         // west to east, at least 1
    int rows = 0;            // north to south, at least 1
    double cell_size = 1.0;  // m, side of a cell
    double west = 0.0;       // m, x of the outer edge of column 0
    double north = 0.0;      // m, y of the outer edge of row 0
    std::string crs = {};    // coordinate reference system as WKT; empty for a local metre grid

    friend bool operator==(const Grid&, const Grid&) = default;

    [[nodiscard]] std::int64_t cells() const { return static_cast<std::int64_t>(columns) * rows; }
    [[nodiscard]] std::int64_t index(int column, int row) const {
        return static_cast<std::int64_t>(row) * columns + column;
    }
    [[nodiscard]] int column_of(std::int64_t cell) const { return static_cast<int>(cell % columns); }
    [[nodiscard]] int row_of(std::int64_t cell) const { return static_cast<int>(cell / columns); }
    [[nodiscard]] bool contains(int column, int row) const {
        return column >= 0 && row >= 0 && column < columns && row < rows;
    }
    [[nodiscard]] bool on_edge(int column, int row) const {
        return column == 0 || row == 0 || column == columns - 1 || row == rows - 1;
    }
    [[nodiscard]] double width() const { return columns * cell_size; }        // m
    [[nodiscard]] double height() const { return rows * cell_size; }          // m
    [[nodiscard]] double cell_area() const { return cell_size * cell_size; }  // m^2
    [[nodiscard]] double x(double column) const {
        return west + (column + 0.5) * cell_size;
    }  // m, of a centre
    [[nodiscard]] double y(double row) const { return north - (row + 0.5) * cell_size; }  // m, of a centre
    [[nodiscard]] Position centre(int column, int row) const { return {x(column), y(row)}; }

    /// Fractional column and row of a world position: 0 is the centre of the first cell.
    [[nodiscard]] double column_at(double world_x) const { return (world_x - west) / cell_size - 0.5; }
    [[nodiscard]] double row_at(double world_y) const { return (north - world_y) / cell_size - 0.5; }

    /// The grid of cells twice as large over the same place, with the same north-west corner. An odd number
    /// of columns or rows is rounded up, so that the coarse grid covers the fine one.
    [[nodiscard]] Grid coarser() const;
};

/// A local metre grid over width x height metres with its south-west corner at (0, 0) and `cells` along the
/// longer side. Throws Error::input unless sizes are positive and finite, and both sides get at least one
/// cell.
///
/// Example:
///     const Grid grid = make_grid(25600.0, 12800.0, 512);  // m, m, cells
///     const Position middle = grid.centre(grid.columns / 2, grid.rows / 2);
Grid make_grid(double width, double height, int cells);

/// The most cells that a grid may have: cell indices are 32-bit in networks and trees.
inline constexpr std::int64_t kMaximumCells = (std::int64_t{1} << 31) - 1;

/// Throws Error::input unless the grid has at least one cell, at most kMaximumCells, and sizes and a place
/// that a landscape may have (limits.hpp).
void check_grid(const Grid& grid);

}  // namespace thalweg
