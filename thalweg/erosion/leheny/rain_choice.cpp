#define THALWEG_LANES 4  // which every machine has; 8 neighbours are two vectors
#include "thalweg/erosion/leheny/rain_choice.hpp"

#include "thalweg/core/vector_power.hpp"
#include "thalweg/grid/field.hpp"

#include <numbers>

namespace thalweg {
namespace {

constexpr float kSmallestExponent = -120.0F;  // of 2, about 1e-36

/// Heights of four neighbours above the cell, from direction `first` on.
[[gnu::always_inline]] inline Floats differences(const float* cell, const std::int64_t* step,
                                                 const float* joined) {
    const Floats heights = {cell[step[0]], cell[step[1]], cell[step[2]], cell[step[3]]};
    return (heights - *cell) + load(joined);
}

/// The lower one, lane by lane; NaN in `a` gives `b`.
[[gnu::always_inline]] inline Floats lower(Floats a, Floats b) {
    return choose(a < b, a, b);
}

/// The lowest of four values.
[[gnu::always_inline]] inline float lowest_of(Floats v) {
    const float a = v[0] < v[2] ? v[0] : v[2];
    const float b = v[1] < v[3] ? v[1] : v[3];
    return a < b ? a : b;
}

[[gnu::always_inline]] inline Floats shares(Floats difference, float lowest, float preference) {
    const Floats none = {};
    const Floats least = none + kSmallestExponent;
    const Floats exponent = preference * (lowest - difference);
    return choose(difference < none, exp2_of(choose(exponent > least, exponent, least)), none);
}

/// Sums from the first lane up to each; a share of 0 makes no difference to any.
[[gnu::always_inline]] inline Floats sums_up_to_each(Floats v) {
    const float two = v[0] + v[1];
    return Floats{v[0], two, two + v[2], two + (v[2] + v[3])};
}

/// How many lanes of a mask are set.
[[gnu::always_inline]] inline int count(Ints mask) {
    return -(mask[0] + mask[1] + mask[2] + mask[3]);
}

}  // namespace

RainChoice::RainChoice(std::int64_t stride, std::uint8_t links, double erosivity)
    : links_(links), preference_(static_cast<float>(erosivity * std::numbers::log2e)) {
    for (std::size_t d = 0; d < 8; ++d) {
        step_[d] = kRowStep[d] * stride + kColumnStep[d];
        joined_[d] = is_joined(d) ? 0.0F : kNoData;
    }
}

int RainChoice::direction(const float* cell, float u) const {
    const Floats none = {};
    const Floats first = differences(cell, step_.data(), joined_.data());
    const Floats second = differences(cell, step_.data() + 4, joined_.data() + 4);
    const float lowest = lowest_of(lower(first, lower(second, none)));
    if (!(lowest < 0.0F)) return -1;
    // The second four follow on the sum of the first; monotone rounding keeps every sum above the one before.
    const Floats up_to = sums_up_to_each(shares(first, lowest, preference_));
    const Floats beyond = up_to[3] + sums_up_to_each(shares(second, lowest, preference_));
    const float wanted = u * beyond[3];
    return count(wanted >= up_to) + count(wanted >= beyond);
}

bool RainChoice::has_higher_by(const float* cell, float difference) const {
    const Ints higher = (differences(cell, step_.data(), joined_.data()) > difference) |
                        (differences(cell, step_.data() + 4, joined_.data() + 4) > difference);
    return count(higher) > 0;
}

}  // namespace thalweg
