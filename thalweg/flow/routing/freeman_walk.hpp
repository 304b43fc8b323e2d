// Freeman's sums: water that parts among all lower neighbours, gathered cell by cell on its way down.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Adds to each cell's `sum` what comes from its donors, each of which gives shares of its own sum to its
/// `receivers` (receiver_sets.hpp): S_i^p / sum S_j^p, where S_i is the slope to receiver i of `elevation`,
/// m, and p the `exponent`; a single receiver takes all. No way may lead in a circle.
///
/// Cells are visited once all their donors have been (Kahn's order). In strips of rows walks go from the
/// sources on until only such cells wait as water from other strips comes to, at several threads; the rest is
/// walked on one. Shares are found when cells are visited, for 16 cells at once (freeman_turns.hpp).
/// O(cells), 2 bytes a cell, and up to 4 more for those that wait; the same bits on any number of threads and
/// width of vectors; polls `progress`.
void gather_freeman(const Field<float>& elevation, const std::vector<std::uint8_t>& receivers,
                    double exponent, Field<double>& sum, Progress& progress);

}  // namespace thalweg
