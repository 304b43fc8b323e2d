// Steepest receivers and path lengths of rows of a mesh, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// A mesh (lattice.hpp) with elevations, by pointers to its first cell, and where results go. At least
/// kWidestVector + 1 columns and 2 rows.
struct DirectedRows {
    const float* elevation;     // m; NaN: no data
    const float* offset_x;      // cells, to the east
    const float* offset_y;      // cells, to the south
    const std::uint8_t* links;  // per cell
    const std::uint8_t* roots;  // per cell, 1: drains out
    int columns = 0;
    int rows = 0;
    float cell_size = 0.0F;   // m
    std::uint8_t* direction;  // per cell: steepest lower neighbour, kRoot, kOutside or kPit
    float* length;            // per cell: way to the receiver times the slope factor, m; 0 without one
};

/// Directs rows [first_row, end_row), with vectors of 4, 8 or 16 floats (vector_lanes.hpp; equal bits). As
/// the cell-by-cell code in slope_factor.cpp, but for rounding. Every link and every triangle is looked at
/// once: the descent in a triangle runs out of one of its corners at most.
template <int Lanes>
void direct_rows_in_lanes(const DirectedRows& mesh, int first_row, int end_row);

}  // namespace thalweg
