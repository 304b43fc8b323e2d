// Reads from a place of its own for each lane. Only for kernels, as core/vectors.hpp.
#pragma once

#include "thalweg/core/vectors.hpp"

#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace thalweg {
namespace {

/// Lanes of a mask, a bit each.
[[gnu::always_inline]] inline unsigned bits_of(Ints mask) {
#if defined(__x86_64__) && THALWEG_LANES == 16
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(mask));
#elif defined(__x86_64__) && THALWEG_LANES == 8
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#elif defined(__x86_64__)
    return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
#else
    unsigned bits = 0;
    for (int lane = 0; lane < kLanes; ++lane) bits |= (mask[lane] != 0 ? 1U : 0U) << lane;
    return bits;
#endif
}

[[gnu::always_inline]] inline Ints load_ints(const std::int32_t* from) {
    Ints v;
    std::memcpy(&v, from, sizeof v);
    return v;
}
[[gnu::always_inline]] inline void store_ints(std::int32_t* to, Ints v) {
    std::memcpy(to, &v, sizeof v);
}

[[gnu::always_inline]] inline Floats floats_of(Ints v) {
    return __builtin_convertvector(v, Floats);
}

/// The whole numbers below; of a float that no int holds, any.
[[gnu::always_inline]] inline Ints floor_of(Floats v) {
    const Ints whole = __builtin_convertvector(v, Ints);
    return reinterpret_cast<Ints>(reinterpret_cast<Words>(whole) +
                                  reinterpret_cast<Words>(floats_of(whole) > v));
}

[[gnu::always_inline]] inline Floats least_of(Floats a, Floats b) {
    return b < a ? b : a;
}
[[gnu::always_inline]] inline Floats most_of(Floats a, Floats b) {
    return a < b ? b : a;
}

/// Cells of all lanes, as vector and one by one.
struct LaneCells {
    alignas(64) std::int32_t of[kLanes];

    [[gnu::always_inline]] explicit LaneCells(Ints cells) {
        store_ints(of, cells);
        // From memory single ones are read faster than out of a vector.
        asm("" : "+m"(of));
    }
};

using Four = std::int32_t __attribute__((vector_size(16)));

/// `value(lane)` of all lanes. Wide vectors are put together of quarters: one number after the other would
/// wait for the one before.
template <class Value>
[[gnu::always_inline]] inline Ints joined_ints(const Value& value) {
#if THALWEG_LANES == 4
    return Ints{value(0), value(1), value(2), value(3)};
#else
    const auto half = [&](int first) {
        const Four a = {value(first), value(first + 1), value(first + 2), value(first + 3)};
        const Four b = {value(first + 4), value(first + 5), value(first + 6), value(first + 7)};
        return __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
    };
#if THALWEG_LANES == 8
    return half(0);
#else
    return __builtin_shufflevector(half(0), half(8), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
#endif
}

[[gnu::always_inline]] inline Ints read_ints(const std::int32_t* from, const LaneCells& cells) {
    return joined_ints([&](int lane) { return from[cells.of[lane]]; });
}
[[gnu::always_inline]] inline Floats read_floats(const float* from, const LaneCells& cells) {
    Floats v{};
#pragma GCC unroll 16
    for (int lane = 0; lane < kLanes; ++lane) v[lane] = from[cells.of[lane]];
    return v;
}

/// Two numbers of each lane that lie beside each other in memory: member by member.
struct Twos {
    Ints first, second;
};

/// `place(lane)` tells where those of a lane begin.
template <class Place>
[[gnu::always_inline]] inline Twos read_twos(const Place& place) {
    using Pair = long long __attribute__((vector_size(16)));
    const auto two_lanes = [&](int first) {
        Pair two;
        long long of_lane;
        std::memcpy(&of_lane, place(first), sizeof of_lane);
        two[0] = of_lane;
        std::memcpy(&of_lane, place(first + 1), sizeof of_lane);
        two[1] = of_lane;
        return reinterpret_cast<Four>(two);
    };
#if THALWEG_LANES == 4
    const Four low = two_lanes(0);
    const Four high = two_lanes(2);
    return {__builtin_shufflevector(low, high, 0, 2, 4, 6), __builtin_shufflevector(low, high, 1, 3, 5, 7)};
#else
    const auto four_lanes = [&](int first) {
        return __builtin_shufflevector(two_lanes(first), two_lanes(first + 2), 0, 1, 2, 3, 4, 5, 6, 7);
    };
#if THALWEG_LANES == 8
    const auto low = four_lanes(0);
    const auto high = four_lanes(4);
    return {__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14),
            __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15)};
