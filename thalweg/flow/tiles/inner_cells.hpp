// Walks over a tile and the cells around it.
#pragma once

#include "thalweg/grid/cell_range.hpp"

#include <cstdint>

namespace thalweg {

/// Runs body(cell, outer_cell) over the cells of a tile, by their places in the tile and in `outer` around
/// it.
template <class Body>
void for_inner_cells(const CellRange& inner, const CellRange& outer, const Body& body) {
    std::int32_t cell = 0;
    for (int row = inner.first_row; row < inner.end_row; ++row) {
        std::int64_t outer_cell =
            std::int64_t{row - outer.first_row} * outer.columns() + inner.first_column - outer.first_column;
        for (int column = inner.first_column; column < inner.end_column; ++column) body(cell++, outer_cell++);
    }
}

/// Runs body(column, row, outer_cell) over the cells of `outer` that do not lie in `inner`.
template <class Body>
void for_cells_around(const CellRange& inner, const CellRange& outer, const Body& body) {
    for (int row = outer.first_row; row < outer.end_row; ++row) {
        const bool is_beside = row >= inner.first_row && row < inner.end_row;
        for (int column = outer.first_column; column < outer.end_column; ++column) {
            if (is_beside && column == inner.first_column) column = inner.end_column;
            if (column == outer.end_column) break;
            body(column, row,
                 std::int64_t{row - outer.first_row} * outer.columns() + column - outer.first_column);
        }
    }
}

}  // namespace thalweg
