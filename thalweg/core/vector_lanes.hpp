// How wide this machine's vectors are, asked at run time.
#pragma once

#include <type_traits>

namespace thalweg {

/// Floats in the widest vector of any kernel.
inline constexpr int kWidestVector = 16;

/// Floats in one vector of the widest kernels that were built and that this processor can run: 16 (AVX-512),
/// 8 (AVX2) or 4 (SSE2, NEON). Kernels give the same bits for each.
int vector_lanes();

/// What `work(lanes)` returns, where `lanes` stands for vector_lanes() at compile time:
///   in_lanes([&](auto lanes) { return rises_in_lanes<lanes()>(row, count, rise); });
template <class Work>
auto in_lanes(const Work& work) {
#ifdef __x86_64__
    if (vector_lanes() == 16) return work(std::integral_constant<int, 16>());
    if (vector_lanes() == 8) return work(std::integral_constant<int, 8>());
#endif
    return work(std::integral_constant<int, 4>());
}

/// Limits vector_lanes() to at most `lanes` (4, 8 or 16), or to 1: then work that has code for single cells
/// does without vectors. For tests and measurements. 0 lifts the limit.
void limit_vector_lanes(int lanes);

}  // namespace thalweg
