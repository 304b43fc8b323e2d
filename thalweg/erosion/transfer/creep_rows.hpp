// Hillslope creep over runs of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// A run of `count` >= 16 cells of one row, none at the grid's edge, by pointers to its first cell.
struct CreepRow {
    const float* elevation;     // m; NaN: no data
    const float* offset_x;      // of the nodes, cells to the east
    const float* offset_y;      // cells to the south
    const std::uint8_t* where;  // cells of 0 keep their elevation
    const float* uplift;        // m/yr
    std::int64_t stride;        // cells from one row to the next
    std::int64_t count;
    float scale;  // cell area / (4 k_h), yr/m of uplift per cell^2
};

/// One sweep of diffuse_hillslopes (plane_fit.hpp) over the run, with vectors of 4, 8 or 16; equal bits for
/// each.
template <int Lanes>
void creep_in_lanes(const CreepRow& row, float* result);

}  // namespace thalweg
