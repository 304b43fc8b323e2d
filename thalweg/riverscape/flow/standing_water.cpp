#include "thalweg/riverscape/standing_water.hpp"

#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace thalweg {
namespace {

constexpr float kBlendDepth = 2.0F;      // m
constexpr float kLevelRounding = 1e-3F;  // m

float blend_share(float x) {
    const float t = std::clamp(x, 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

/// Depths of lakes on their cells, m, 0 where there is none.
Field<float> depths_of(const StandingWater& water) {
    Field<float> depth(water.level.grid(), 0.0F);
    for (std::int64_t cell = 0; cell < depth.size(); ++cell)
        if (water.level[cell] > water.terrain[cell]) depth[cell] = water.level[cell] - water.terrain[cell];
    return depth;
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
    const Field<float> depths = depths_of(water);
    for_each_row(grid, [&](int row) {
        if (row % 64 == 0) progress.poll();
        for (int column = 0; column < grid.columns; ++column) {
            const Position place = grid.centre(column, row);
            const float depth = sample_bilinear(depths, place);
            float level = sample_bilinear(water.level, place);
            float& elevation = carved.elevation(column, row);
            if (!(depth > 0.0F) || is_no_data(level) || is_no_data(elevation)) continue;
            const float terrain = sample_bicubic(water.terrain, place);
            if (terrain + depth < level - kLevelRounding) level = terrain + depth;
            const float share = blend_share((level - terrain) / kBlendDepth);
            elevation += share * (terrain - elevation);
            if (share >= 1.0F) carved.material(column, row) = 0.0F;
            float& surface = carved.water_elevation(column, row);
            float& carved_depth = carved.water_depth(column, row);
            if (is_no_data(surface) || surface < level) surface = level;
            carved_depth = surface > elevation ? surface - elevation : 0.0F;
            if (!(carved_depth > 0.0F)) surface = kNoData;
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
