// Ground that slides where it is steeper than the angle of repose of what lies there.
#pragma once

#include "thalweg/particles/droplet.hpp"

#include <cstdint>

namespace thalweg {

/// How ground slides, in units of elevation.
struct AvalancheLaw {
    std::int32_t steepest_straight = 0;  // units that neighbours may differ by, along rows and columns
    std::int32_t steepest_diagonal = 0;
    std::int32_t share = 256;  // in 2048, of what is too high between two cells
};

/// How sediment on bedrock slides. Elevations are in units.
struct MaterialSlides {
    AvalancheLaw sediment = {};
    AvalancheLaw beach = {};  // of sediment from `beach_low` to `beach_high`
    std::int32_t beach_low = 0;
    std::int32_t beach_high = -1;
    std::int32_t bedrock_share = 256;  // in 2048
    std::int32_t least_rise = 0;  // by which neighbours in rows and columns differ where any of it slides,
                                  // where there are materials
};

/// Cells of one row, in place within a grid.
struct RowSlice {
    const std::int32_t* elevation = nullptr;  // units, of its first cell
    const CellKind* kinds = nullptr;
    int columns = 0;                             // of the grid
    int count = 0;                               // at most kMostInSlice
    bool has_fixed = false;                      // whether there are fixed cells in the slice or around it
    const std::int32_t* sediment = nullptr;      // units, on bedrock; of these two where there are materials
    const std::int32_t* bedrock_rise = nullptr;  // units that bedrock may differ by, along rows and columns
};
inline constexpr int kMostInSlice = 32;

/// Lets the share of what is too high go from each cell of a row to each of its eight neighbours: `change`,
/// units. Both have the same amount of it, so that rows can be looked at in any order. Cells that are fixed
/// give nothing, and what comes to them is added to `left`. Where there are materials, of two cells the
/// higher one gives sediment by the slope at which that rests, as long as there is some, and bedrock by its
/// own. Returns whether anything slides; else `change` is not written. The same for vectors of 4, 8 or 16.
template <int Lanes>
bool slide_in_lanes(const RowSlice& row, const MaterialSlides& law, std::int32_t* change, std::int64_t& left);

}  // namespace thalweg
