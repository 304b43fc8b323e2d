// Floats as whole numbers of the same order.
#pragma once

#include <bit>
#include <cstdint>

namespace thalweg {

/// Bits of a float that compare as unsigned numbers in the order of the floats; -0 counts as 0.
inline std::uint32_t ordered_bits(float value) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(value + 0.0F);
    return (bits >> 31) != 0 ? ~bits : bits | 0x80000000U;
}

/// The float whose ordered_bits these are.
inline float float_of_ordered_bits(std::uint32_t bits) {
    return std::bit_cast<float>((bits >> 31) != 0 ? bits & 0x7FFFFFFFU : ~bits);
}

}  // namespace thalweg
