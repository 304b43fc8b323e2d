// Receivers and slope factors of rows of cell centres that are joined to their 4 neighbours, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// Draws go no higher, so that draw * sum never rounds up to the sum.
inline constexpr float kLargestDraw = 1.0F - 0x1p-16F;

/// A run of `count` >= 16 cells of one row, none at the grid's edge, by pointers to its first cell.
struct AxesRow {
    const float* elevation;     // m; NaN: no data
    const std::uint8_t* roots;  // 1: drains out
    std::int64_t stride;        // cells from one row to the next
    std::int64_t count;
    float cell_size;           // m
    bool random;               // whether receivers are drawn in proportion to the drop
    std::uint64_t draw_key;    // of such draws
    std::uint32_t first_cell;  // its number
};

/// Fills direction and length as of DirectedTerrain (slope_factor.hpp), to the bit as the cell-by-cell code
/// there, with vectors of 4, 8 or 16.
template <int Lanes>
void direct_axes_in_lanes(const AxesRow& row, std::uint8_t* direction, float* length);

}  // namespace thalweg
