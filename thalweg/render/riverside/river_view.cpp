#include "thalweg/render/river_view.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/grid/limits.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/sampling.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/riverside/far_ground.hpp"
#include "thalweg/render/riverside/floating_things.hpp"
#include "thalweg/render/riverside/fractal.hpp"
#include "thalweg/render/riverside/lit_relief.hpp"
#include "thalweg/render/riverside/rapids_foam.hpp"
#include "thalweg/render/riverside/riverside_colours.hpp"
#include "thalweg/render/riverside/scatter.hpp"
#include "thalweg/render/riverside/sky.hpp"
#include "thalweg/render/shading/water_optics.hpp"
#include "thalweg/render/view/camera.hpp"
#include "thalweg/render/view/picture.hpp"
#include "thalweg/render/view/view_light.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kShoreReach = 1.0;  // m that the water's level is carried on under the banks
constexpr float kClear = 0.004F;     // m that a new ray starts away from where the last one ended
constexpr Colour kDeepWater{0.026F, 0.048F, 0.038F};  // share of light that it scatters; empirical
constexpr Colour kFoamColour{0.66F, 0.68F, 0.68F};    // with the shade between its bubbles

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

constexpr float kCragHeight = 0.24F;  // m

/// How high rock stands out between its cracks, of kCragHeight.
float crag(double u, double v) {
    constexpr double kBlock = 0.8;  // m, about two blocks
    return std::abs(fractal(112, u / kBlock, v / kBlock, 7));
}

}  // namespace

struct RiverView::Impl {
    RiverViewParameters parameters;
    Grid grid;
    Vector3 sun;
    LitRelief ground;
    std::optional<FarGround> surroundings;
    Field<float> stoniness;  // density of stones, over that of a gravel bed
    Field<float> rock;       // share of the ground that is rock
    std::optional<Scatter> scatter;
    Sky sky;
    float base = 0.0F;  // m, height that is 0 in the view
    Vector3 camera_place = {};
    Vector3 camera_target = {};

    /// The water's surface at one time.
    struct Surface {
        std::optional<LitRelief> relief;  // none where all is dry
        RapidsFoam foam;
        Leaves leaves;
        FoamPatches patches;
    };

    /// Sets `scatter`. Fields on the ground's grid: m, of the water near by; share; m above the view's 0.
    void scatter_over(const RiverGround& given, const Field<float>& level, const Field<float>& turf,
                      const Field<float>& straw, const Field<float>& surface);

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

    /// What a ray meets first beside the water of the view.
    struct Met {
        enum class What { Nothing, Ground, Far, Scatter } what = What::Nothing;
        Hit hit;
        FarGround::Meeting far;
        Vector3 place;
    };

    /// Nothing that is `farthest` or more away.
    [[nodiscard]] Met met(Vector3 origin, Vector3 direction,
                          float farthest = std::numeric_limits<float>::infinity()) const {
        Met found;
        const auto take = [&](typename Met::What what, const Hit& hit) {
            if (hit.part == Part::Nothing) return;
            found.what = what;
            found.hit = hit;
            farthest = hit.distance;
        };
        take(Met::What::Ground, ground.hit(origin, direction, farthest));
        if (scatter) take(Met::What::Scatter, scatter->hit(origin, direction, farthest));
        if (surroundings && found.what != Met::What::Ground) {
            found.far = surroundings->hit(origin, direction, farthest);
            take(Met::What::Far, found.far.hit);
        }
        found.place = origin + direction * found.hit.distance;
        return found;
    }

    /// Share of the sun that what stands around lets through to a place, `clear` metres away from it.
    [[nodiscard]] float let_through(Vector3 place, float clear = 2.0F * kClear) const {
        if (!scatter) return 1.0F;
        const Vector3 towards_sun = place_in_sun(place);
        return scatter->blocks(place + towards_sun * clear, towards_sun) ? 0.15F : 1.0F;
    }

