// Ground that slides where it is steeper than the angle of repose of what lies there.
#pragma once

#include "thalweg/particles/droplets/droplet.hpp"

#include <cstdint>

namespace thalweg {

/// How ground slides, in units of elevation.
struct AvalancheLaw {
    std::int32_t steepest_straight = 0;  // units that neighbours may differ by, along rows and columns
    std::int32_t steepest_diagonal = 0;
    std::int32_t share = 256;  // in 2048, of what is too high between two cells
};

/// How soil and sediment on bedrock slide. Elevations are in units.
struct MaterialSlides {
    AvalancheLaw sediment = {};
    AvalancheLaw soil = {};   // where there is some
    AvalancheLaw beach = {};  // of both from `beach_low` to `beach_high`
    std::int32_t beach_low = 0;
    std::int32_t beach_high = -1;
    std::int32_t bedrock_share = 256;  // in 2048
    std::int32_t least_rise = 0;  // by which neighbours in rows and columns differ where any of it slides,
                                  // where there are materials
    bool do_roots_hold_bedrock = false;  // as sediment: where it has no slope of its own
    float pigment_depth = 0.0F;  // units of ground that are mixed with what comes, where there is some
};

/// Cells of one row, in place within a grid.
struct RowSlice {
    const std::int32_t* elevation = nullptr;  // units, of its first cell
    const CellPlace* places = nullptr;
    int columns = 0;                             // of the grid
    int count = 0;                               // at most kMostInSlice
    bool has_fixed = false;                      // whether there are fixed cells in the slice or around it
    const std::int32_t* loose = nullptr;         // units, on bedrock; of these two where there are materials
    const std::int32_t* bedrock_rise = nullptr;  // units that bedrock may differ by, along rows and columns
    const std::int32_t* soil = nullptr;          // units of `loose`, where there is some
    const float* pigments[kMostPigments] = {};   // 1, of the surface, those first that there are
    const float* held = nullptr;  // 1, by which share roots raise slopes, where there are materials
};
inline constexpr int kMostInSlice = 32;

/// What has slid over the border, units on a cell.
struct SlidOut {
    std::int64_t all = 0;
    std::int64_t soil = 0;  // of these

    friend SlidOut operator+(const SlidOut& a, const SlidOut& b) {
        return {.all = a.all + b.all, .soil = a.soil + b.soil};
    }
};

/// By how much cells of a row change, units, and the pigments that they come to.
struct RowChange {
    std::int32_t* all = nullptr;
    std::int32_t* soil = nullptr;         // of these, where there is some
    float* pigments[kMostPigments] = {};  // 1, where there are some
};

/// Lets the share of what is too high go from each cell of a row to each of its eight neighbours. Both have
/// the same amount of it, so that rows can be looked at in any order. Cells that are fixed give nothing, and
/// what comes to them is added to `out`. Where there are materials, of two cells the higher one gives soil by
/// the slope at which that rests, and sediment under it by its own, each an eighth of what there is at most,
/// and bedrock by its own: as much as the one of them that gives the most, and soil first. Roots
/// of the higher cell raise these slopes, but those of beaches. What
/// comes has the pigments of where it comes from, and is mixed with the uppermost pigment_depth d of a cell:
/// p' = (p d + sum p_i a_i) / (d + sum a_i). Returns a bit for each cell that changes, the first one's
/// lowest; where there is none `change` is not written. The same for vectors of 4, 8 or 16.
template <int Lanes>
std::uint32_t slide_in_lanes(const RowSlice& row, const MaterialSlides& law, const RowChange& change,
                             SlidOut& out);

}  // namespace thalweg
