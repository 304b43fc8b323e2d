// Fractal noise at single places. Private to render.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/noise/bases.hpp"

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

}  // namespace thalweg
