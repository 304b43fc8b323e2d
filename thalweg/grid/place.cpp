#include "thalweg/grid/place.hpp"

#include "thalweg/core/error.hpp"

#include <cmath>

#include <fmt/format.h>

namespace thalweg {

std::int64_t cell_with_data_at(double x, double y, const Field<float>& elevation, const std::string& name) {
    const Grid& grid = elevation.grid();
    const double column = std::floor(grid.column_at(x) + 0.5);
    const double row = std::floor(grid.row_at(y) + 0.5);
    if (!(column >= 0.0 && row >= 0.0 && column < grid.columns && row < grid.rows))
        throw Error::input(
            fmt::format("{} lies outside the terrain, which reaches from ({}, {}) to ({}, {}) m", name,
                        grid.west, grid.north - grid.height(), grid.west + grid.width(), grid.north));
    const std::int64_t cell = grid.index(static_cast<int>(column), static_cast<int>(row));
    if (is_no_data(elevation[cell]))
        throw Error::input(
            fmt::format("{} lies where the elevation has no data: give a place with data", name));
    return cell;
}

}  // namespace thalweg
