// x^p for positive floats: fast, vectorisable, and with the same bits on every machine.
#pragma once

#include <bit>
#include <cstdint>

namespace thalweg {

/// Base-2 logarithm of a positive normal float, within 2e-7 absolutely. Source: the series of 2
/// artanh((m-1)/(m+1)) for the mantissa m in [0.71, 1.41], cut after the 9th power.
inline float fast_log2(float x) {
    constexpr std::int32_t kHalfRoot = 0x3f3504f3;  // sqrt(0.5)
    const std::int32_t bits = std::bit_cast<std::int32_t>(x) - kHalfRoot;
    const std::int32_t exponent = bits >> 23;
    const float mantissa = std::bit_cast<float>((bits & 0x007fffff) + kHalfRoot);
    const float y = (mantissa - 1.0F) / (mantissa + 1.0F);
    const float y2 = y * y;
    constexpr float kScale = 2.885390082F;  // 2 / ln 2
    const float series =
        kScale * y *
        (1.0F + y2 * (1.0F / 3.0F + y2 * (1.0F / 5.0F + y2 * (1.0F / 7.0F + y2 * (1.0F / 9.0F)))));
    return static_cast<float>(exponent) + series;
}

/// 2^x for x in [-126, 127], within 3e-7 relatively. Source: the exponential series to the 6th power around
/// the nearest whole number.
inline float fast_exp2(float x) {
    constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it rounds to the nearest whole number
    const float shifted = x + kRound;
    const std::int32_t whole = std::bit_cast<std::int32_t>(shifted) - std::bit_cast<std::int32_t>(kRound);
    const float t = (x - (shifted - kRound)) * 0.693147181F;  // ln 2
    const float series =
        1.0F + t * (1.0F + t * (0.5F + t * (1.0F / 6.0F +
                                            t * (1.0F / 24.0F + t * (1.0F / 120.0F + t * (1.0F / 720.0F))))));
    return std::bit_cast<float>(std::bit_cast<std::int32_t>(series) + (whole << 23));
}

/// x^p for positive normal x, with |p log2 x| < 126; within 3e-6 relatively for areas and exponents of ours.
inline float fast_power(float x, float p) {
    return fast_exp2(p * fast_log2(x));
}

}  // namespace thalweg
