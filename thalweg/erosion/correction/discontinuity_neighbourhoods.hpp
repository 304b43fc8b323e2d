// What the law lets stand above the neighbours around a cell, all of them at once, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// Terrain on a lattice with the law that holds on it, by pointers to the first cell's values.
struct DiscontinuityGround {
    int columns;
    int rows;
    float cell_size;            // m
    const float* elevation;     // m; NaN: no data
    const float* initial;       // m, that time ago; not read at steady state
    const float* offset_x;      // of the nodes, cells to the east; nullptr: none
    const float* offset_y;      // cells to the south
    const std::uint8_t* links;  // per cell; nullptr: common_links everywhere
    std::uint8_t common_links;
    const float* celerity;  // m/yr
    const float* uplift;    // m/yr
    float time;             // yr; infinity: the steady state
    float thermal_rate;     // k_t, m/yr; 0 without the thermal term
    float critical_slope;   // s_c, m/m
    float least_slope;      // m/m, what rises less over a link is left
    float least_lowering;   // m, less is left
};

/// Makes `highest[i]` what the law lets cells[i] stand at most (wear_discontinuities), m, or its elevation
/// where that is lower. Equal bits for vectors of 4, 8 and 16.
template <int Lanes>
void highest_allowed_in_lanes(const DiscontinuityGround& ground, const std::int32_t* cells,
                              std::int64_t count, float* highest);

/// Lists the neighbours of `lowered` cells that these may hold down now: linked, higher, and with a steep
/// link down to the cell or, after a finite time, to a node that is next to the cell around the neighbour.
/// `found` has room for 8 a cell; some come more than once. Returns how many.
template <int Lanes>
std::int64_t steep_above_in_lanes(const DiscontinuityGround& ground, const std::int32_t* lowered,
                                  std::int64_t count, std::int32_t* found);

}  // namespace thalweg