#else
    const auto eight_lanes = [&](int first) {
        return __builtin_shufflevector(four_lanes(first), four_lanes(first + 4), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                       10, 11, 12, 13, 14, 15);
    };
    const auto low = eight_lanes(0);
    const auto high = eight_lanes(8);
    return {__builtin_shufflevector(low, high, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
            __builtin_shufflevector(low, high, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31)};
#endif
#endif
}

/// Four numbers of each lane that lie beside each other in memory: member by member.
struct Fours {
    Ints first, second, third, fourth;
};

// Lanes 0, 4, 8, 12 of what is read together share a vector, and so do 1, 5, 9, 13, ...: transposing fours
// within them puts lanes in order.
[[gnu::always_inline]] inline Four read_four(const void* from) {
    Four four;
    std::memcpy(&four, from, sizeof four);
    return four;
}

template <class Place>
[[gnu::always_inline]] inline Ints joined_fours(const Place& place, int first) {
    const Four a = read_four(place(first));
#if THALWEG_LANES == 4
    return a;
#else
    const auto joined = [](Four low, Four high) {
        return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
    };
    const auto ab = joined(a, read_four(place(first + 4)));
#if THALWEG_LANES == 8
    return ab;
#else
    const auto cd = joined(read_four(place(first + 8)), read_four(place(first + 12)));
    return __builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
#endif
}

#if THALWEG_LANES == 16
#define THALWEG_SHUFFLED(a, b, i, j, k, l)                                                                   \
    __builtin_shufflevector(a, b, i, j, k, l, (i) + 4, (j) + 4, (k) + 4, (l) + 4, (i) + 8, (j) + 8, (k) + 8, \
                            (l) + 8, (i) + 12, (j) + 12, (k) + 12, (l) + 12)
#elif THALWEG_LANES == 8
#define THALWEG_SHUFFLED(a, b, i, j, k, l) \
    __builtin_shufflevector(a, b, i, j, k, l, (i) + 4, (j) + 4, (k) + 4, (l) + 4)
#else
#define THALWEG_SHUFFLED(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#endif

[[gnu::always_inline]] inline Fours transposed(Ints a, Ints b, Ints c, Ints d) {
    const Ints ab_low = THALWEG_SHUFFLED(a, b, 0, kLanes, 1, kLanes + 1);
    const Ints ab_high = THALWEG_SHUFFLED(a, b, 2, kLanes + 2, 3, kLanes + 3);
    const Ints cd_low = THALWEG_SHUFFLED(c, d, 0, kLanes, 1, kLanes + 1);
    const Ints cd_high = THALWEG_SHUFFLED(c, d, 2, kLanes + 2, 3, kLanes + 3);
    return {THALWEG_SHUFFLED(ab_low, cd_low, 0, 1, kLanes, kLanes + 1),
            THALWEG_SHUFFLED(ab_low, cd_low, 2, 3, kLanes + 2, kLanes + 3),
            THALWEG_SHUFFLED(ab_high, cd_high, 0, 1, kLanes, kLanes + 1),
            THALWEG_SHUFFLED(ab_high, cd_high, 2, 3, kLanes + 2, kLanes + 3)};
}

/// `place(lane)` tells where those of a lane begin.
template <class Place>
[[gnu::always_inline]] inline Fours read_fours(const Place& place) {
    return transposed(joined_fours(place, 0), joined_fours(place, 1), joined_fours(place, 2),
                      joined_fours(place, 3));
}

#undef THALWEG_SHUFFLED

}  // namespace
}  // namespace thalweg