    /// Towards a place in the sun's disc and its bright rim, drawn by hash of where it is looked at from, so
    /// that shadows are blurred as far as what casts them is away.
    [[nodiscard]] Vector3 place_in_sun(Vector3 from) const {
        constexpr float kRadius = 0.012F;  // rad
        constexpr float kPerMetre = 4096.0F;
        const auto whole = [](float coordinate) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(kPerMetre * coordinate));
        };
        const std::uint64_t bits = random_bits(113, Stream::Render, whole(from.x), whole(from.y));
        const float turn = 2.0F * std::numbers::pi_v<float> * unit_float(bits);
        const float off = kRadius * std::sqrt(unit_float(mix64(bits)));
        const Vector3 level = normalised({-sun.y, sun.x, 0.0F});
        const Vector3 up{-sun.z * level.y, sun.z * level.x, sun.x * level.y - sun.y * level.x};
        return normalised(sun + level * (off * std::cos(turn)) + up * (off * std::sin(turn)));
    }

    /// The ground at a place, with grains and crumbs that its cells do not show; light from there that
    /// arrives `distance` away.
    [[nodiscard]] Colour ground_light(Vector3 place, float distance, float sunlit) const {
        constexpr double kGrain = 0.16;         // m, the longest wave
        constexpr float kGrainHeight = 0.011F;  // m
        GroundPoint point = ground.at(place);
        Vector3 normal{-point.rise_east, -point.rise_north, 1.0F};
        const float fine = smoothstep(60.0F, 15.0F, distance);
        if (fine > 0.0F) {
            const auto grain = [&](double u, double v) { return fractal(88, u / kGrain, v / kGrain, 5); };
            const auto on_ground = [&](float east, float north, const auto& noise) {
                const float up = point.rise_east * east + point.rise_north * north;
                return on_slope(position_of(place + Vector3{east, north, 0.0F}),
                                static_cast<double>(place.z + up), point.rise_east, point.rise_north, noise);
            };
            const float bare = sample_bilinear(rock, position_of(place));
            const auto height = [&](float east, float north) {
                float sum = (1.0F + bare) * kGrainHeight * on_ground(east, north, grain);
                if (bare > 0.0F) sum += bare * kCragHeight * on_ground(east, north, crag);
                return sum;
            };
            constexpr float kStep = 0.012F;  // m
            const float here = height(0.0F, 0.0F);
            normal.x -= fine * (height(kStep, 0.0F) - here) / kStep;
            normal.y -= fine * (height(0.0F, kStep) - here) / kStep;
            const float bright = 0.6F * on_ground(0.0F, 0.0F, grain) +
                                 bare * (1.1F * smoothstep(0.0F, 0.25F, on_ground(0.0F, 0.0F, crag)) - 0.6F);
            point.albedo = point.albedo * (1.0F + fine * bright) * pebbles(place, fine);
        }
        return point.albedo * arriving(point, normalised(normal), sunlit);
    }

    /// The brightness of pebbles where the ground has stones, over its mean.
    [[nodiscard]] float pebbles(Vector3 place, float fine) const {
        constexpr double kPebble = 0.055;  // m
        constexpr double kCobble = 0.14;   // m
        const Position p = position_of(place);
        const float share = fine * std::min(1.0F, sample_bilinear(stoniness, p));
        if (share <= 0.0F) return 1.0F;
        CellularBasis small(random_bits(89, Stream::Render));
        CellularBasis large(random_bits(90, Stream::Render));
        const float bright = (0.55F + 0.8F * (1.0F - small(p.x / kPebble, p.y / kPebble))) *
                             (0.65F + 0.6F * (1.0F - large(p.x / kCobble, p.y / kCobble)));
        return 1.0F + share * (bright - 1.0F);
    }

    /// Light from country or resting water around the view.
    [[nodiscard]] Colour far_light(const Met& found, Vector3 direction) const {
        GroundPoint point = surroundings->at(found.far, found.place);
        const Position p = position_of(found.place);
        if (found.far.is_water) {
            const Vector3 normal = normalised({0.03F * fractal(96, p.x / 1.7, p.y / 1.7, 3),
                                               0.03F * fractal(97, p.x / 1.7, p.y / 1.7, 3), 1.0F});
            const float cosine = std::max(0.02F, -dot(direction, normal));
            Vector3 mirror = direction + normal * (2.0F * cosine);
            mirror.z = std::max(mirror.z, 0.01F);
            mirror = normalised(mirror);
            const Vector3 start = found.place + Vector3{0.0F, 0.0F, 0.05F};
            const Met above = met(start, mirror);
            const Colour mirrored = above.what == Met::What::Far && above.far.is_water
                                        ? sky.light(mirror)
                                        : met_light(above, mirror);
            const Colour inside = kDeepWater * (kSunLight * (sun.z * point.sun) + kSkyLight);
            return mix(inside, mirrored, fresnel(cosine));
        }
        point.albedo = point.albedo * (1.0F + 0.35F * fractal(98, p.x / 9.0, p.y / 9.0, 5));
        const float sunlit = let_through(found.place, 0.1F);
        return point.albedo *
               arriving(point, normalised({-point.rise_east, -point.rise_north, 1.0F}), sunlit);
    }

    [[nodiscard]] Colour scatter_light(const Hit& hit, Vector3 place, float sunlit) const {
        const Scatter::Light light = scatter->light(hit, place, sun);
        const GroundPoint point =
            extent_of(grid).contains(position_of(place)) ? ground.at(place) : GroundPoint{};
        const float through = light.facing > 0.0F ? let_through(place, light.clear) : 0.0F;
        return light.albedo *
               (kSunLight * (light.facing * through * sunlit * point.sun) +
                kSkyLight * (light.sky * point.sky) + kBounceLight * (light.sky * point.bounce));
    }

    /// Light that comes along a ray that meets no water: ground, or sky.
    [[nodiscard]] Colour land_or_sky(Vector3 origin, Vector3 direction) const {
        return met_light(met(origin, direction), direction);
    }
    [[nodiscard]] Colour met_light(const Met& found, Vector3 direction) const {
        const float distance = found.hit.distance;
        switch (found.what) {
            case Met::What::Nothing:
                return sky.light(direction);
            case Met::What::Ground:
                return hazy(ground_light(found.place, distance, let_through(found.place)), direction,
                            distance);
            case Met::What::Far:
                return hazy(far_light(found, direction), direction, distance);
            case Met::What::Scatter:
                break;
        }
        return hazy(scatter_light(found.hit, found.place, 1.0F), direction, distance);
    }

    [[nodiscard]] Colour hazy(Colour light, Vector3 direction, float distance) const {
        const float share = 1.0F - std::exp(-distance / static_cast<float>(parameters.haze));
        return mix(light, sky.light(normalised({direction.x, direction.y, 0.02F})), share);
    }

    /// Light that comes up from the bed along `direction` (downwards) from a place under the surface.
    [[nodiscard]] Colour inner_light(Vector3 place, Vector3 direction, Colour above) const {
        const auto clarity = static_cast<float>(parameters.clarity);
        Hit bed = ground.hit(place, direction);
        if (bed.part == Part::Nothing) return kDeepWater * above;
        const Hit stone = scatter ? scatter->hit(place, direction, bed.distance) : Hit{};
        const bool is_stone = stone.part != Part::Nothing;
        if (is_stone) bed = stone;
        const Vector3 end = place + direction * bed.distance;
        const float depth = std::max(0.0F, place.z - end.z);
        const float sunlit = sky.caustics(position_of(end), depth);
        const Colour light =
            (is_stone ? scatter_light(stone, end, sunlit) : ground_light(end, bed.distance, sunlit)) *
            left_after(1.1F * depth, clarity);
        const Colour left = left_after(bed.distance, clarity);
        const Colour lost{1.0F - left.red, 1.0F - left.green, 1.0F - left.blue};
        return light * left + kDeepWater * above * lost;
    }

    [[nodiscard]] Colour water_light(const Surface& water, Vector3 place, Vector3 direction) const {
        const GroundPoint point = water.relief->at(place);
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
        const Position p = position_of(place);
        const RapidsFoam::Cover made = water.foam.at(p);
        const float share = std::max(made.share, water.patches.at(p));
        if (!(share > 0.0F)) return clear;
        const Colour lit = kSunLight * (std::max(0.0F, dot(normal, sun)) * shade.sun) + kSkyLight * shade.sky;
        return mix(clear, kFoamColour * (lit * foam_shade(water, p, made)), share);
    }

    /// How brightly foam shows, thick or thin, that faces the sun or not.
    [[nodiscard]] float foam_shade(const Surface& water, Position p, const RapidsFoam::Cover& made) const {
        constexpr double kStep = 0.05;  // m
        if (!(made.share > 0.0F)) return 1.0F;
        const Position sunward{p.x + kStep * static_cast<double>(sun.x),
                               p.y + kStep * static_cast<double>(sun.y)};
        const float towards = made.rise - water.foam.at(sunward).rise;
        return (0.72F + 0.4F * made.rise) * std::clamp(1.0F + 1.4F * towards, 0.55F, 1.2F);
    }

    [[nodiscard]] Colour glitter(Vector3 mirror, float sunlit) const {
        constexpr float kSharpness = 900.0F;
        constexpr float kStrength = 24.0F;
        const float towards_sun = std::max(0.0F, dot(mirror, sun));
        return kSunLight * (kStrength * sunlit * std::pow(towards_sun, kSharpness));
    }

    [[nodiscard]] Colour colour(const Surface& water, Vector3 eye, Vector3 direction) const {
        const Hit wet = water.relief ? water.relief->hit(eye, direction) : Hit{};
        if (wet.part == Part::Nothing) return tone_curve(land_or_sky(eye, direction));
        const Met dry = met(eye, direction, wet.distance);
        if (dry.what != Met::What::Nothing) return tone_curve(met_light(dry, direction));
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
    const LandGrowth growth = land_growth(ground.land, ground.elevation, progress);
    Field<float> turf = turf_cover(ground, level);
    const Field<Colour> albedo = riverside_albedo(ground, level, turf, growth.colours);
    // What does not grow has no blades, tufts and trees.
    for (std::int64_t cell = 0; cell < growth.grown.size(); ++cell) turf[cell] *= growth.grown[cell];
    Field<float> surface = fine_relief(ground, turf);
    for (std::int64_t cell = 0; cell < surface.size(); ++cell) surface[cell] += ground.elevation[cell] - base;
    ProgressPart near_part(progress, 0.2, 0.7);
    LitRelief near = lit_relief(surface, albedo, {}, sun, near_part);
    std::optional<FarGround> far;
    if (!ground.surroundings.empty()) {
        ProgressPart far_part(progress, 0.7, 1.0);
        far.emplace(ground.surroundings, grid, base, sun, far_part);
    }
    impl_ = std::make_unique<Impl>(Impl{.parameters = parameters,
                                        .grid = grid,
                                        .sun = towards(sun.azimuth, sun.altitude),
                                        .ground = std::move(near),
                                        .surroundings = std::move(far),
                                        .stoniness = stone_density(ground, level, turf),
                                        .rock = rock_cover(ground),
                                        .scatter = {},
                                        .sky = {},
                                        .base = base});
    const auto on_top = [&](Position p) { return base + impl_->height_at(ground.water_level, p); };
    impl_->camera_place = impl_->place_of(parameters.eye, on_top(parameters.eye) + parameters.eye_height);
    impl_->camera_target = impl_->place_of(parameters.target, on_top(parameters.target));
    if (parameters.scatter) impl_->scatter_over(ground, level, turf, growth.straw, surface);
    progress.report(1.0, "river's bed laid out");
}

