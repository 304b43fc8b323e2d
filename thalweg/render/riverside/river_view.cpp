#include "thalweg/render/river_view.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/limits.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/render/riverside/grass.hpp"
#include "thalweg/render/riverside/leaves.hpp"
#include "thalweg/render/riverside/lit_relief.hpp"
#include "thalweg/render/riverside/riverside_colours.hpp"
#include "thalweg/render/riverside/sky.hpp"
#include "thalweg/render/shading/land_cover.hpp"
#include "thalweg/render/shading/water_optics.hpp"
#include "thalweg/render/view/camera.hpp"
#include "thalweg/render/view/picture.hpp"
#include "thalweg/render/view/view_light.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kShoreReach = 3.0;  // m that the water's level is carried on under the banks
constexpr double kWetReach = 25.0;   // m around water in which ground knows how high it lies above it
constexpr float kClear = 0.004F;     // m that a new ray starts away from where the last one ended
constexpr Colour kFoamColour{0.86F, 0.88F, 0.88F};

/// Where the view's coordinates begin: the middle of the ground's grid at height 0.
Vector3 offset_between(const Grid& from, const Grid& to) {
    const auto middle = [](const Grid& grid) {
        return Position{grid.west + 0.5 * grid.width(), grid.north - 0.5 * grid.height()};
    };
    return {static_cast<float>(middle(to).x - middle(from).x),
            static_cast<float>(middle(to).y - middle(from).y), 0.0F};
}

/// Surroundings without what the ground itself covers, but for one of their cells along its edge.
Field<float> around(const Field<float>& surroundings, const Grid& inner) {
    Field<float> field = surroundings;
    const Grid& grid = field.grid();
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column) {
            const Position p = grid.centre(column, row);
            const double inside = std::min({p.x - inner.west, inner.west + inner.width() - p.x,
                                            inner.north - p.y, p.y - (inner.north - inner.height())});
            if (inside > 1.5 * grid.cell_size) field(column, row) = kNoData;
        }
    });
    return field;
}

void check_same_grid(const Grid& given, const Grid& wanted, const char* name) {
    if (given == wanted) return;
    throw Error::input(fmt::format(
        "{} of a river view has {} x {} cells of {} m: it must lie on the ground's "
        "grid of {} x {} cells of {} m",
        name, given.columns, given.rows, given.cell_size, wanted.columns, wanted.rows, wanted.cell_size));
}

/// The direction in which light goes on under water (Snell's law), `normal` towards the air.
Vector3 refracted(Vector3 direction, Vector3 normal) {
    constexpr float kRatio = 1.0F / kWaterRefraction;
    const float cosine = -dot(direction, normal);
    const float inside = std::sqrt(1.0F - kRatio * kRatio * (1.0F - cosine * cosine));
    return normalised(direction * kRatio + normal * (kRatio * cosine - inside));
}

/// Share of each colour that is left after `way` metres of water.
Colour left_after(float way, float clarity) {
    // Red is lost soonest, blue-green goes farthest (Pope and Fry 1997), less of it in a river with its silt.
    constexpr Colour kPerClarity{1.9F, 1.0F, 1.15F};
    const float x = way / clarity;
    return {std::exp(-kPerClarity.red * x), std::exp(-kPerClarity.green * x),
            std::exp(-kPerClarity.blue * x)};
}

}  // namespace

struct RiverView::Impl {
    RiverViewParameters parameters;
    Grid grid;
    Vector3 sun;
    LitRelief ground;
    std::optional<LitRelief> surroundings;
    std::optional<Grass> grass;
    Sky sky;
    float base = 0.0F;  // m, height that is 0 in the view
    Vector3 camera_place = {};
    Vector3 camera_target = {};

    /// The water's surface at one time.
    struct Surface {
        LitRelief relief;
        const Field<float>* foam;
        Leaves leaves;
    };

