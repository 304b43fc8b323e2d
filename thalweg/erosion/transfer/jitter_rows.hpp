// Bilinear values at displaced places beside the cells of a row, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// The fine cells of one row that are the western, or the eastern, children of a row of coarse cells. They
/// lie a quarter of a coarse cell beside and above or below their parents, and are displaced from there.
struct JitterRow {
    const float* own;          // values of the parents; NaN: no data
    const float* beside;       // of the coarse row that lies nearest next
    std::int64_t count;        // of the parents; values one beyond either end must be readable
    int column_side;           // -1: western children, 1: eastern ones
    int row_side;              // -1: northern children, 1: southern ones
    float reach;               // coarse cells, largest displacement: 0 to 0.25
    std::uint64_t draw_key;    // of the displacements
    std::uint32_t first_cell;  // number of the first of the children; the next one's is 2 more
};

/// The value at each child's place, NaN where there is no data around; with vectors of 4, 8 or 16, equal bits
/// for each. Values and results are read and written up to the next multiple of 16.
template <int Lanes>
void jitter_in_lanes(const JitterRow& row, float* result);

}  // namespace thalweg
