#include "thalweg/erosion/rain_start.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

Field<float> tilted_plane(const Grid& grid, double tilt) {
    Field<float> plane(grid);
    for (int row = 0; row < grid.rows; ++row) {
        const auto height = static_cast<float>(tilt * (grid.rows - 1 - row));
        for (int column = 0; column < grid.columns; ++column) plane(column, row) = height;
    }
    return plane;
}

Field<float> central_peak(const Grid& grid, double tilt) {
    Field<float> peak(grid);
    const double middle_column = 0.5 * (grid.columns - 1);
    const double middle_row = 0.5 * (grid.rows - 1);
    const double foot = std::min(middle_column, middle_row);  // cells from the middle
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double east = column - middle_column;
            const double south = row - middle_row;
            peak(column, row) = static_cast<float>(tilt * (foot - std::sqrt(east * east + south * south)));
        }
    return peak;
}

}  // namespace thalweg
