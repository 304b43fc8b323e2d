#include "thalweg/render/hillshade.hpp"

#include "thalweg/grid/gradient.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/shading/horizon.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace thalweg {
namespace {

constexpr double kRadians = std::numbers::pi / 180.0;

/// Most cells along the longer side of the grid on which smooth_sky_view looks for horizons; empirical: with
/// half as many, valley floors brighten visibly.
constexpr int kSmoothSkyCells = 512;

/// Cells halved until at most kSmoothSkyCells lie along the longer side.
Field<float> coarse_enough(const Field<float>& elevation) {
    Field<float> coarse = half_coarsen(elevation);
    while (std::max(coarse.columns(), coarse.rows()) > kSmoothSkyCells) coarse = half_coarsen(coarse);
    return coarse;
}

/// The sky's light on a slope without surroundings, (1 + cos S) / 2.
Field<float> open_sky_view(const Field<float>& elevation, double exaggeration) {
    const Gradient rise = gradient(elevation);
    const float square = static_cast<float>(exaggeration * exaggeration);
    Field<float> view(elevation.grid());
    for_each_row(elevation.grid(), [&](int row) {
        for (int column = 0; column < elevation.columns(); ++column) {
            const float p = rise.east(column, row);
            const float q = rise.north(column, row);
            view(column, row) = 0.5F + 0.5F / std::sqrt(1.0F + square * (p * p + q * q));
        }
    });
    return view;
}

/// Upright strips that a sun disc of `radius` degrees is cut into: one per 1.7 degrees, always odd.
/// Empirical: fewer show as steps in long shadows.
int strips_of(double radius) {
    return 2 * std::clamp(static_cast<int>(std::lround(0.6 * radius)), 0, 4) + 1;
}

}  // namespace

Field<float> hillshade(const Field<float>& elevation, const Sun& sun, double exaggeration) {
    const Gradient rise = gradient(elevation);
    const float up = static_cast<float>(std::sin(sun.altitude * kRadians));
    const double level = std::cos(sun.altitude * kRadians) * exaggeration;
    const float east = static_cast<float>(level * std::sin(sun.azimuth * kRadians));
    const float north = static_cast<float>(level * std::cos(sun.azimuth * kRadians));
    const float square = static_cast<float>(exaggeration * exaggeration);
    Field<float> shade(elevation.grid());
    for_each_row(elevation.grid(), [&](int row) {
        for (int column = 0; column < elevation.columns(); ++column) {
            const float p = rise.east(column, row);
            const float q = rise.north(column, row);
            const float cosine = (up - p * east - q * north) / std::sqrt(1.0F + square * (p * p + q * q));
            shade(column, row) = is_no_data(cosine) ? kNoData : std::max(0.0F, cosine);
        }
    });
    return shade;
}

Field<float> sun_visibility(const Field<float>& elevation, const Sun& sun, double radius,
                            double exaggeration) {
    const int strips = strips_of(radius);
    std::vector<double> azimuths;
    std::vector<float> half_heights;  // of the strips, radians
    for (int k = 0; k < strips; ++k) {
        const double across = (2.0 * k + 1.0) / strips - 1.0;
        azimuths.push_back(sun.azimuth + radius * across);
        half_heights.push_back(static_cast<float>(radius * std::sqrt(1.0 - across * across) * kRadians));
    }
    float whole = 0.0F;
    for (const float half : half_heights) whole += half;
    const float altitude = static_cast<float>(sun.altitude * kRadians);
    Field<float> visible(elevation.grid(), 0.0F);
    std::size_t strip = 0;
    const QuietProgress quiet;
    sweep_horizons(
        elevation, azimuths, exaggeration,
        [&](double, const Field<float>& tangent) {
            const float half = half_heights[strip++];
            for_each_row(elevation.grid(), [&](int row) {
                for (int column = 0; column < elevation.columns(); ++column) {
                    const float hidden_below = std::atan(tangent(column, row));
                    const float share =
                        smoothstep(0.0F, 1.0F, (altitude + half - hidden_below) / (2.0F * half));
                    visible(column, row) += is_no_data(hidden_below) ? kNoData : share * (half / whole);
                }
            });
        },
        quiet);
    return visible;
}

Field<float> sky_view(const Field<float>& elevation, int directions, double exaggeration,
                      const Progress& progress) {
    const Gradient rise = gradient(elevation);
    std::vector<double> azimuths;
    for (int k = 0; k < directions; ++k) azimuths.push_back((k + 0.5) * 360.0 / directions);
    const float weight = 1.0F / static_cast<float>(directions);
    const float factor = static_cast<float>(exaggeration);
    Field<float> view(elevation.grid(), 0.0F);
    sweep_horizons(
        elevation, azimuths, exaggeration,
        [&](double azimuth, const Field<float>& tangent) {
            const float east = static_cast<float>(std::sin(azimuth * kRadians));
            const float north = static_cast<float>(std::cos(azimuth * kRadians));
            for_each_row(elevation.grid(), [&](int row) {
                for (int column = 0; column < elevation.columns(); ++column) {
                    const float p = rise.east(column, row) * factor;
                    const float q = rise.north(column, row) * factor;
                    // cos S, and sin S cos(azimuth - aspect): the slope falls towards its aspect.
                    const float cos_slope = 1.0F / std::sqrt(1.0F + p * p + q * q);
                    const float towards = -(p * east + q * north) * cos_slope;
                    // With t the horizon's tangent: sin^2 H = 1 / (1 + t^2), sin H cos H = t / (1 + t^2).
                    const float t = tangent(column, row);
                    const float sine_square = 1.0F / (1.0F + t * t);
                    const float zenith_angle = std::numbers::pi_v<float> / 2.0F - std::atan(t);
                    const float light = cos_slope * sine_square + towards * (zenith_angle - t * sine_square);
                    view(column, row) += is_no_data(light) ? kNoData : std::max(0.0F, light) * weight;
                }
            });
        },
        progress);
    return view;
}

Field<float> smooth_sky_view(const Field<float>& elevation, int directions, double exaggeration,
                             const Progress& progress) {
    if (std::max(elevation.columns(), elevation.rows()) <= kSmoothSkyCells)
        return sky_view(elevation, directions, exaggeration, progress);
    // What surroundings take of the sky varies slowly, what a slope takes by itself does not.
    const Field<float> coarse = coarse_enough(elevation);
    Field<float> taken = open_sky_view(coarse, exaggeration);
    const Field<float> seen = sky_view(coarse, directions, exaggeration, progress);
    for (std::int64_t cell = 0; cell < taken.size(); ++cell) taken[cell] -= seen[cell];
    taken = resample(taken, elevation.grid());
    Field<float> view = open_sky_view(elevation, exaggeration);
    for_each_row(elevation.grid(), [&](int row) {
        for (int column = 0; column < elevation.columns(); ++column) {
            const float left = view(column, row) - taken(column, row);
            view(column, row) = is_no_data(left) ? kNoData : std::max(0.0F, left);
        }
    });
    return view;
}

}  // namespace thalweg
