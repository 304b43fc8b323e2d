// Directions of steepest descent on plain lattices, over runs of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// A run of `count` >= 16 cells of one row, none at the grid's edge, by pointers to its first cell.
struct SteepestRow {
    const float* elevation;     // m; NaN: no data
    const std::uint8_t* roots;  // 1 where water leaves
    std::int64_t stride;        // cells from one row to the next
    std::int64_t count;
    bool diagonals;  // whether water may flow to 8 neighbours, or to 4
};

/// The direction of every cell as steepest_directions (flow_tree.hpp) defines it, with vectors of 4, 8 or 16;
/// the same for each.
template <int Lanes>
void steepest_in_lanes(const SteepestRow& row, std::uint8_t* direction);

}  // namespace thalweg
