// Fractal noise at single places. Private to render.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/noise/bases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg {

/// Sum of octaves of gradient noise, about -1 to 1, of a first wavelength of 1. Pure: for rays, which do not
/// come in rows (patches.hpp is faster for those that do).
inline float fractal(std::uint64_t key, double u, double v, int octaves) {
    float sum = 0.0F;
    float share = 0.55F;
    double frequency = 1.0;
    for (int k = 0; k < octaves; ++k) {
        GradientBasis basis(random_bits(key, Stream::Render, static_cast<std::uint64_t>(k)));
        sum += share * basis(u * frequency, v * frequency);
        share *= 0.5F;
        frequency *= 2.07;
    }
    return sum;
}

/// `noise(u, v)`, of m, at a place of ground that rises so steeply to the east and to the north: looked up
/// from above and, where the ground is steep, from the sides too, so that it is not smeared down banks.
template <class Noise>
float on_slope(Position p, double height, float rise_east, float rise_north, const Noise& noise) {
    constexpr float kLevel = 0.1F;  // square of a slope
    const float east = std::max(0.0F, rise_east * rise_east - kLevel);
    const float north = std::max(0.0F, rise_north * rise_north - kLevel);
    const float above = noise(p.x, p.y);
    if (east + north == 0.0F) return above;
    const float beside = east * noise(p.y, height) + north * noise(p.x, height);
    return (above + beside) / std::sqrt(1.0F + east * east + north * north);
}

}  // namespace thalweg
