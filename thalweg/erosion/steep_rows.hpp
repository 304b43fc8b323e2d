// Which cells stand steeply above a linked neighbour, over runs of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// A run of `count` >= 16 cells of one row of a mesh, none at the grid's edge, by pointers to its first cell.
struct SteepRow {
    const float* elevation;     // m; NaN: no data
    const float* offset_x;      // of the nodes, cells to the east
    const float* offset_y;      // cells to the south
    const std::uint8_t* links;  // bit d set where the neighbour in direction d is joined
    std::int64_t stride;        // cells from one row to the next
    std::int64_t count;
    float limit;  // m per cell
};

/// Makes `steep` 1 where a linked neighbour lies lower by more than the limit times its distance in cells,
/// else 0, with vectors of 4, 8 or 16; the same for each.
template <int Lanes>
void steep_in_lanes(const SteepRow& row, std::uint8_t* steep);

}  // namespace thalweg
