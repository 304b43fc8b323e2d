// Light at the surface of water. Private to render.
#pragma once

#include <algorithm>

namespace thalweg {

inline constexpr float kWaterRefraction = 1.333F;  // refractive index of water
inline constexpr float kWaterReflectance = 0.02F;  // at right angles: ((n - 1) / (n + 1))^2

/// Share of light that water mirrors (Schlick 1994), `cosine` of the angle to its normal.
inline float fresnel(float cosine) {
    const float graze = 1.0F - std::clamp(cosine, 0.0F, 1.0F);
    const float square = graze * graze;
    return kWaterReflectance + (1.0F - kWaterReflectance) * square * square * graze;
}

}  // namespace thalweg
