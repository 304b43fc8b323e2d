#include "thalweg/grid/grid.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/limits.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {

Grid Grid::coarser() const {
    Grid coarse = *this;
    coarse.columns = (columns + 1) / 2;
    coarse.rows = (rows + 1) / 2;
    coarse.cell_size = cell_size * 2.0;
    return coarse;
}

Grid make_grid(double width, double height, int cells) {
    if (!(width > 0.0) || !(height > 0.0) || !std::isfinite(width) || !std::isfinite(height))
        throw Error::input(
            fmt::format("extent = [{}, {}] m is not allowed: both must be greater than 0", width, height));
    if (cells < 1) throw Error::input(fmt::format("cells = {} is not allowed: give 1 or more", cells));
    Grid grid;
    grid.cell_size = std::max(width, height) / cells;
    grid.columns = std::max(1, static_cast<int>(std::lround(width / grid.cell_size)));
    grid.rows = std::max(1, static_cast<int>(std::lround(height / grid.cell_size)));
    grid.north = grid.rows * grid.cell_size;
    check_grid(grid);
    return grid;
}

void check_grid(const Grid& grid) {
    if (grid.columns < 1 || grid.rows < 1)
        throw Error::input(fmt::format("a grid of {} x {} cells is not allowed: give at least 1 x 1",
                                       grid.columns, grid.rows));
    if (grid.cells() > kMaximumCells)
        throw Error::input(fmt::format("a grid of {} x {} cells is not allowed: at most {} cells are",
                                       grid.columns, grid.rows, kMaximumCells));
    if (!(grid.cell_size > 0.0) || !std::isfinite(grid.cell_size) || !std::isfinite(grid.west) ||
        !std::isfinite(grid.north))
        throw Error::input(
            fmt::format("a cell size of {} m at ({}, {}) is not allowed: give finite metres greater than 0",
                        grid.cell_size, grid.west, grid.north));
    if (grid.cell_size < kLeastCellSize)
        throw Error::input(fmt::format("cells of {:g} m are not allowed: give cells of {:g} m or more",
                                       grid.cell_size, kLeastCellSize));
    if (std::max(grid.width(), grid.height()) > kMostExtent)
        throw Error::input(
            fmt::format("a landscape of {:g} x {:g} m is not allowed: give sides of {:g} m at most",
                        grid.width(), grid.height(), kMostExtent));
    if (std::max(std::abs(grid.west), std::abs(grid.north)) > kMostExtent)
        throw Error::input(
            fmt::format("a landscape at ({:g}, {:g}) m is not allowed: give a place up to {:g} m "
                        "from the origin",
                        grid.west, grid.north, kMostExtent));
}

}  // namespace thalweg
