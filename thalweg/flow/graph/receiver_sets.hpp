// Sets of neighbours that take a cell's water, one byte a cell.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Bit d is set where the neighbour in direction d (directions.hpp) takes water of the cell: where it lies
/// lower; the cell's `direction` alone where none does; no bit for roots and cells without data. O(cells),
/// parallel.
std::vector<std::uint8_t> lower_receivers(const Field<float>& elevation,
                                          const std::vector<std::uint8_t>& direction);

/// How many cells each cell takes water of. O(cells), parallel.
std::vector<std::uint8_t> count_donors(const Grid& grid, const std::vector<std::uint8_t>& receivers);

}  // namespace thalweg
