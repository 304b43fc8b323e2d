#include "thalweg/erosion/hillslopes/distance_to_held.hpp"

#include <algorithm>
#include <numbers>

namespace thalweg {
namespace {

constexpr float kFar = 1e9F;  // cells

}  // namespace

Field<float> distance_to_held(const Field<std::uint8_t>& held, Progress& progress) {
    const Grid& grid = held.grid();
    Field<float> distance(grid, kFar);
    const auto look_back = [&](int column, int row, int step) {
        float& here = distance(column, row);
        const auto from = [&](int other_column, int other_row, float way) {
            if (grid.contains(other_column, other_row))
                here = std::min(here, distance(other_column, other_row) + way);
        };
        from(column - step, row, 1.0F);
        for (const int side : {-1, 0, 1})
            from(column + side, row - step, side == 0 ? 1.0F : std::numbers::sqrt2_v<float>);
        if (held(column, row) != 0) here = 0.0F;
    };
    for (int row = 0; row < grid.rows; ++row) {
        progress.poll();
        for (int column = 0; column < grid.columns; ++column) look_back(column, row, 1);
    }
    for (int row = grid.rows - 1; row >= 0; --row) {
        progress.poll();
        for (int column = grid.columns - 1; column >= 0; --column) look_back(column, row, -1);
    }
    return distance;
}

}  // namespace thalweg
