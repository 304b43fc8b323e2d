#include "thalweg/render/view.hpp"

#include "thalweg/grid/limits.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/render/shading/cover_colours.hpp"
#include "thalweg/render/shading/land_cover.hpp"
#include "thalweg/render/value_range.hpp"
#include "thalweg/render/view/camera.hpp"
#include "thalweg/render/view/floor_light.hpp"
#include "thalweg/render/view/outline.hpp"
#include "thalweg/render/view/picture.hpp"
#include "thalweg/render/view/view_light.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>

namespace thalweg {
namespace {

constexpr int kLeastCells = 256;  // along the longer side of the terrain as it is viewed
constexpr int kMostCells = 4096;
constexpr double kProudRelief = 0.105;   // relief over length that a view aims at; empirical
constexpr double kSeenCell = 2.0;        // cells of the view; empirical
constexpr double kFloorSunRadius = 3.0;  // degrees, for a soft shadow on the floor

/// The terrain on as many cells as the picture can show, which need not be those of the input.
Field<float> viewed_terrain(const Field<float>& elevation, const ViewParameters& parameters) {
    const Grid& source = elevation.grid();
    const int cells = std::clamp(std::max(parameters.width, parameters.height), kLeastCells, kMostCells);
    Grid grid = source;
    grid.cell_size = std::max(source.width(), source.height()) / cells;
    grid.columns = std::max(2, static_cast<int>(std::lround(source.width() / grid.cell_size)));
    grid.rows = std::max(2, static_cast<int>(std::lround(source.height() / grid.cell_size)));
    return resample(elevation, grid, Interpolation::Bicubic);
}

/// Width over which land cover takes slopes, m: a cell of a raster whose cells can be seen, or 0. Ground that
/// is rough from cell to cell would else be dotted with rock and grass.
double slope_width(const Grid& raster, const Grid& viewed) {
    return raster.cell_size > kSeenCell * viewed.cell_size ? raster.cell_size : 0.0;
}

/// What heights and slopes of the viewed terrain count relative to.
LandScale land_scale_of(const Field<float>& elevation, const Field<float>& viewed,
                        const ViewParameters& parameters) {
    LandScale scale =
        land_scale(parameters.scale ? viewed_terrain(*parameters.scale->terrain, parameters) : viewed,
                   slope_width(elevation.grid(), viewed.grid()));
    scale.sea_level = static_cast<float>(parameters.sea_level);
    return scale;
}

double view_exaggeration(const Field<float>& terrain, const ValueRange& range) {
    const double length = std::max(terrain.grid().width(), terrain.grid().height());
    const double relief = range.high - range.low;
    return relief > 0.0 ? std::clamp(kProudRelief * length / relief, 1.0, 20.0) : 1.0;
}

/// What light falls on, exaggerated: the ground, or the sea above it.
Field<float> viewed_surface(const Field<float>& terrain, double exaggeration, double sea_level) {
    Field<float> surface = terrain;
    for (float& z : surface) {
        if (is_no_data(z)) continue;
        z = static_cast<float>(exaggeration) * std::max(static_cast<float>(sea_level), z);
    }
    return surface;
}

/// Places that must be in the picture: the surface on a coarse raster, and the outline of the underside.
std::vector<Vector3> outline_points(const Block& block) {
    constexpr int kRaster = 96;
    std::vector<Vector3> points;
    const int stride = std::max(1, std::max(block.surface.columns(), block.surface.rows()) / kRaster);
    const auto add = [&](int column, int row) {
        const Vector3 vertex = block.vertex(column, row);
        if (is_no_data(vertex.z)) return;
        points.push_back(vertex);
        points.push_back({vertex.x, vertex.y, block.base});
    };
    for (int row = 0; row < block.surface.rows(); row += stride)
        for (int column = 0; column < block.surface.columns(); column += stride) add(column, row);
    for (const int row : {0, block.surface.rows() - 1})
        for (const int column : {0, block.surface.columns() - 1}) add(column, row);
    return points;
}

/// Corners of the box that holds every surface between these heights.
std::vector<Vector3> box_corners(const Block& block, ValueRange heights) {
    std::vector<Vector3> points;
    for (const int row : {0, block.surface.rows() - 1})
        for (const int column : {0, block.surface.columns() - 1}) {
            const Vector3 corner = block.vertex(column, row);
            points.push_back({corner.x, corner.y, block.base});
            points.push_back({corner.x, corner.y, static_cast<float>(heights.high)});
        }
    return points;
}

/// How far the block's underside lies below its lowest place.
float underside(const Grid& grid, ValueRange heights) {
    constexpr double kBaseDepth = 0.045;  // of the terrain's longer side; empirical
    return static_cast<float>(heights.low - kBaseDepth * std::max(grid.width(), grid.height()));
}

/// How far beyond the block its shadow may fall, m; at most as far as the block is long.
double shadow_reach(const Block& block, ValueRange heights, const Sun& sun) {
    const Grid& grid = block.surface.grid();
    const double size = std::max(grid.width(), grid.height());
    const double shadow = (heights.high - block.base) / std::tan(sun.altitude * std::numbers::pi / 180.0);
    return std::min(size, 1.2 * shadow + 0.15 * size);
}

/// Distances along the camera's axis, m, of the nearest and farthest place of the block.
struct DepthRange {
    float near = 0.0F;
    float far = 0.0F;
};

DepthRange depth_range(const Camera& camera, const std::vector<Vector3>& points) {
    DepthRange range{camera.depth(points.front()), camera.depth(points.front())};
    for (const Vector3& point : points) {
        range.near = std::min(range.near, camera.depth(point));
        range.far = std::max(range.far, camera.depth(point));
    }
    return range;
}

/// Everything that a pixel's colour depends on.
struct Studio {
    const ViewParameters& parameters;
    const ViewSubject& subject;
    const RayScene& scene;
    const Outline& outline;
    const FloorLights& floor;
    const Camera& camera;
    DepthRange depths;
};

/// Linear display colour of the floor, a bright table that fades into the background.
Colour floor_colour(const Studio& studio, Vector3 direction, float from_top) {
    constexpr float kSunShare = 0.42F;  // of the floor's light
    const Colour open = background(from_top);
    if (direction.z >= -1e-4F) return open;
    const float distance = (studio.subject.block.base - studio.camera.place().z) / direction.z;
    const Vector3 place = studio.camera.place() + direction * distance;
    const FloorLight light = studio.floor.at(place.x, place.y);
    const float shade = kSunShare * light.sun + (1.0F - kSunShare) * light.sky;
    constexpr Colour kShadowTint{0.16F, 0.20F, 0.28F};  // light that is left in full shadow: blue, from above
    return open * mix(kShadowTint, {1.0F, 1.0F, 1.0F}, shade);
}

/// Linear display colour along one camera ray, which met `hit`, at a share of the picture's height from its
/// top.
Colour ray_colour(const Studio& studio, Vector3 direction, const Hit& hit, float from_top) {
    constexpr Colour kHaze{0.70F, 0.77F, 0.84F};
    if (hit.part == Part::Nothing) return floor_colour(studio, direction, from_top);
    const Vector3 place = studio.camera.place() + direction * hit.distance;
    Colour light;
    if (hit.part == Part::Wall) {
        // Start the sun ray clear of the stairs that make up a slanting wall.
        const float clear = 2.0F * static_cast<float>(studio.subject.block.surface.grid().cell_size);
        const Vector3 normal = studio.outline.outward(place, hit.normal);
        const bool sunny = !studio.scene.is_blocked(place + normal * clear, studio.subject.sun);
        light = wall_light(studio.subject, place, normal, sunny);
    } else {
        light = surface_light(studio.subject, place, direction);
    }
    const float away = std::clamp(
        (studio.camera.depth(place) - studio.depths.near) / (studio.depths.far - studio.depths.near), 0.0F,
        1.0F);
    return mix(tone_curve(light), kHaze, static_cast<float>(studio.parameters.haze) * away * away);
}

/// Linear display colours of a pixel's rays, summed.
Colour ray_colours(const Studio& studio, std::span<const CameraRay> rays) {
    std::array<Vector3, kRaysAtOnce> directions;
    std::array<Hit, kRaysAtOnce> hits;
    for (std::size_t i = 0; i < rays.size(); ++i) directions[i] = rays[i].direction;
    studio.scene.first_hits(studio.camera.place(), std::span(directions).first(rays.size()), hits);
    Colour sum;
    for (std::size_t i = 0; i < rays.size(); ++i)
        sum = sum + ray_colour(studio, rays[i].direction, hits[i], rays[i].from_top);
    return sum;
}

}  // namespace

bool can_draw_views() {
    return RayScene::is_available();
}

Image draw_view(const Field<float>& elevation, const RiverNetwork* rivers, const ViewParameters& parameters,
                Progress& progress, const ViewColours& colours) {
    check_grid(elevation.grid());
    check_elevation(elevation, "elevation");
    const ValueRange own_range = value_range(elevation, "elevation");
    const ValueRange range = parameters.scale ? parameters.scale->heights : own_range;
    progress.report(0.0, "preparing the view");
    const Field<float> terrain = viewed_terrain(elevation, parameters);
    const double exaggeration =
        parameters.exaggeration > 0.0 ? parameters.exaggeration : view_exaggeration(terrain, range);
    const ValueRange heights{exaggeration * range.low, exaggeration * range.high};
    Field<float> surface = viewed_surface(terrain, exaggeration, parameters.sea_level);
    const Sun sun{parameters.sun_azimuth, parameters.sun_altitude};
    const Vector3 to_sun = towards(sun.azimuth, sun.altitude);
    progress.report(0.02, "covering the land");
    const Field<Colour> albedo =
        colours.land.empty() ? land_cover(terrain, land_scale_of(elevation, terrain, parameters), progress)
                             : cover_colours(colours.land, terrain, parameters.sea_level, progress);
    ProgressPart lighting(progress, 0.12, 0.35);
    const Field<GroundPoint> ground = light_ground(terrain, surface, albedo, sun, exaggeration, lighting);
    const Block block = make_block(std::move(surface), underside(terrain.grid(), heights));
    progress.poll();
    const RayScene scene(block);
    progress.report(0.4, "preparing the view");
    const Outline outline(block);
    const FloorLights floor(scene, block, to_sun, kFloorSunRadius, shadow_reach(block, heights, sun),
                            progress);
    const bool with_rivers = rivers != nullptr && parameters.rivers;
    const RiverPaint paint = with_rivers ? RiverPaint(*rivers, terrain.grid()) : RiverPaint();
    const ViewSubject subject{.block = block,
                              .ground = ground,
                              .rivers = paint,
                              .sun = to_sun,
                              .relief = static_cast<float>(std::max(1.0, heights.high - heights.low)),
                              .exaggeration = static_cast<float>(exaggeration),
                              .cut = colours.cut};
    const std::vector<Vector3> points =
        parameters.scale ? box_corners(block, heights) : outline_points(block);
    const Camera camera(parameters.azimuth, parameters.pitch, parameters.field_of_view, parameters.width,
                        parameters.height, Margins{}, points);
    const DepthRange depths = depth_range(camera, points);
    ProgressPart tracing(progress, 0.45, 1.0);
    const Studio studio{parameters, subject, scene, outline, floor, camera, depths};
    return trace_picture(
        camera, parameters.width, parameters.height, parameters.samples,
        [&](std::span<const CameraRay> rays) { return ray_colours(studio, rays); }, tracing);
}

}  // namespace thalweg
