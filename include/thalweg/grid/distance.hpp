// Distances to the nearest cells of some kind.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// The distance from each cell's centre to the nearest centre of a cell that is not 0 in `cells`, m; infinite
/// where there is none. Exact: lower envelopes of parabolas, along columns and then along rows. O(cells);
/// parallel by columns and rows, same bits on any number of threads.
///
/// Source: Felzenszwalb and Huttenlocher 2012 (Theory of Computing 8, 415-428), algorithm 1.
///
/// Example:
///     Field<std::uint8_t> shore(grid, 0);
///     shore(3, 4) = 1;
///     const float far = distance_to(shore)(0, 0);  // 5 cells
Field<float> distance_to(const Field<std::uint8_t>& cells);

}  // namespace thalweg
