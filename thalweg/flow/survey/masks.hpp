// Which cells lie far from which others, and how much the ground about each rises.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// Whether cells beyond the grid's edge are of a set.
enum class OffTheGrid : std::uint8_t { Counts, DoesNotCount };

/// 1 where no cell of `set` (not 0) is `reach` steps along rows and columns away or less, else 0. O(cells),
/// serial.
Field<std::uint8_t> beyond(int reach, const Field<std::uint8_t>& set, OffTheGrid off_the_grid);

/// 1 where `mask` is 0, else 0.
Field<std::uint8_t> inverse(const Field<std::uint8_t>& mask);

/// Greatest less least elevation [m] of the cells with data up to `reach` rows and columns away; NaN where
/// the cell itself has none. O(cells log reach); the same on any number of threads.
Field<float> local_relief(const Field<float>& elevation, int reach);

}  // namespace thalweg
