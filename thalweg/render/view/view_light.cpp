#include "thalweg/render/view/view_light.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/shading/water_optics.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

// Linear light; empirical, tuned by eye for a clear afternoon.
constexpr Colour kSun{2.55F, 2.20F, 1.72F};
constexpr Colour kSky{0.50F, 0.62F, 0.84F};
constexpr Colour kBounce{2.3F, 2.1F, 1.75F};
constexpr Colour kSkyAtHorizon{0.86F, 0.92F, 0.98F};
constexpr Colour kSkyAtZenith{0.26F, 0.46F, 0.80F};

Colour sky_towards(float upward) {
    return mix(kSkyAtHorizon, kSkyAtZenith, std::sqrt(std::clamp(upward, 0.0F, 1.0F)));
}

/// Light that arrives at a surface point of the given unit normal.
Colour arriving(const ViewSubject& subject, const GroundPoint& point, Vector3 normal) {
    const float towards_sun = std::max(0.0F, dot(normal, subject.sun)) * point.sun;
    return kSun * towards_sun + kSky * point.sky + kBounce * point.bounce;
}

/// Open water over the ground: the bottom shows through shallows, the sky is mirrored.
Colour sea_light(const ViewSubject& subject, const GroundPoint& point, Vector3 direction) {
    // Depths of a third of the light, true metres for a relief of 1000 m, in proportion for others.
    constexpr Colour kClarity{9.0F, 26.0F, 42.0F};
    constexpr Colour kDeep{0.012F, 0.060F, 0.100F};
    const float depth = point.depth / subject.relief * 1000.0F;
    const Colour through{std::exp(-depth / kClarity.red), std::exp(-depth / kClarity.green),
                         std::exp(-depth / kClarity.blue)};
    const Colour light = arriving(subject, point, {0.0F, 0.0F, 1.0F});
    const Colour bottom = point.albedo * light * through;
    const Colour inside =
        kDeep * light * Colour{1.0F - through.red, 1.0F - through.green, 1.0F - through.blue};
    const float mirrored = fresnel(-direction.z);
    return mix(bottom + inside, sky_towards(-direction.z), mirrored);
}

Colour river_light(const Colour& light, Vector3 direction) {
    constexpr Colour kRiverWater{0.022F, 0.085F, 0.150F};
    return mix(kRiverWater * light, sky_towards(-direction.z), fresnel(-direction.z));
}

/// Rock of the layer at height `z`, in a stack of layers about `thickness` apart.
constexpr float kCutBrightness = 0.8F;  // rock in the ground is darker than on a map

Colour strata(float z, float thickness) {
    constexpr std::array<Colour, 6> kRocks{Colour{0.345F, 0.283F, 0.220F}, Colour{0.275F, 0.217F, 0.167F},
                                           Colour{0.420F, 0.362F, 0.292F}, Colour{0.235F, 0.195F, 0.160F},
                                           Colour{0.330F, 0.253F, 0.188F}, Colour{0.380F, 0.318F, 0.247F}};
    constexpr float kSoftEdge = 0.07F;  // of a layer
    const float place = z / thickness;
    const float layer = std::floor(place);
    const auto rock = [&](float k) {
        const auto bits =
            random_bits(5, Stream::Render, static_cast<std::uint64_t>(static_cast<std::int64_t>(k)));
        return kRocks[bits % kRocks.size()] * (0.88F + 0.24F * unit_float(bits));
    };
    return mix(rock(layer - 1.0F), rock(layer), smoothstep(0.0F, kSoftEdge, place - layer));
}

/// Linear colour of the ground in the wall at a place.
Colour cut_colour(const ViewSubject& subject, Vector3 place) {
    const Grid& grid = subject.block.surface.grid();
    const Position position{grid.x(subject.block.column_at(place.x)), grid.y(subject.block.row_at(place.y))};
    return to_linear(subject.cut(position, place.z / subject.exaggeration)) * kCutBrightness;
}

}  // namespace

