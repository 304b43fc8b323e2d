#include "thalweg/riverscape/standing_water.hpp"

#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/riverscape/courses/lake_there.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace thalweg {
namespace {

constexpr float kBlendDepth = 2.0F;  // m

/// Floods a carved place with ground t before it was carved.
void flood(const LakeThere& lake, float terrain, std::int64_t cell, CarvedWindow& carved) {
    float& elevation = carved.elevation[cell];
    float& surface = carved.water_elevation[cell];
    const float share = lake.share * lake_share((lake.level - terrain) / kBlendDepth);
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
