#include "thalweg/meander/network/bank_cuts.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

void lower_to_bank(Field<float>& elevation, const ChannelLine& line, std::size_t point) {
    const Grid& grid = elevation.grid();
    const double x = line.x[point];
    const double y = line.y[point];
    const double reach = 0.5 * line.values.width[point];
    const auto bank = static_cast<float>(line.z[point] + line.values.depth[point]);
    const int west = std::max(0, static_cast<int>(std::ceil(grid.column_at(x - reach))));
    const int east = std::min(grid.columns - 1, static_cast<int>(std::floor(grid.column_at(x + reach))));
    const int north = std::max(0, static_cast<int>(std::ceil(grid.row_at(y + reach))));
    const int south = std::min(grid.rows - 1, static_cast<int>(std::floor(grid.row_at(y - reach))));
    for (int row = north; row <= south; ++row)
        for (int column = west; column <= east; ++column)
            if (std::hypot(grid.x(column) - x, grid.y(row) - y) <= reach) {
                float& ground = elevation[grid.index(column, row)];
                if (ground > bank) ground = bank;
            }
}

}  // namespace thalweg
