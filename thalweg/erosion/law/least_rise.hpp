// How much a cell stands above its receiver at least.
#pragma once

#include <algorithm>
#include <cmath>

namespace thalweg {

inline constexpr float kLeastSlope = 1e-6F;  // m/m, keeps water running where nothing rises (empirical)
inline constexpr float kLeastShare =
    1.2e-7F;  // of an elevation: a bit more than float32's relative precision

/// The least elevation, m, `length` m above a receiver: some way up even where float32 is too coarse for the
/// least slope.
inline float least_above(float receiver, float length) {
    return receiver + std::max(kLeastSlope * length, std::abs(receiver) * kLeastShare);
}

}  // namespace thalweg
