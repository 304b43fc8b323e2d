// Which cells stand steeper above a linked neighbour than the law may let them, over runs of cells, in
// vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// What a law lets stand, by pointers to the first cell of the grid or of the run.
struct SteepLaw {
    float least_slope;                // m/m, what is less steep is never marked
    const float* uplift = nullptr;    // m/yr
    const float* celerity = nullptr;  // m/yr; nullptr: the least slope stands for itself, without a law
    float thermal_rate = 0.0F;        // k_t, m/yr; 0 without the thermal term
    float critical_slope = 0.0F;      // s_c, m/m
    float least_celerity = 0.0F;      // m/yr, from which on the steady slope is allowed; 0: everywhere
};

/// A run of `count` >= 16 cells of one row, none at the grid's edge, by pointers to its first cell.
struct SteepRow {
    const float* elevation;     // m; NaN: no data
    const float* offset_x;      // of the nodes, cells to the east; nullptr: none
    const float* offset_y;      // cells to the south
    const std::uint8_t* links;  // bit d set where the neighbour in direction d is joined; may be nullptr:
    std::uint8_t common_links;  // these everywhere
    std::int64_t stride;        // cells from one row to the next
    std::int64_t count;
    float cell_size;  // m
    SteepLaw law;
};

/// Makes `steep` 1 where a linked neighbour lies lower by more than the least slope times its distance, and
/// than the steady slope where that is allowed, else 0, with vectors of 4, 8 or 16; the same for each.
template <int Lanes>
void steep_in_lanes(const SteepRow& row, std::uint8_t* steep);

}  // namespace thalweg
