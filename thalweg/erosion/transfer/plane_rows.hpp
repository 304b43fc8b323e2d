// Planes fitted to the nodes around a run of places, in vectors.
#pragma once

#include <cstddef>
#include <cstdint>

namespace thalweg {

inline constexpr int kPlaneReach =
    1;  // cells from the nearest one, in which nodes are looked for (empirical)
inline constexpr std::size_t kMostFields = 2;  // through which planes are fitted at once

/// A run of `count` places, one beside each of `count` neighbouring cells of one row of a lattice. All nodes
/// of the window around each cell must lie in the grid.
struct PlaneRun {
    const float* values[kMostFields];  // of each field at the cell beside the first place; NaN: no data
    std::size_t fields;                // all have data at the same nodes
    const float* offset_x;             // of its node to the east, cells
    const float* offset_y;             // to the south, cells
    std::int64_t stride;               // cells from one row to the next
    int first_row, last_row;           // the window, relative to the cell; kPlaneReach columns to either side
    const float* target_x;             // of each place relative to its cell's centre, to the east, cells
    const float* target_y;             // to the south, cells
    float sharpness;                   // the weight of a node at distance d cells is 2^(sharpness d^2)
    std::int64_t count;                // at least 16
};

/// Height of each field's fitted plane at each place; NaN where no node of the window has data. With vectors
/// of 4, 8 or 16; equal bits for each, and for one field or more. Where the nodes lie nearly on one line,
/// their weighted mean. results: of each field.
template <int Lanes>
void planes_in_lanes(const PlaneRun& run, float* const* results);

/// The places of every other node of a run of a fine lattice beside the centres of their parents, in cells of
/// the coarse lattice: `centre` + offset / 2. The same for each width of vectors.
template <int Lanes>
void child_places_in_lanes(const float* offset, float centre, std::int64_t count, float* place);

/// Western and eastern values in turns: `count` of each. The same for each width of vectors.
template <int Lanes>
void alternate_in_lanes(const float* west, const float* east, std::int64_t count, float* both);

}  // namespace thalweg
