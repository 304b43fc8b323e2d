// How deep soil is: made of rock below it, taken by creep and by slides.
#pragma once

#include "thalweg/ground/blend.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

/// The law's numbers.
struct SoilLaw {
    float production = 0.0F;   // P_0, m/yr, from bare rock
    float decay_depth = 1.0F;  // h_0, m, by which production falls to 1/e
    float diffusivity = 0.0F;  // D, m^2/yr
    float age = 0.0F;          // t, yr
};

/// Depth, m, of laid down `sediment` [m] that counts as soil: plants reach no deeper than 5 m, and what lies
/// on steep ground moves on as soil does (s below).
inline float sediment_depth(float sediment, float slope, float critical_slope) {
    constexpr float kDeepest = 5.0F;  // m
    const float part = slope / critical_slope;
    return std::min(sediment, kDeepest) * std::max(0.0F, 1.0F - part * part);
}

/// Depth of soil, m, on ground that was bare t years ago and has lowered evenly since:
///
///   dh/dt = P_0 e^(-h / h_0) - E,   E = -D laplacian / s,   t' = s t,   s = 1 - (S / S_c)^2
///   h(t') = h_0 ln( P_0 / E + (1 - P_0 / E) e^(-E t' / h_0) )
///
/// the closed form of that equation, 0 where it says less. In time it is h_0 ln(P_0 / E) where the ground
/// lowers, and grows by -E t' in hollows, where E < 0. S: slope; laplacian: 1/m, of elevation. Soil
/// production: Heimsath et al. 1997 (Nature 388, 358-361). s is how much faster soil moves near the critical
/// slope S_c (Roering et al. 1999, eq. 8); slopes shed it as much more often, so that there is none at S_c.
inline float soil_depth(const SoilLaw& law, float laplacian, float slope, float critical_slope) {
    const float part = slope / critical_slope;
    const float s = 1.0F - part * part;
    if (!(s > 0.0F)) return 0.0F;
    // E t' / h_0, which s leaves alone; no hollow gathers more than e^20 tells.
    const float lowered = std::max(-law.diffusivity * laplacian * law.age / law.decay_depth, -20.0F);
    const float made = law.production * s * law.age / law.decay_depth;  // P_0 t' / h_0
    const float left = fast_exp2(std::max(-1.442695041F * lowered, -100.0F));
    const float grown = std::abs(lowered) > 1e-3F ? made / lowered * (1.0F - left) + left
                                                  : 1.0F - lowered + made * (1.0F - 0.5F * lowered);
    return grown > 1.0F ? law.decay_depth * 0.693147181F * fast_log2(grown) : 0.0F;
}

}  // namespace thalweg
