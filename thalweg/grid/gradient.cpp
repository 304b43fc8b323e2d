#include "thalweg/grid/gradient.hpp"

#include "thalweg/grid/rows.hpp"

namespace thalweg {
namespace {

/// Rise per cell at `here`, between the neighbours `before` and `after`, either of which may be no data.
float rise(float before, float here, float after) {
    if (is_no_data(here)) return kNoData;
    if (is_no_data(before) && is_no_data(after)) return 0.0F;
    if (is_no_data(before)) return after - here;
    if (is_no_data(after)) return here - before;
    return 0.5F * (after - before);
}

}  // namespace

Gradient gradient(const Field<float>& field) {
    const Grid& grid = field.grid();
    Gradient result{.east = Field<float>(grid), .north = Field<float>(grid)};
    const auto cells_per_metre = static_cast<float>(1.0 / grid.cell_size);
    const auto value = [&](int column, int row) {
        return grid.contains(column, row) ? field(column, row) : kNoData;
    };
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            const float here = field(column, row);
            result.east(column, row) =
                rise(value(column - 1, row), here, value(column + 1, row)) * cells_per_metre;
            result.north(column, row) =
                rise(value(column, row + 1), here, value(column, row - 1)) * cells_per_metre;
        }
    });
    return result;
}

}  // namespace thalweg
