// Numbers in 16 bits (IEEE 754 binary16), the same on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace thalweg {

/// The nearest of 16 bits, ties to even; infinite from 65520 on. `value` is not NaN.
inline std::uint16_t half_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (bits >> 16) & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    constexpr std::uint32_t kLeastNormal = 0x38800000U;  // 2^-14
    constexpr std::uint32_t kInfinite = 0x47800000U;     // 2^16
    // Below 2^-14 the steps no longer shrink: they are those of floats from 1/2 on.
    const std::uint32_t small = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
                                std::bit_cast<std::uint32_t>(0.5F);
    const std::uint32_t normal = ((magnitude + 0x0fffU + ((magnitude >> 13) & 1U)) >> 13) - (112U << 10);
    const std::uint32_t half = magnitude < kLeastNormal ? small : normal;
    return static_cast<std::uint16_t>(sign | (magnitude < kInfinite ? half : 0x7c00U));
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
