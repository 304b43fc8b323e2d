// Terrain of a plain lattice on one of twice its resolution, so that rivers do not inherit the coarse cells.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// Bilinear values of a coarse field at the centres of a fine one, each displaced by up to `jitter` coarse
/// cells in both directions, keyed by (seed, fine size, cell): Tzathas et al. 2024, section 5.2. The grid of
/// `coarse` is fine.coarser(). Beyond its outermost centres values are those of its edge; cells without data
/// do not count, and what has only such around has no data. jitter: 0 to 0.25, with which all values come
/// from the four nearest cells. O(fine cells), parallel; same bits on any number of threads and for every
/// width of vectors; polls `progress`.
Field<float> upsample_jittered(const Field<float>& coarse, const Grid& fine, double jitter,
                               std::uint64_t seed, Progress& progress);

}  // namespace thalweg
