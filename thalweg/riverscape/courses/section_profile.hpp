// The profile across a channel, as fast as beds are evaluated: at one place, or at vectors of them. Kernels
// include this: all has internal linkage (core/vectors.hpp).
#pragma once

namespace thalweg {
namespace {

/// p(t) of SectionForm: t, t^2, t^4 and t^8 at whole flatness, linear between.
template <class Value>
[[gnu::always_inline]] inline Value profile_power(Value t, Value flatness) {
    const Value t2 = t * t;
    const Value t4 = t2 * t2;
    const Value first = t + flatness * (t2 - t);
    const Value second = t2 + (flatness - 1.0F) * (t4 - t2);
    const Value third = t4 + (flatness - 2.0F) * (t4 * t4 - t4);
    const Value later = flatness < 2.0F ? second : third;
    return flatness < 1.0F ? first : later;
}

/// h(y) of SectionForm.
template <class Value>
[[gnu::always_inline]] inline Value section_profile(Value thalweg, Value left_flatness, Value right_flatness,
                                                    Value y) {
    const auto is_left = y > thalweg;
    const Value way = is_left ? y - thalweg : thalweg - y;
    const Value width = is_left ? 1.0F - thalweg : 1.0F + thalweg;
    const Value t = way / width;
    const Value bank = Value{} + 1.0F;
    return 1.0F - profile_power<Value>(bank < t ? bank : t, is_left ? left_flatness : right_flatness);
}

/// The integral of h (1 + 2 h) / 3 over t, from 0 to t, on a side of some flatness.
template <class Value>
[[gnu::always_inline]] inline Value flow_of_side(Value t, Value flatness) {
    // p is (1 - b) t^m + b t^2m, and h (1 + 2 h) / 3 is (3 - 5 p + 2 p^2) / 3.
    const auto is_first = flatness < 1.0F;
    const auto is_second = flatness < 2.0F;
    const auto of_three = [&](Value a, Value b, Value c) -> Value {
        const Value later = is_second ? b : c;
        return is_first ? a : later;
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
[[gnu::always_inline]] inline Value flow_to_the_right(Value thalweg, Value left_flatness,
                                                      Value right_flatness, Value y) {
    const Value left_width = 1.0F - thalweg;
    const Value right_width = 1.0F + thalweg;
    const Value bank = Value{} + 1.0F;
    const Value left = left_width * flow_of_side<Value>(bank, left_flatness);
    const Value right = right_width * flow_of_side<Value>(bank, right_flatness);
    const auto is_left = y > thalweg;
    const Value way = is_left ? y - thalweg : thalweg - y;
    const Value width = is_left ? left_width : right_width;
    const Value flatness = is_left ? left_flatness : right_flatness;
    const Value t = way / width;
    const Value run = width * flow_of_side<Value>(bank < t ? bank : t, flatness);
    const Value sum = is_left ? right + run : right - run;
    return sum / (left + right) - 0.5F;
}

}  // namespace
}  // namespace thalweg
