// Numbers in 16 bits (IEEE 754 binary16), by whole numbers alone: the same on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace thalweg {

/// The nearest of 16 bits, ties to even; infinite from 65520 on. `value` is not NaN.
inline std::uint16_t half_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude >= 0x47800000U) return static_cast<std::uint16_t>(sign | 0x7c00U);
    const auto rounded = [&](std::uint32_t mantissa, std::uint32_t dropped) {
        const std::uint32_t tie = 1U << (dropped - 1);
        const std::uint32_t kept = mantissa >> dropped;
        const std::uint32_t rest = mantissa & ((1U << dropped) - 1U);
        return kept + (rest > tie || (rest == tie && (kept & 1U) != 0) ? 1U : 0U);
    };
    // Below 2^-14 the steps no longer shrink.
    if (magnitude < 0x38800000U) {
        const std::uint32_t exponent = magnitude >> 23;
        if (exponent < 102) return static_cast<std::uint16_t>(sign);
        const std::uint32_t mantissa = (magnitude & 0x007fffffU) | 0x00800000U;
        return static_cast<std::uint16_t>(sign | rounded(mantissa, 126 - exponent));
    }
    return static_cast<std::uint16_t>(sign | (rounded(magnitude, 13) - (112U << 10)));
}

inline float float_of(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000U) << 16;
    const std::uint32_t exponent = (half >> 10) & 0x1fU;
    const std::uint32_t mantissa = half & 0x03ffU;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
        return sign != 0 ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
    return std::bit_cast<float>(sign | (wide << 23) | (mantissa << 13));
}

}  // namespace thalweg
