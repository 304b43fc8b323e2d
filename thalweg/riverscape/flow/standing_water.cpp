#include "thalweg/riverscape/standing_water.hpp"

#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace thalweg {
namespace {

constexpr float kBlendDepth = 2.0F;  // m

float blend_share(float x) {
    const float t = std::clamp(x, 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

/// A lake at a place.
struct LakeThere {
    float level = kNoData;  // m; no data where none reaches
    float share = 0.0F;     // 1: in it, to 0 half a cell towards dry cells that lie lower
};

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
    return {.level = level, .share = blend_share(static_cast<float>(1.0 - 2.0 * lower))};
}

/// Floods a carved place with ground t before it was carved.
void flood(const LakeThere& lake, float terrain, std::int64_t cell, CarvedWindow& carved) {
    float& elevation = carved.elevation[cell];
    float& surface = carved.water_elevation[cell];
    const float share = lake.share * blend_share((lake.level - terrain) / kBlendDepth);
    elevation += share * (terrain - elevation);
    if (share >= 1.0F) carved.material[cell] = 0.0F;
    surface =
        is_no_data(surface) ? lake.level : std::max(lake.level, surface + share * (lake.level - surface));
    const bool is_wet = surface > elevation;
    carved.water_depth[cell] = is_wet ? surface - elevation : 0.0F;
    if (!is_wet) surface = kNoData;
}

}  // namespace

std::optional<StandingWater> standing_water(const Field<float>& terrain, const Field<float>& level) {
    StandingWater water{.terrain = terrain, .level = level};
    bool is_there = false;
    for (std::int64_t cell = 0; cell < level.size(); ++cell) {
        if (level[cell] > terrain[cell])
            is_there = true;
        else
            water.level[cell] = kNoData;
    }
    return is_there ? std::optional(std::move(water)) : std::nullopt;
}

void let_stand(const StandingWater& water, CarvedWindow& carved, Progress& progress) {
    const Grid& grid = carved.elevation.grid();
    for_each_row(grid, [&](int row) {
        if (row % 64 == 0) progress.poll();
        for (int column = 0; column < grid.columns; ++column) {
            const std::int64_t cell = grid.index(column, row);
            const Position place = grid.centre(column, row);
            const LakeThere lake = lake_at(water, place);
            if (is_no_data(lake.level) || is_no_data(carved.elevation[cell])) continue;
            flood(lake, sample_bicubic(water.terrain, place), cell, carved);
        }
    });
}

BedCourses without_flow_in(const StandingWater& water, BedCourses courses) {
    for (BedValley& valley : courses.valleys)
        for (ValleyPoint& point : valley.points)
            if (!is_no_data(sample_bilinear(water.level, {point.x, point.y}))) point.discharge = 0.0;
    return courses;
}

}  // namespace thalweg
