// How long a signal takes up a link, and other limits of the closed form of a finite time.
#pragma once

#include <algorithm>

namespace thalweg {

inline constexpr float kMostYears = 1e30F;  // that a signal takes up one link
inline constexpr float kLongestTime =
    1e25F;  // stands for an infinite time: in its sums a link of kMostYears ends all
inline constexpr float kLeastYears = 1e-30F;  // against a division by 0
inline constexpr float kMostTilt = 1.0F;      // m, how far filled ground may rise from its sill (empirical)

/// Years up a link of `length` m at `celerity` m/yr. Rock that hardly erodes takes longer than numbers reach.
inline float years_up_link(float length, float celerity) {
    return std::max(std::min(kMostYears, length / celerity), kLeastYears);
}

/// A time as the solvers take it: at most kMostTime (erosion_parameters.hpp), which its callers have checked,
/// or infinite.
inline float float_years(double years) {
    return static_cast<float>(years);
}

}  // namespace thalweg
