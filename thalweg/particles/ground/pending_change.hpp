// What droplets have left in cells, and how much of it these can take at once.
#pragma once

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/particles/droplets/droplet.hpp"

#include <cstdint>
#include <limits>

namespace thalweg {

/// Some cells with what is pending there, units.
struct PendingChange {
    static constexpr int kMost = 256;
    static constexpr int kRoom = kMost + kWidestVector;
    std::int32_t cell[kRoom];  // off the edge of the grid
    std::int32_t pending[kRoom];
    std::int32_t change[kRoom];  // of the elevation; kUnsure where more has to be looked at
    std::int64_t all[kMost];     // pending, of any size and in any cell
    int count = 0;
};

inline constexpr std::int32_t kUnsure = std::numeric_limits<std::int32_t>::min();

/// Finds by how much cells change whose neighbours alone tell: those that go down, by at most half of the way
/// to the lowest neighbour, and those that rise by less than 7/16 of the way to the lowest neighbour that is
/// as high, and of that to the highest. The same for vectors of 4, 8 or 16.
template <int Lanes>
void find_sure_change(const std::int32_t* elevation, int columns, PendingChange& of);

/// Sets `change` of cells that would rise to the way to the lowest neighbour that is not fixed and drains
/// over them, as one whose lowest neighbour they are or whose water they take by `places`; to that to the
/// highest where none is lower than that.
template <int Lanes>
void find_room(const std::int32_t* elevation, const CellPlace* places, int columns, std::int64_t cells,
               PendingChange& of);

/// Sets `change` of the same cells to -1 where they differ from a neighbour in their row or column by more
/// than `straight` units, or from one across by more than `diagonal`, and else to 0.
template <int Lanes>
void find_steep_cells(const std::int32_t* elevation, int columns, std::int32_t straight,
                      std::int32_t diagonal, PendingChange& of);

}  // namespace thalweg
