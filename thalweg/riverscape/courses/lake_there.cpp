#include "thalweg/riverscape/courses/lake_there.hpp"

#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

float lake_share(float x) {
    const float t = std::clamp(x, 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

LakeThere lake_at(const StandingWater& water, const Position& place) {
    const float level = sample_bilinear(water.level, place);
    if (is_no_data(level)) return {};
    const Grid& grid = water.level.grid();
    const double column = std::clamp(grid.column_at(place.x), 0.0, grid.columns - 1.0);
    const double row = std::clamp(grid.row_at(place.y), 0.0, grid.rows - 1.0);
    const int first_column = std::min(static_cast<int>(column), std::max(0, grid.columns - 2));
    const int first_row = std::min(static_cast<int>(row), std::max(0, grid.rows - 2));
    double lower = 0.0;  // weight of dry cells below the level
    for (int r = first_row; r < std::min(first_row + 2, grid.rows); ++r)
        for (int c = first_column; c < std::min(first_column + 2, grid.columns); ++c)
            if (is_no_data(water.level(c, r)) && water.terrain(c, r) < level)
                lower += (1.0 - std::abs(column - c)) * (1.0 - std::abs(row - r));
    if (lower >= 0.5) return {};
    return {.level = level, .share = lake_share(static_cast<float>(1.0 - 2.0 * lower))};
}

}  // namespace thalweg
