// Ground that slides where it is steeper than the angle of repose of what lies there.
#pragma once

#include "thalweg/particles/droplet.hpp"

#include <array>
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
    std::int32_t least_rise = 0;  // by which neighbours in rows and columns differ where any of it slides
};

/// Cells of one row, in place within a grid.
struct RowSlice {
    const std::int32_t* elevation = nullptr;  // units, of its first cell
    const CellKind* kinds = nullptr;
    int columns = 0;                             // of the grid
    int count = 0;                               // at most kMostInSlice
    const std::int32_t* sediment = nullptr;      // units, on bedrock; of these two where there are materials
    const std::int32_t* bedrock_rise = nullptr;  // units that bedrock may differ by, along rows and columns
};
inline constexpr int kMostInSlice = 32;

/// What slides in a row.
struct RowSlides {
    std::array<std::int32_t, kMostInSlice> change = {};  // units
    std::int64_t left = 0;                               // units on a cell, to fixed cells
    bool does_slide = false;
};

/// Lets the share of what is too high go from each cell to each of its eight neighbours. Both have the same
/// amount of it, so that rows can be looked at in any order. Cells that are fixed give nothing; `has_fixed`
/// tells whether there are any in the slice or around it.
RowSlides slides_of(const RowSlice& row, const AvalancheLaw& law, bool has_fixed);

/// The same for sediment on bedrock: of two cells the higher one gives sediment by the slope at which that
/// rests, as long as there is some, and bedrock by its own.
RowSlides slides_of(const RowSlice& row, const MaterialSlides& law, bool has_fixed);

}  // namespace thalweg
