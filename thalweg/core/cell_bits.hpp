// Random bits of cells, cheap enough for every iteration: the same for single cells and in vectors. Kernels
// include it, so everything here has internal linkage (thalweg/core/vectors.hpp).
#pragma once

#include <cstdint>

namespace thalweg {
namespace {

/// Mixes 32 bits: the finaliser of MurmurHash3 (Appleby 2011, public domain). Word: 32 bits without sign, or
/// a vector of such.
template <class Word>
[[gnu::always_inline]] constexpr Word mix32(Word x) {
    x = (x ^ (x >> 16)) * 0x85ebca6bU;
    x = (x ^ (x >> 13)) * 0xc2b2ae35U;
    return x ^ (x >> 16);
}

/// 32 random bits of a cell by its number; draws of different keys (of random_bits) are independent.
template <class Word>
[[gnu::always_inline]] constexpr Word cell_bits(std::uint64_t key, Word cell) {
    const std::uint32_t low = static_cast<std::uint32_t>(key), high = static_cast<std::uint32_t>(key >> 32);
    return mix32(mix32(cell ^ low) + high);
}

}  // namespace
}  // namespace thalweg