Colour surface_light(const ViewSubject& subject, Vector3 place, Vector3 direction) {
    constexpr Colour kBank{0.060F, 0.100F, 0.034F};
    constexpr float kBankStrength = 0.6F;
    const float column = subject.block.column_at(place.x);
    const float row = subject.block.row_at(place.y);
    const GroundPoint point = ground_at(subject.ground, column, row);
    if (point.depth > 0.0F) return sea_light(subject, point, direction);
    const Vector3 normal = normalised({-point.rise_east, -point.rise_north, 1.0F});
    const RiverCover river = subject.rivers.at(column, row);
    const Colour albedo = mix(point.albedo, kBank, kBankStrength * std::max(0.0F, river.bank - river.water));
    const Colour dry = albedo * arriving(subject, point, normal);
    if (river.water <= 0.0F) return dry;
    const Vector3 flat = normalised({-0.3F * point.rise_east, -0.3F * point.rise_north, 1.0F});
    return mix(dry, river_light(arriving(subject, point, flat), direction), river.water);
}

Colour wall_light(const ViewSubject& subject, Vector3 place, Vector3 normal, bool sunny) {
    constexpr Colour kTopsoil{0.085F, 0.058F, 0.036F};
    constexpr Colour kSubsoil{0.300F, 0.205F, 0.125F};
    constexpr Colour kWaterSide{0.028F, 0.118F, 0.185F};
    constexpr Colour kFloor{0.40F, 0.365F, 0.32F};  // light that the bright floor sends up
    const float size = static_cast<float>(
        std::max(subject.block.surface.grid().width(), subject.block.surface.grid().height()));
    const GroundPoint point =
        ground_at(subject.ground, subject.block.column_at(place.x), subject.block.row_at(place.y));
    const Grid& grid = subject.block.surface.grid();
    const int column =
        std::clamp(static_cast<int>(std::lround(subject.block.column_at(place.x))), 0, grid.columns - 1);
    const int row =
        std::clamp(static_cast<int>(std::lround(subject.block.row_at(place.y))), 0, grid.rows - 1);
    const float top = subject.block.surface(column, row);
    const float below = (is_no_data(top) ? 0.0F : top - place.z) - point.depth;
    // Layers dip gently and swell, soil follows the surface.
    const float along = (place.x + place.y) / size;
    const float swell = 0.006F * std::sin(9.0F * along + 1.3F) + 0.0025F * std::sin(31.0F * along);
    Colour albedo = subject.cut ? cut_colour(subject, place)
                                : strata(place.z + size * (swell + 0.03F * place.x / size), 0.0095F * size);
    const float soil = 0.0055F * size * (1.0F + 0.25F * std::sin(57.0F * along));
    albedo = mix(kSubsoil, albedo, smoothstep(0.8F * soil, 1.6F * soil, below));
    albedo = mix(kTopsoil, albedo, smoothstep(0.35F * soil, 0.6F * soil, below));
    if (below < 0.0F && point.depth > 0.0F) albedo = kWaterSide;
    const float height = (place.z - subject.block.base) / (0.03F * size);
    const float towards_sun = sunny ? std::max(0.0F, dot(normal, subject.sun)) : 0.0F;
    const Colour ambient =
        kSky * (0.5F * smoothstep(-0.8F, 1.0F, height)) + kFloor * smoothstep(-0.3F, 0.6F, height);
    return albedo * (kSun * towards_sun + ambient);
}

Colour tone_curve(Colour light) {
    constexpr float kExposure = 1.05F;
    const auto curve = [](float component) {
        const float x = kExposure * component;
        return std::min(1.0F, (x * (2.51F * x + 0.03F)) / (x * (2.43F * x + 0.59F) + 0.14F));
    };
    return {curve(light.red), curve(light.green), curve(light.blue)};
}

Colour background(float from_top) {
    constexpr Colour kTop{0.700F, 0.765F, 0.815F};
    constexpr Colour kBottom{0.880F, 0.868F, 0.845F};
    return mix(kTop, kBottom, smoothstep(0.0F, 0.75F, from_top));
}

}  // namespace thalweg
