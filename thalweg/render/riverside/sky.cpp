#include "thalweg/render/riverside/sky.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/noise/bases.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/riverside/fractal.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
Colour Sky::light(Vector3 direction) const {
    constexpr Colour kHorizon{0.62F, 0.74F, 0.88F};
    constexpr Colour kZenith{0.16F, 0.34F, 0.70F};
    constexpr Colour kCloud{1.05F, 1.03F, 1.00F};
    const float up = std::clamp(direction.z, 0.0F, 1.0F);
    const Colour blue = mix(kHorizon, kZenith, std::pow(up, 0.55F));
    // Clouds hang as a layer that runs together towards the horizon.
    const double far = 1.0 / (static_cast<double>(up) + 0.12);
    const float cloud = fractal(81, direction.x * far * 0.9, direction.y * far * 0.9, 5);
    return mix(blue, kCloud, 0.7F * smoothstep(0.0F, 0.6F, cloud) * smoothstep(0.03F, 0.2F, up));
}

float Sky::caustics(Position p, float depth) const {
    constexpr double kWave = 0.32;  // m between lines of light; empirical
    GradientBasis first(random_bits(82, Stream::Render));
    GradientBasis second(random_bits(83, Stream::Render));
    const float a = first(p.x / kWave, p.y / kWave);
    const float b = second(p.x / (1.6 * kWave), p.y / (1.6 * kWave));
    const float line = (1.0F - std::abs(a)) * (1.0F - std::abs(b));
    // Waves focus at some depth, and blur below it.
    const float strength = smoothstep(0.03F, 0.25F, depth) * smoothstep(2.5F, 0.6F, depth);
    const float here = 0.5F + fractal(87, p.x / 3.0, p.y / 3.0, 2);
    return 1.0F + strength * std::clamp(here, 0.0F, 1.0F) * (1.9F * line * line * line * line - 0.42F);
}

}  // namespace thalweg
