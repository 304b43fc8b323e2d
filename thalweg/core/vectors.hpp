// Vectors of THALWEG_LANES floats, by the compilers' own extension. Only for kernels that are compiled once a
// width (cmake/ThalwegVectors.cmake): everything here has internal linkage, so that no wide copy reaches
// other code.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>

namespace thalweg {
namespace {

constexpr int kLanes = THALWEG_LANES;
using Floats = float __attribute__((vector_size(kLanes * sizeof(float))));
using Ints =
    std::int32_t __attribute__((vector_size(kLanes * sizeof(std::int32_t))));  // also masks: 0 or -1 a lane
using Words = std::uint32_t __attribute__((vector_size(kLanes * sizeof(std::uint32_t))));
using Shorts = std::uint16_t __attribute__((vector_size(kLanes * sizeof(std::uint16_t))));
using Bytes = std::uint8_t __attribute__((vector_size(kLanes)));

[[gnu::always_inline]] inline Floats load(const float* from) {
    Floats v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

[[gnu::always_inline]] inline void store(float* to, Floats v) {
    std::memcpy(to, &v, sizeof v);
}

/// The same bits, taken for whole numbers or for floats.
[[gnu::always_inline]] inline Ints as_ints(Floats v) {
    return reinterpret_cast<Ints>(v);
}
[[gnu::always_inline]] inline Floats as_floats(Ints v) {
    return reinterpret_cast<Floats>(v);
}

/// Bytes as whole numbers. In two steps: g++ 12 takes single bytes apart for one.
[[gnu::always_inline]] inline Ints load_bytes(const std::uint8_t* from) {
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(__builtin_convertvector(bytes, Shorts), Ints);
}

[[gnu::always_inline]] inline void store_bytes(std::uint8_t* to, Ints v) {
    const Bytes bytes = __builtin_convertvector(v, Bytes);
    std::memcpy(to, &bytes, sizeof bytes);
}

/// 0, 1, 2, ... by lanes.
[[gnu::always_inline]] inline Words lane_numbers() {
    Words numbers{};
    for (int lane = 0; lane < kLanes; ++lane) numbers[lane] = static_cast<std::uint32_t>(lane);
    return numbers;
}

/// Lane by lane: `a` where the mask is set, else `b`.
[[gnu::always_inline]] inline Floats choose(Ints mask, Floats a, Floats b) {
    return mask ? a : b;
}
[[gnu::always_inline]] inline Ints choose(Ints mask, Ints a, Ints b) {
    return mask ? a : b;
}
[[gnu::always_inline]] inline Words choose(Ints mask, Words a, Words b) {
    return mask ? a : b;
}

[[gnu::always_inline]] inline Floats square_root(Floats v) {
    Floats root;
    for (int lane = 0; lane < kLanes; ++lane) root[lane] = __builtin_sqrtf(v[lane]);
    return root;
}

}  // namespace
}  // namespace thalweg
