// Rows of a jittered mesh, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// Displacements of `count` cells from number `first_cell` on, each within +-reach cells: 16 bits of a hash
/// of (key, cell) for either. Equal bits for vectors of 4, 8 and 16 (vector_lanes.hpp).
template <int Lanes>
void displace_row_in_lanes(std::uint64_t key, std::uint32_t first_cell, std::int64_t count, float reach,
                           float* offset_x, float* offset_y);

/// Two rows of nodes by their displacements: what lies between is a row of quads.
struct NodeRows {
    const float* upper_x;  // cells
    const float* upper_y;
    const float* lower_x;
    const float* lower_y;
};

/// Whether each of `count` quads is cut from north-west to south-east: 1 where that diagonal is Delaunay's,
/// also where a quad is not convex. `rows` has one node more.
template <int Lanes>
void cut_row_in_lanes(const NodeRows& rows, std::int64_t count, std::uint8_t* falls);

}  // namespace thalweg
