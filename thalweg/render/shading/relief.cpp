#include "thalweg/render/shading/relief.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/gradient.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace thalweg {
namespace {

constexpr double kWellShadedSlope =
    0.55;  // m/m, root mean square; empirical, steep mountains have it at 30 m
constexpr int kSkyDirections = 12;
constexpr double kSunRadius = 4.0;     // degrees; far above the true 0.27, for soft shadow edges
constexpr double kSideAngle = 55.0;    // degrees between the main sun and each side sun
constexpr float kSkyShare = 0.38F;     // of all light on flat ground
constexpr float kSideShare = 0.30F;    // of the suns' light
constexpr float kShadowDepth = 0.60F;  // share of the main sun that a full shadow takes

struct SlopeSum {
    double squares = 0.0;
    std::int64_t cells = 0;
};

}  // namespace

double mean_slope(const Field<float>& elevation) {
    const Gradient rise = gradient(elevation);
    const SlopeSum sum = parallel_reduce(
        0, elevation.size(), kCellsPerPiece, SlopeSum{},
        [&](std::int64_t first, std::int64_t last) {
            SlopeSum part;
            for (std::int64_t cell = first; cell < last; ++cell) {
                if (is_no_data(rise.east[cell])) continue;
                const double p = rise.east[cell];
                const double q = rise.north[cell];
                part.squares += p * p + q * q;
                ++part.cells;
            }
            return part;
        },
        [](SlopeSum a, SlopeSum b) { return SlopeSum{a.squares + b.squares, a.cells + b.cells}; });
    return sum.cells > 0 ? std::sqrt(sum.squares / static_cast<double>(sum.cells)) : 0.0;
}

double map_exaggeration(const Field<float>& elevation) {
    const double slope = mean_slope(elevation);
    return slope > 0.0 ? std::clamp(kWellShadedSlope / slope, 0.2, 40.0) : 1.0;
}

Field<float> relief_light(const Field<float>& elevation, const Sun& sun, double exaggeration,
                          const Progress& progress) {
    const Field<float> front = hillshade(elevation, sun, exaggeration);
    const Field<float> left = hillshade(elevation, {sun.azimuth - kSideAngle, sun.altitude}, exaggeration);
    const Field<float> right = hillshade(elevation, {sun.azimuth + kSideAngle, sun.altitude}, exaggeration);
    progress.poll();
    const Field<float> visible = sun_visibility(elevation, sun, kSunRadius, exaggeration);
    const Field<float> sky = smooth_sky_view(elevation, kSkyDirections, exaggeration, progress);
    const float flat = static_cast<float>(std::sin(sun.altitude * std::numbers::pi / 180.0));
    Field<float> light(elevation.grid());
    for_each_row(elevation.grid(), [&](int row) {
        for (int column = 0; column < elevation.columns(); ++column) {
            const float shadow = 1.0F - kShadowDepth * (1.0F - visible(column, row));
            const float sides = 0.5F * (left(column, row) + right(column, row));
            const float suns =
                ((1.0F - kSideShare) * front(column, row) * shadow + kSideShare * sides) / flat;
            light(column, row) = kSkyShare * sky(column, row) + (1.0F - kSkyShare) * suns;
        }
    });
    return light;
}

Colour lit(Colour tint, float light, float strength) {
    constexpr Colour kDarkest = srgb(0x2E3348);  // empirical: what is left of white in the deepest shade
    constexpr Colour kWarm = srgb(0xFFF6DF);
    constexpr float kHighlight = 0.75F;  // share of the way to kWarm where light is twice that of the flat
    const float departure = (light - 1.0F) * strength;
    if (departure >= 0.0F) return mix(tint, kWarm, std::min(1.0F, departure) * kHighlight);
    const float shade = std::pow(std::max(0.0F, 1.0F + departure), 1.15F);
    return tint * mix(kDarkest, Colour{1.0F, 1.0F, 1.0F}, shade);
}

}  // namespace thalweg