    [[nodiscard]] Vector3 place_of(Position p, double z) const {
        return {static_cast<float>(p.x - (grid.west + 0.5 * grid.width())),
                static_cast<float>(p.y - (grid.north - 0.5 * grid.height())), static_cast<float>(z - base)};
    }
    [[nodiscard]] Position position_of(Vector3 place) const {
        return {grid.west + 0.5 * grid.width() + place.x, grid.north - 0.5 * grid.height() + place.y};
    }

    [[nodiscard]] Colour arriving(const GroundPoint& point, Vector3 normal, float sunlit) const {
        return kSunLight * (std::max(0.0F, dot(normal, sun)) * point.sun * sunlit) + kSkyLight * point.sky +
               kBounceLight * point.bounce;
    }

    [[nodiscard]] Colour dry_light(const LitRelief& relief, Vector3 place) const {
        const GroundPoint point = relief.at(place);
        return point.albedo * arriving(point, normalised({-point.rise_east, -point.rise_north, 1.0F}), 1.0F);
    }

    /// Light that comes along a ray that meets no water: ground, or sky.
    [[nodiscard]] Colour land_or_sky(Vector3 origin, Vector3 direction) const {
        const Hit near = ground.hit(origin, direction);
        Hit far;
        if (surroundings) far = surroundings->hit(origin, direction);
        const Hit blade = grass ? grass->hit(origin, direction) : Hit{};
        if (blade.part != Part::Nothing && (near.part == Part::Nothing || blade.distance < near.distance))
            return hazy(blade_light(blade, origin + direction * blade.distance), direction, blade.distance);
        const bool is_near =
            near.part != Part::Nothing && (far.part == Part::Nothing || near.distance <= far.distance);
        if (!is_near && far.part == Part::Nothing) return sky.light(direction);
        const float distance = is_near ? near.distance : far.distance;
        const Vector3 place = origin + direction * distance;
        return hazy(dry_light(is_near ? ground : *surroundings, place), direction, distance);
    }

    /// Light from a blade of grass, through which some of the sun shines.
    [[nodiscard]] Colour blade_light(const Hit& blade, Vector3 place) const {
        constexpr float kThrough = 0.35F;
        const GroundPoint point = ground.at(place);
        const float sunlit = grass->blocks(place + sun * kClear, sun) ? 0.25F : point.sun;
        const float facing = kThrough + (1.0F - kThrough) * std::abs(dot(blade.normal, sun));
        return grass->colour(blade, place) * (kSunLight * (facing * sunlit) + kSkyLight * point.sky);
    }

    [[nodiscard]] Colour hazy(Colour light, Vector3 direction, float distance) const {
        const float share = 1.0F - std::exp(-distance / static_cast<float>(parameters.haze));
        return mix(light, sky.light(normalised({direction.x, direction.y, 0.02F})), share);
    }

    /// Light that comes up from the bed along `direction` (downwards) from a place under the surface.
    [[nodiscard]] Colour inner_light(Vector3 place, Vector3 direction, Colour above) const {
        constexpr Colour kScattered{0.040F, 0.072F, 0.058F};  // of the light above, by deep water; empirical
        const auto clarity = static_cast<float>(parameters.clarity);
        const Hit bed = ground.hit(place, direction);
        if (bed.part == Part::Nothing) return kScattered * above;
        const Vector3 end = place + direction * bed.distance;
        const GroundPoint point = ground.at(end);
        const float depth = std::max(0.0F, place.z - end.z);
        const Vector3 normal = normalised({-point.rise_east, -point.rise_north, 1.0F});
        const Colour light = arriving(point, normal, sky.caustics(position_of(end), depth)) *
                             left_after(1.1F * depth, clarity);
        const Colour left = left_after(bed.distance, clarity);
        const Colour lost{1.0F - left.red, 1.0F - left.green, 1.0F - left.blue};
        return point.albedo * light * left + kScattered * above * lost;
    }

