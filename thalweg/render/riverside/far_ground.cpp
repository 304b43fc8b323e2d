#include "thalweg/render/riverside/far_ground.hpp"

#include "thalweg/grid/rectangle.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/riverside/riverside_colours.hpp"
#include "thalweg/render/shading/cover_colours.hpp"
#include "thalweg/render/shading/land_cover.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace thalweg {
namespace {

constexpr float kClear = 0.004F;  // m that a new ray starts away from where the last one ended

/// From the middle of one grid to that of another.
Vector3 offset_between(const Grid& from, const Grid& to) {
    const auto middle = [](const Grid& grid) {
        return Position{grid.west + 0.5 * grid.width(), grid.north - 0.5 * grid.height()};
    };
    return {static_cast<float>(middle(to).x - middle(from).x),
            static_cast<float>(middle(to).y - middle(from).y), 0.0F};
}

/// Heights above `base`; none where `within` covers them, but for one of their cells along its edge.
Field<float> ring_of(Field<float> heights, float base, const Grid& within) {
    const Grid grid = heights.grid();
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            const Position p = grid.centre(column, row);
            const double inside = std::min({p.x - within.west, within.west + within.width() - p.x,
                                            within.north - p.y, p.y - (within.north - within.height())});
            float& z = heights(column, row);
            z = inside > 1.5 * grid.cell_size ? kNoData : z - base;
        }
    });
    return heights;
}

/// Heights that go over into those of `within` at its rim, where they differ, over some cells.
Field<float> joined(const Field<float>& given, const Field<float>& within) {
    constexpr double kCells = 6.0;
    Field<float> heights = given;
    const Grid& grid = given.grid();
    const Grid& inner = within.grid();
    const double reach = kCells * grid.cell_size;
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            const Position p = grid.centre(column, row);
            const Position rim{std::clamp(p.x, inner.west, inner.west + inner.width()),
                               std::clamp(p.y, inner.north - inner.height(), inner.north)};
            const auto away = static_cast<float>(std::hypot(p.x - rim.x, p.y - rim.y) / reach);
            if (away >= 1.0F) continue;
            const float step = sample_bilinear(within, rim) - sample_bilinear(given, rim);
            if (!is_no_data(step)) heights(column, row) += step * smoothstep(1.0F, 0.0F, away);
        }
    });
    return heights;
}

}  // namespace

bool FarGround::Inside::holds(Vector3 place) const {
    return std::abs(place.x - middle.x) < half_x && std::abs(place.y - middle.y) < half_y;
}

float FarGround::Inside::distance_to_exit(Vector3 origin, Vector3 direction) const {
    const auto way = [](float from, float along, float half) {
        return along == 0.0F ? std::numeric_limits<float>::infinity()
                             : (std::copysign(half, along) - from) / along;
    };
    return std::min(way(origin.x - middle.x, direction.x, half_x),
                    way(origin.y - middle.y, direction.y, half_y));
}

FarGround::FarGround(const std::vector<RiverSurroundings>& surroundings, const Grid& inner, float base,
                     const Sun& sun, Progress& progress) {
    const Grid* within = &inner;
    const Field<float>* beyond = nullptr;  // the ring before
    for (const RiverSurroundings& around : surroundings) {
        const Grid& grid = around.elevation.grid();
        const Vector3 middle = offset_between(inner, grid);
        // A surface ends at the middles of its outermost cells.
        Ring ring{.inside = {.middle = offset_between(inner, *within),
                             .half_x = static_cast<float>(0.5 * (within->width() - within->cell_size)),
                             .half_y = static_cast<float>(0.5 * (within->height() - within->cell_size))},
                  .ground = {},
                  .water = {},
                  .above_water = {},
                  .soil = {}};
        Field<Colour> colours;
        if (around.water_level.empty()) {
            colours = around.land.empty()
                          ? land_cover(around.elevation, land_scale(around.elevation, 0.0), progress)
                          : cover_colours(around.land, around.elevation,
                                          -std::numeric_limits<double>::infinity(), progress);
        } else {
            const RiverGround ground{
                .elevation = around.elevation, .water_level = around.water_level, .cover = around.cover};
            const Field<float> level = level_around(around.water_level, kWetReach);
            ring.soil = turf_cover(ground, level);
            colours = riverside_albedo(ground, level, ring.soil,
                                       land_growth(around.land, around.elevation, progress).colours);
            ring.above_water = around.elevation;
            for (std::int64_t cell = 0; cell < level.size(); ++cell) ring.above_water[cell] -= level[cell];
        }
        if (std::ranges::any_of(around.water_level, [](float level) { return !is_no_data(level); }))
            ring.water =
                lit_relief(ring_of(level_around(around.water_level, 2.0 * grid.cell_size), base, *within),
                           Field<Colour>(grid), middle, sun, progress);
        const Field<float> heights = beyond == nullptr ? around.elevation : joined(around.elevation, *beyond);
        ring.ground = lit_relief(ring_of(heights, base, *within), colours, middle, sun, progress);
        beyond = &around.elevation;
        rings_.push_back(std::move(ring));
        within = &grid;
    }
}

FarGround::Land FarGround::land_at(Position p) const {
    for (const Ring& ring : rings_) {
        const Field<float>& surface = ring.ground.block.surface;
        if (!extent_of(surface.grid()).contains(p)) continue;
        const float height = sample_bilinear(surface, p);
        return {height, ring.above_water.empty() ? kNoData : sample_bilinear(ring.above_water, p),
                ring.soil.empty() ? 1.0F : sample_bilinear(ring.soil, p)};
    }
    return {};
}

Hit FarGround::outside_hit(const LitRelief& relief, const Inside& inside, Vector3 origin, Vector3 direction,
                           float farthest) {
    Hit hit = relief.hit(origin, direction, farthest);
    const bool starts_inside = inside.holds(origin);
    if (hit.part == Part::Nothing && !starts_inside) return hit;
    if (hit.part != Part::Nothing && !inside.holds(origin + direction * hit.distance)) return hit;
    // Go on from where the ray leaves the ground within.
    if (!starts_inside) return {};
    const float way = inside.distance_to_exit(origin, direction) + kClear;
    if (!(way < std::min(farthest, 1e5F))) return {};
    const Vector3 rim = origin + direction * way;
    const Hit below = relief.hit(rim + Vector3{0.0F, 0.0F, 1e4F}, {0.0F, 0.0F, -1.0F});
    if (below.part == Part::Nothing) return {};
    if (rim.z < rim.z + 1e4F - below.distance)
        return {.part = Part::Surface, .distance = way, .normal = {0.0F, 0.0F, 1.0F}};
    hit = relief.hit(rim, direction, farthest - way);
    hit.distance += way;
    return hit;
}

FarGround::Meeting FarGround::hit(Vector3 origin, Vector3 direction, float farthest) const {
    Meeting nearest;
    const auto take = [&](const LitRelief& relief, std::size_t ring, bool is_water) {
        const Hit hit = outside_hit(relief, rings_[ring].inside, origin, direction, farthest);
        if (hit.part == Part::Nothing) return;
        farthest = hit.distance;
        nearest = {hit, ring, is_water};
    };
    for (std::size_t ring = 0; ring < rings_.size(); ++ring) {
        take(rings_[ring].ground, ring, false);
        if (rings_[ring].water) take(*rings_[ring].water, ring, true);
    }
    return nearest;
}

GroundPoint FarGround::at(const Meeting& met, Vector3 place) const {
    const Ring& ring = rings_[met.ring];
    return met.is_water ? ring.water->at(place) : ring.ground.at(place);
}

}  // namespace thalweg
