// The profile across a channel, as fast as beds are evaluated; flows at one place or at four
// (four_floats.hpp).
#pragma once

#include "thalweg/riverscape/courses/four_floats.hpp"

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
template <class Value>
Value flow_of_side(Value t, Value flatness) {
    // p is (1 - b) t^m + b t^2m, and h (1 + 2 h) / 3 is (3 - 5 p + 2 p^2) / 3.
    const auto of_three = [&](Value a, Value b, Value c) {
        return choose(flatness < 1.0F, a, choose(flatness < 2.0F, b, c));
    };
    const Value below = of_three(Value{}, Value{} + 1.0F, Value{} + 2.0F);
    const Value m = of_three(Value{} + 1.0F, Value{} + 2.0F, Value{} + 4.0F);
    const Value square = t * t;
    const Value power = of_three(t, square, square * square);
    const Value b = flatness - below;
    const Value first = power / (m + 1.0F);
    const Value second = power * power / (2.0F * m + 1.0F);
    const Value third = power * power * power / (3.0F * m + 1.0F);
    const Value fourth = power * power * power * power / (4.0F * m + 1.0F);
    const Value a = 1.0F - b;
    return t / 3.0F *
           (3.0F - 5.0F * (a * first + b * second) +
            2.0F * (a * a * second + 2.0F * a * b * third + b * b * fourth));
}

/// The share of the flow, -1/2 at the right bank to 1/2 at the left one, that runs to the right of y, where
/// the flow on a metre of width is in proportion to h (1 + 2 h) / 3: within 7 % of Chezy's h^1.5, and in
/// closed form.
template <class Value>
Value flow_to_the_right(Value thalweg, Value left_flatness, Value right_flatness, Value y) {
    const Value left_width = 1.0F - thalweg;
    const Value right_width = 1.0F + thalweg;
    const Value bank = Value{} + 1.0F;
    const Value left = left_width * flow_of_side(bank, left_flatness);
    const Value right = right_width * flow_of_side(bank, right_flatness);
    const auto is_left = y > thalweg;
    const Value t = choose(is_left, y - thalweg, thalweg - y) / choose(is_left, left_width, right_width);
    const Value run = choose(is_left, left_width, right_width) *
                      flow_of_side(lesser(t, bank), choose(is_left, left_flatness, right_flatness));
    return choose(is_left, right + run, right - run) / (left + right) - 0.5F;
}

}  // namespace thalweg
