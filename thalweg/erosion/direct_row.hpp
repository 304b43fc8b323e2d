// Steepest receivers and path lengths of a row of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// A run of `count` >= 16 cells of one row, none at the grid's edge, by pointers to its first cell. Rows lie
/// `stride` apart.
struct RowOfCells {
    const float* elevation;     // m
    const float* offset_x;      // cells, to the east
    const float* offset_y;      // cells, to the south
    const std::uint8_t* links;  // per cell
    std::int64_t stride = 0;    // cells from one row to the next
    std::int64_t count = 0;     // cells
};

/// Per cell of the run, with vectors of 4, 8 or 16 floats (vector_lanes.hpp; equal bits): direction of the
/// steepest lower neighbour (kPit where there is none), and `length`, the way to it times the slope factor,
/// in cells (0 for pits). As the cell-by-cell code in slope_factor.cpp, but for rounding.
template <int Lanes>
void direct_row_in_lanes(const RowOfCells& row, std::uint8_t* direction, float* length);

}  // namespace thalweg
