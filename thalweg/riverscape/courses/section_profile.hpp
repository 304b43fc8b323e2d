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

/// The integral of h (1 + 2 h) / 3 over t, from 0 to t, on a side of some flatness.
inline float flow_of_side(float t, float flatness) {
    // p is (1 - b) t^m + b t^2m, and h (1 + 2 h) / 3 is (3 - 5 p + 2 p^2) / 3.
    const int below = flatness < 1.0F ? 0 : flatness < 2.0F ? 1 : 2;
    const float b = flatness - static_cast<float>(below);
    const auto m = static_cast<float>(1 << below);
    float power = t;
    for (int k = 0; k < below; ++k) power *= power;
    const float first = power / (m + 1.0F);
    const float second = power * power / (2.0F * m + 1.0F);
    const float third = power * power * power / (3.0F * m + 1.0F);
    const float fourth = power * power * power * power / (4.0F * m + 1.0F);
    const float a = 1.0F - b;
    return t / 3.0F *
           (3.0F - 5.0F * (a * first + b * second) +
            2.0F * (a * a * second + 2.0F * a * b * third + b * b * fourth));
}

/// The share of the flow, -1/2 at the right bank to 1/2 at the left one, that runs to the right of y, where
/// the flow on a metre of width is in proportion to h (1 + 2 h) / 3: within 7 % of Chezy's h^1.5, and in
/// closed form.
inline float flow_to_the_right(float thalweg, float left_flatness, float right_flatness, float y) {
    const float left_width = 1.0F - thalweg;
    const float right_width = 1.0F + thalweg;
    const float left = left_width * flow_of_side(1.0F, left_flatness);
    const float right = right_width * flow_of_side(1.0F, right_flatness);
    const float t = y > thalweg ? (y - thalweg) / left_width : (thalweg - y) / right_width;
    const float beside = std::min(t, 1.0F);
    const float run = y > thalweg ? right + left_width * flow_of_side(beside, left_flatness)
                                  : right - right_width * flow_of_side(beside, right_flatness);
    return run / (left + right) - 0.5F;
}

}  // namespace thalweg
