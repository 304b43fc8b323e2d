#include "thalweg/erosion/cell_means.hpp"

#include "thalweg/erosion/hillslopes/mean_around.hpp"
#include "thalweg/grid/rows.hpp"

#include <cassert>

namespace thalweg {

Field<float> cell_means(const Field<float>& elevation, const Field<std::uint8_t>& held, double share,
                        Progress& progress) {
    assert(held.size() == elevation.size());
    constexpr float kMiddle = 6.0F;  // by the cells beside it: 1/8, 3/4, 1/8
    const Grid& grid = elevation.grid();
    Field<float> means = elevation;
    for_each_row(grid, [&](int row) {
        if (row == 0 || row + 1 == grid.rows) return;
        progress.poll();
        for (int column = 1; column + 1 < grid.columns; ++column) {
            if (held(column, row) != 0) continue;
            const float rise = mean_around(elevation, column, row, kMiddle) - elevation(column, row);
            if (!is_no_data(rise)) means(column, row) += static_cast<float>(share) * rise;
        }
    });
    return means;
}

}  // namespace thalweg
