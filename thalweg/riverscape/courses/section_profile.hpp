// The profile across a channel, as fast as beds are evaluated.
#pragma once

#include <algorithm>
#include <cmath>

namespace thalweg {

/// p(t) of SectionForm: t, t^2, t^4 and t^8 at whole flatness, linear between.
inline float profile_power(float t, float flatness) {
    const float t2 = t * t;
    const float t4 = t2 * t2;
    if (flatness < 1.0F) return t + flatness * (t2 - t);
    if (flatness < 2.0F) return t2 + (flatness - 1.0F) * (t4 - t2);
    return t4 + (flatness - 2.0F) * (t4 * t4 - t4);
}

/// h(y) of SectionForm.
inline float section_profile(float thalweg, float left_flatness, float right_flatness, float y) {
    const bool is_left = y > thalweg;
    const float t = is_left ? (y - thalweg) / (1.0F - thalweg) : (thalweg - y) / (1.0F + thalweg);
    return 1.0F - profile_power(std::min(t, 1.0F), is_left ? left_flatness : right_flatness);
}

}  // namespace thalweg
