// The logarithm and power of power.hpp for vectors, bit by bit the same. Only for kernels
// (thalweg/core/vectors.hpp).
#pragma once

#include "thalweg/core/vectors.hpp"

namespace thalweg {
namespace {

/// As fast_log2 (power.hpp), lane by lane.
[[maybe_unused, gnu::always_inline]] inline Floats log2_of(Floats x) {
    constexpr std::int32_t kHalfRoot = 0x3f3504f3;  // sqrt(0.5)
    const Ints bits = as_ints(x) - kHalfRoot;
    const Floats exponent = __builtin_convertvector(bits >> 23, Floats);
    const Floats mantissa = as_floats((bits & 0x007fffff) + kHalfRoot);
    const Floats y = (mantissa - 1.0F) / (mantissa + 1.0F);
    const Floats y2 = y * y;
    constexpr float kScale = 2.885390082F;  // 2 / ln 2
    return exponent +
           kScale * y *
               (1.0F + y2 * (1.0F / 3.0F + y2 * (1.0F / 5.0F + y2 * (1.0F / 7.0F + y2 * (1.0F / 9.0F)))));
}

/// As fast_exp2 (power.hpp), lane by lane.
[[maybe_unused, gnu::always_inline]] inline Floats exp2_of(Floats x) {
    constexpr float kRound = 12582912.0F;            // 1.5 * 2^23
    constexpr std::int32_t kRoundBits = 0x4b400000;  // of kRound
    const Floats shifted = x + kRound;
    const Ints whole = as_ints(shifted) - kRoundBits;
    const Floats t = (x - (shifted - kRound)) * 0.693147181F;  // ln 2
    const Floats series =
        1.0F + t * (1.0F + t * (0.5F + t * (1.0F / 6.0F +
                                            t * (1.0F / 24.0F + t * (1.0F / 120.0F + t * (1.0F / 720.0F))))));
    return as_floats(as_ints(series) + (whole << 23));
}

}  // namespace
}  // namespace thalweg
