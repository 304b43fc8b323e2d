// Four floats that are worked on together, on any machine, and the same functions of one: what is written for
// either gives each of the four the bits of one alone.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace thalweg {

using FourFloats = float __attribute__((vector_size(16)));
using FourInts = std::int32_t __attribute__((vector_size(16)));  // also masks: 0 or -1 each
using TwoDoubles = double __attribute__((vector_size(16)));
using TwoLongs = std::int64_t __attribute__((vector_size(16)));

inline bool any_of(bool is_true) {
    return is_true;
}
inline bool any_of(FourInts mask) {
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
}

inline bool any_of(TwoLongs mask) {
    return (mask[0] | mask[1]) != 0;
}

/// Four doubles, in halves: g++ 12 takes wider vectors than the machine's through memory.
struct FourDoubles {
    explicit FourDoubles(FourFloats v) {
#ifdef __SSE2__
        first = _mm_cvtps_pd(v);
        last = _mm_cvtps_pd(_mm_movehl_ps(v, v));
#else
        first = TwoDoubles{v[0], v[1]};
        last = TwoDoubles{v[2], v[3]};
#endif
    }
    FourDoubles(TwoDoubles f, TwoDoubles l) : first(f), last(l) {}

    [[nodiscard]] FourFloats rounded() const {
#ifdef __SSE2__
        return _mm_movelh_ps(_mm_cvtpd_ps(first), _mm_cvtpd_ps(last));
#else
        return FourFloats{static_cast<float>(first[0]), static_cast<float>(first[1]),
                          static_cast<float>(last[0]), static_cast<float>(last[1])};
#endif
    }

    TwoDoubles first;
    TwoDoubles last;
};

inline TwoDoubles square_root(TwoDoubles v) {
#ifdef __SSE2__
    return _mm_sqrt_pd(v);
#else
    return TwoDoubles{std::sqrt(v[0]), std::sqrt(v[1])};
#endif
}

/// `a` where the mask is set, else `b`.
inline float choose(bool mask, float a, float b) {
    return mask ? a : b;
}
inline FourFloats choose(FourInts mask, FourFloats a, FourFloats b) {
    return mask ? a : b;
}

inline float square_root(float v) {
    return std::sqrt(v);
}
inline FourFloats square_root(FourFloats v) {
#ifdef __SSE2__
    return _mm_sqrt_ps(v);
#else
    return FourFloats{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
#endif
}

inline float magnitude(float v) {
    return std::abs(v);
}
inline FourFloats magnitude(FourFloats v) {
    return std::bit_cast<FourFloats>(std::bit_cast<FourInts>(v) & 0x7fffffff);
}

/// `v`, which is not negative, with the sign of `sign`.
inline float signed_as(float v, float sign) {
    return std::copysign(v, sign);
}
inline FourFloats signed_as(FourFloats v, FourFloats sign) {
    return std::bit_cast<FourFloats>(std::bit_cast<FourInts>(v) |
                                     (std::bit_cast<FourInts>(sign) & ~0x7fffffff));
}

/// std::min, std::max and std::clamp.
template <class Value>
Value lesser(Value a, Value b) {
    return choose(b < a, b, a);
}
template <class Value>
Value greater(Value a, Value b) {
    return choose(a < b, b, a);
}
template <class Value>
Value clamped(Value v, float low, float high) {
    const Value lowest = Value{} + low;
    const Value highest = Value{} + high;
    return choose(v < lowest, lowest, choose(highest < v, highest, v));
}

}  // namespace thalweg
