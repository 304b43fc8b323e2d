// How wide this machine's vectors are, asked at run time.
#pragma once

namespace thalweg {

/// Floats in the widest vector of any kernel.
inline constexpr int kWidestVector = 16;

/// Floats in one vector of the widest kernels that were built and that this processor can run: 16 (AVX-512),
/// 8 (AVX2) or 4 (SSE2, NEON). Kernels give the same bits for each.
int vector_lanes();

/// Limits vector_lanes() to at most `lanes` (4, 8 or 16), or to 1: then work that has code for single cells
/// does without vectors. For tests and measurements. 0 lifts the limit.
void limit_vector_lanes(int lanes);

}  // namespace thalweg
