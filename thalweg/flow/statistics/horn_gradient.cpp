#include "thalweg/flow/statistics/horn_gradient.hpp"

#include "thalweg/grid/rows.hpp"

namespace thalweg {

Gradient horn_gradient(const Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    Gradient result{.east = Field<float>(grid, kNoData), .north = Field<float>(grid, kNoData)};
    const auto per_metre = static_cast<float>(1.0 / (8.0 * grid.cell_size));
    for_each_row(1, grid.rows - 1, grid.columns, [&](int row) {
        const auto rise = [&](int from_column, int from_row, int to_column, int to_row) {
            return elevation(to_column, to_row) - elevation(from_column, from_row);
        };
        for (int column = 1; column + 1 < grid.columns; ++column) {
            if (is_no_data(elevation(column, row))) continue;
            const int west = column - 1, east = column + 1, north = row - 1, south = row + 1;
            const float along_north = rise(west, north, east, north);
            const float along_south = rise(west, south, east, south);
            const float along_west = rise(west, south, west, north);
            const float along_east = rise(east, south, east, north);
            result.east(column, row) =
                (along_north + 2.0F * rise(west, row, east, row) + along_south) * per_metre;
            result.north(column, row) =
                (along_west + 2.0F * rise(column, south, column, north) + along_east) * per_metre;
        }
    });
    return result;
}

}  // namespace thalweg
