#include "thalweg/meander/network/bank_cuts.hpp"

#include "thalweg/meander/channel/line_cells.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

void lower_cell(Field<float>& elevation, int column, int row, float bank) {
    float& ground = elevation(column, row);
    if (ground > bank) ground = bank;
}

/// Lowers the cells that the segment after a point passes to its bank there.
void lower_under_segment(Field<float>& elevation, const ChannelLine& line, std::size_t i) {
    const auto bank_at = [&](double share) {
        const auto mix = [&](const auto& v) { return v[i] + share * (v[i + 1] - v[i]); };
        return static_cast<float>(mix(line.z) + mix(line.values.depth));
    };
    for_each_passed_cell(elevation.grid(), {line.x[i], line.y[i]}, {line.x[i + 1], line.y[i + 1]},
                         [&](const PassedCell& cell) {
                             if (elevation.grid().contains(cell.column, cell.row))
                                 lower_cell(elevation, cell.column, cell.row, bank_at(cell.last));
                         });
}

}  // namespace

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
            if (std::hypot(grid.x(column) - x, grid.y(row) - y) <= reach)
                lower_cell(elevation, column, row, bank);
}

void cut_course(Field<float>& elevation, const ChannelLine& line, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i <= last; ++i) {
        lower_to_bank(elevation, line, i);
        if (i < last) lower_under_segment(elevation, line, i);
    }
}

}  // namespace thalweg
