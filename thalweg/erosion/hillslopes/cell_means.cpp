#include "thalweg/erosion/cell_means.hpp"

#include "thalweg/grid/rows.hpp"

#include <cassert>

namespace thalweg {
namespace {

/// Over the cells around an inner one, with weights 1/8, 3/4, 1/8 along rows and columns.
float mean_in_cell(const Field<float>& elevation, int column, int row) {
    const auto along_row = [&](int at_row) {
        return elevation(column - 1, at_row) + 6.0F * elevation(column, at_row) +
               elevation(column + 1, at_row);
    };
    return (along_row(row - 1) + 6.0F * along_row(row) + along_row(row + 1)) / 64.0F;
}

}  // namespace

Field<float> cell_means(const Field<float>& elevation, const Field<std::uint8_t>& held, double share,
                        Progress& progress) {
    assert(held.size() == elevation.size());
    const Grid& grid = elevation.grid();
    Field<float> means = elevation;
    for_each_row(grid, [&](int row) {
        if (row == 0 || row + 1 == grid.rows) return;
        progress.poll();
        for (int column = 1; column + 1 < grid.columns; ++column) {
            if (held(column, row) != 0) continue;
            const float rise = mean_in_cell(elevation, column, row) - elevation(column, row);
            if (!is_no_data(rise)) means(column, row) += static_cast<float>(share) * rise;
        }
    });
    return means;
}

}  // namespace thalweg
