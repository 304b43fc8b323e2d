#include "thalweg/core/vectors.hpp"
#include "thalweg/meander/channel/line_columns.hpp"

namespace thalweg {
namespace {

/// Eight points at any width of vectors.
constexpr std::int64_t kTogether = 8;
using Together = float __attribute__((vector_size(kTogether * sizeof(float))));

[[gnu::always_inline]] inline Together load_together(const float* from) {
    Together v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

/// The values so many points before each, or behind it where `along` is -1; `others` where these are none of
/// the eight.
template <int along, int apart>
[[gnu::always_inline]] inline Together before(const Together& v, const Together& others) {
    constexpr int kFrom = along > 0 ? 8 - apart : apart;
    if constexpr (along > 0)
        return __builtin_shufflevector(others, v, kFrom, kFrom + 1, kFrom + 2, kFrom + 3, kFrom + 4,
                                       kFrom + 5, kFrom + 6, kFrom + 7);
    else
        return __builtin_shufflevector(v, others, kFrom, kFrom + 1, kFrom + 2, kFrom + 3, kFrom + 4,
                                       kFrom + 5, kFrom + 6, kFrom + 7);
}

/// The last of eight points in all of them, or the first where `along` is -1.
template <int along>
[[gnu::always_inline]] inline Together last_of(const Together& v) {
    constexpr int kLast = along > 0 ? 7 : 0;
    return __builtin_shufflevector(v, v, kLast, kLast, kLast, kLast, kLast, kLast, kLast, kLast);
}

/// Steps of eight points.
struct Steps {
    Together decay;
    Together source;
};

/// What each makes of the value before the first: steps that follow each other are put into one, then those
/// of two, then those of four.
template <int along>
[[gnu::always_inline]] inline Steps joined(Steps steps) {
    const Together zero = {};
    const Together one = zero + 1.0F;
    steps.source += steps.decay * before<along, 1>(steps.source, zero);
    steps.decay *= before<along, 1>(steps.decay, one);
    steps.source += steps.decay * before<along, 2>(steps.source, zero);
    steps.decay *= before<along, 2>(steps.decay, one);
    steps.source += steps.decay * before<along, 4>(steps.source, zero);
    steps.decay *= before<along, 4>(steps.decay, one);
    return steps;
}

/// Goes along `points` whose steps are steps_at(first, lane, count): of points from `first` on as those from
/// `lane` on of eight. Steps of lanes that are left keep the value.
template <int along, class StepsAt>
[[gnu::always_inline]] inline float recur(const StepsAt& steps_at, float* value, std::int64_t points,
                                          float value_before) {
    Together known = Together{} + value_before;
    const std::int64_t whole = points / kTogether * kTogether;
    for (std::int64_t at = 0; at < whole; at += kTogether) {
        const std::int64_t i = along > 0 ? at : points - kTogether - at;
        const Steps steps = joined<along>(steps_at(i, 0, kTogether));
        const Together found = steps.source + steps.decay * known;
        __builtin_memcpy(value + i, &found, sizeof found);
        known = last_of<along>(steps.source) + last_of<along>(steps.decay) * known;
    }
    const std::int64_t rest = points - whole;
    if (rest == 0) return known[0];
    const std::int64_t i = along > 0 ? whole : 0;
    const std::int64_t lane = along > 0 ? 0 : kTogether - rest;
    const Steps steps = joined<along>(steps_at(i, lane, rest));
    const Together found = steps.source + steps.decay * known;
    for (std::int64_t j = 0; j < rest; ++j) value[i + j] = found[lane + j];
    return found[along > 0 ? kTogether - 1 : 0];
}

/// `count` values as those from `lane` on of eight, `others` in place of the rest.
[[gnu::always_inline]] inline Together load_some(const float* from, std::int64_t lane, std::int64_t count,
                                                 float others) {
    if (count == kTogether) return load_together(from);
    Together v = Together{} + others;
    for (std::int64_t j = 0; j < count; ++j) v[lane + j] = from[j];
    return v;
}

template <int along>
[[gnu::always_inline]] inline float recur_columns(const float* decay, const float* source, float* value,
                                                  std::int64_t points, float value_before) {
    const auto steps_at = [&](std::int64_t first, std::int64_t lane, std::int64_t count) {
        return Steps{.decay = load_some(decay + first, lane, count, 1.0F),
                     .source = load_some(source + first, lane, count, 0.0F)};
    };
    return recur<along>(steps_at, value, points, value_before);
}

template <int along>
[[gnu::always_inline]] inline float recur_evenly(const EvenSteps& even, const float* source, float* value,
                                                 std::int64_t points, float value_before) {
    float decay[kTogether];
    for (float& of_point : decay) of_point = even.decay;
    const auto steps_at = [&](std::int64_t first, std::int64_t lane, std::int64_t count) {
        return Steps{.decay = load_some(decay, lane, count, 1.0F),
                     .source = even.gain * load_some(source + first, lane, count, 0.0F)};
    };
    return recur<along>(steps_at, value, points, value_before);
}

}  // namespace

template <>
float recur_in_lanes<kLanes>(const float* decay, const float* source, float* value, std::int64_t points,
                             float before) {
    return recur_columns<1>(decay, source, value, points, before);
}

template <>
float recur_back_in_lanes<kLanes>(const float* decay, const float* source, float* value, std::int64_t points,
                                  float behind) {
    return recur_columns<-1>(decay, source, value, points, behind);
}

template <>
float recur_evenly_in_lanes<kLanes>(const EvenSteps& steps, const float* source, float* value,
                                    std::int64_t points, float before) {
    return recur_evenly<1>(steps, source, value, points, before);
}

template <>
float recur_evenly_back_in_lanes<kLanes>(const EvenSteps& steps, const float* source, float* value,
                                         std::int64_t points, float behind) {
    return recur_evenly<-1>(steps, source, value, points, behind);
}

}  // namespace thalweg