    [[nodiscard]] Colour water_light(const Surface& water, Vector3 place, Vector3 direction) const {
        const GroundPoint point = water.relief.at(place);
        const Vector3 normal = normalised({-point.rise_east, -point.rise_north, 1.0F});
        const float cosine = std::max(0.02F, -dot(direction, normal));
        const GroundPoint shade = ground.at(place);
        const Colour above = kSunLight * (sun.z * shade.sun) + kSkyLight;
        const Colour inside = inner_light(place, refracted(direction, normal), above);
        Vector3 mirror = direction + normal * (2.0F * cosine);
        mirror.z = std::max(mirror.z, 0.01F);
        mirror = normalised(mirror);
        const Vector3 start = place + normal * (4.0F * kClear);
        const Colour mirrored = land_or_sky(start, mirror) + glitter(mirror, shade.sun);
        const Colour clear = mix(inside, mirrored, fresnel(cosine));
        if (const Colour* const leaf = water.leaves.at(position_of(place)))
            return *leaf * (kSunLight * (sun.z * shade.sun) + kSkyLight * shade.sky);
        if (water.foam == nullptr) return clear;
        const float share = sky.bubbles(position_of(place), sample_bilinear(*water.foam, position_of(place)));
        const Colour lit = kSunLight * (std::max(0.0F, dot(normal, sun)) * shade.sun) + kSkyLight * shade.sky;
        return mix(clear, kFoamColour * lit, share);
    }

    [[nodiscard]] Colour glitter(Vector3 mirror, float sunlit) const {
        constexpr float kSharpness = 900.0F;
        constexpr float kStrength = 24.0F;
        const float towards_sun = std::max(0.0F, dot(mirror, sun));
        return kSunLight * (kStrength * sunlit * std::pow(towards_sun, kSharpness));
    }

    [[nodiscard]] Colour colour(const Surface& water, Vector3 eye, Vector3 direction) const {
        const Hit wet = water.relief.hit(eye, direction);
        const Hit dry = ground.hit(eye, direction);
        const Hit blade = grass ? grass->hit(eye, direction) : Hit{};
        const bool is_wet = wet.part != Part::Nothing &&
                            (dry.part == Part::Nothing || wet.distance < dry.distance) &&
                            (blade.part == Part::Nothing || wet.distance < blade.distance);
        if (!is_wet) return tone_curve(land_or_sky(eye, direction));
        const Vector3 place = eye + direction * wet.distance;
        return tone_curve(hazy(water_light(water, place, direction), direction, wet.distance));
    }

    /// Height of ground or water at a position, in the view.
    [[nodiscard]] float height_at(const Field<float>& water, Position p) const {
        const Vector3 above = place_of(p, base) + Vector3{0.0F, 0.0F, 1e5F};
        const Hit hit = ground.hit(above, {0.0F, 0.0F, -1.0F});
        if (hit.part == Part::Nothing)
            throw Error::input(fmt::format(
                "a river view looks from or to ({:g}, {:g}) m, which lies off its ground: give a place "
                "within "
                "x from {:g} to {:g} m, y from {:g} to {:g} m",
                p.x, p.y, grid.west, grid.west + grid.width(), grid.north - grid.height(), grid.north));
        const float surface = sample_bilinear(water, p) - base;
        const float bottom = 1e5F - hit.distance;
        return surface > bottom ? surface : bottom;
    }
};