void RiverView::Impl::scatter_over(const RiverGround& given, const Field<float>& level,
                                   const Field<float>& turf, const Field<float>& straw,
                                   const Field<float>& surface) {
    Field<float> water = level;
    for (float& z : water) z -= base;
    const auto site = [&](Position p) -> TreeSite {
        FarGround::Land land;
        if (extent_of(grid).contains(p)) {
            const float height = sample_bilinear(surface, p);
            land = {height, height - sample_bilinear(water, p), sample_bilinear(turf, p)};
        } else if (surroundings) {
            land = surroundings->land_at(p);
        }
        const Vector3 place = place_of(p, 0.0);
        return {{place.x, place.y, land.height}, land.above_water, land.soil};
    };
    scatter.emplace(
        ScatterGround{
            .surface = surface,
            .turf = turf,
            .straw = straw,
            .stones = stoniness,
            .water = water,
            .site = site,
            .forest = given.surroundings.empty() ? given.land.forest : given.surroundings.back().land.forest},
        place_of(parameters.eye, 0.0), place_of(parameters.target, 0.0), parameters.eye);
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
    for (const auto& [field, name] : {std::pair(&water.foam, "foam"),
                                      {&water.velocity_east, "velocity_east"},
                                      {&water.velocity_north, "velocity_north"}})
        if (!field->empty()) check_same_grid(field->grid(), view.grid, name);
    // Carry the surface on under the banks, so that it ends where it meets them.
    Field<float> surface = level_around(water.elevation, kShoreReach);
    for (float& z : surface) z -= view.base;
    const Sun sun{view.parameters.sun_azimuth, view.parameters.sun_altitude};
    ProgressPart lighting(progress, 0.0, 0.2);
    Impl::Surface on_top{.relief = {},
                         .foam = RapidsFoam(water),
                         .leaves = Leaves(water.leaves),
                         .patches = FoamPatches(water.foam_patches)};
    if (!std::ranges::all_of(surface, is_no_data))
        on_top.relief = lit_relief(surface, Field<Colour>(view.grid), {}, sun, lighting);
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