RiverView::RiverView(const RiverGround& ground, const RiverViewParameters& parameters, Progress& progress) {
    check_grid(ground.elevation.grid());
    check_same_grid(ground.water_level.grid(), ground.elevation.grid(), "water_level");
    if (!ground.cover.empty()) check_same_grid(ground.cover.grid(), ground.elevation.grid(), "cover");
    const Sun sun{parameters.sun_azimuth, parameters.sun_altitude};
    const Grid& grid = ground.elevation.grid();
    progress.report(0.0, "laying out the river's bed");
    const Field<float> level = level_around(ground.water_level, kWetReach);
    const float base = lowest_of(ground.elevation);
    const Field<float> turf = turf_cover(ground, level);
    Field<float> surface = fine_relief(ground, turf);
    for (std::int64_t cell = 0; cell < surface.size(); ++cell) surface[cell] += ground.elevation[cell] - base;
    const Field<Colour> albedo = riverside_albedo(ground, level, turf);
    ProgressPart near_part(progress, 0.2, 0.7);
    LitRelief near = lit_relief(surface, albedo, {}, sun, near_part);
    std::optional<LitRelief> far;
    if (!ground.surroundings.empty()) {
        Field<float> outer = around(ground.surroundings, grid);
        for (float& z : outer) z -= base;
        const Field<Colour> cover = land_cover(outer, land_scale(outer, 0.0), progress);
        ProgressPart far_part(progress, 0.7, 1.0);
        far = lit_relief(outer, cover, offset_between(grid, outer.grid()), sun, far_part);
    }
    impl_ = std::make_unique<Impl>(Impl{.parameters = parameters,
                                        .grid = grid,
                                        .sun = towards(sun.azimuth, sun.altitude),
                                        .ground = std::move(near),
                                        .surroundings = std::move(far),
                                        .grass = {},
                                        .sky = {},
                                        .base = base});
    impl_->grass.emplace(turf, surface, impl_->place_of(parameters.eye, 0.0));
    const auto on_top = [&](Position p) { return base + impl_->height_at(ground.water_level, p); };
    impl_->camera_place = impl_->place_of(parameters.eye, on_top(parameters.eye) + parameters.eye_height);
    impl_->camera_target = impl_->place_of(parameters.target, on_top(parameters.target));
    progress.report(1.0, "river's bed laid out");
}

RiverView::~RiverView() = default;

Image riverside_colours(const RiverGround& ground) {
    const Grid& grid = ground.elevation.grid();
    check_same_grid(ground.water_level.grid(), grid, "water_level");
    if (!ground.cover.empty()) check_same_grid(ground.cover.grid(), grid, "cover");
    const Field<float> level = level_around(ground.water_level, kWetReach);
    const Field<Colour> albedo = riverside_albedo(ground, level, turf_cover(ground, level));
    Image colours{.width = grid.columns, .height = grid.rows, .rgb = {}};
    colours.rgb.reserve(3 * static_cast<std::size_t>(grid.cells()));
    for (const Colour& linear : albedo) {
        const Colour colour = to_srgb(linear);
        for (const float component : {colour.red, colour.green, colour.blue})
            colours.rgb.push_back(to_byte(component));
    }
    return colours;
}

Image RiverView::draw(const RiverWater& water, Progress& progress) const {
    const Impl& view = *impl_;
    check_same_grid(water.elevation.grid(), view.grid, "elevation of the water");
    if (!water.foam.empty()) check_same_grid(water.foam.grid(), view.grid, "foam");
    // Carry the surface on under the banks, so that it ends where it meets them.
    Field<float> surface = level_around(water.elevation, kShoreReach);
    for (float& z : surface) z -= view.base;
    const Sun sun{view.parameters.sun_azimuth, view.parameters.sun_altitude};
    ProgressPart lighting(progress, 0.0, 0.2);
    Impl::Surface on_top{.relief = lit_relief(surface, Field<Colour>(view.grid), {}, sun, lighting),
                         .foam = water.foam.empty() ? nullptr : &water.foam,
                         .leaves = Leaves(water.leaves)};
    const RiverViewParameters& p = view.parameters;
    const Camera camera(view.camera_place, view.camera_target, p.field_of_view, p.width, p.height);
    ProgressPart tracing(progress, 0.2, 1.0);
    return trace_picture(
        camera, p.width, p.height, p.samples,
        [&](std::span<const CameraRay> rays) {
            Colour sum;
            for (const CameraRay& ray : rays)
                sum = sum + view.colour(on_top, view.camera_place, ray.direction);
            return sum;
        },
        tracing);
}

}  // namespace thalweg
