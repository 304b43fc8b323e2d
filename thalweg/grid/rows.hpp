// Parallel work over the rows of a grid.
#pragma once

#include "thalweg/core/parallel.hpp"
#include "thalweg/grid/grid.hpp"

#include <algorithm>
#include <cstdint>

namespace thalweg {

/// Cells that one piece of parallel work takes at least; less does not pay for a thread. Empirical.
inline constexpr std::int64_t kCellsPerPiece = 16384;

/// Runs `body(row)` once for every row in [first_row, end_row) of a grid of `columns`, in any order and on
/// any thread. A small range stays on the calling thread.
template <class Body>
void for_each_row(int first_row, int end_row, int columns, const Body& body) {
    const std::int64_t rows_per_piece = std::max<std::int64_t>(1, kCellsPerPiece / std::max(1, columns));
    parallel_for(first_row, end_row, rows_per_piece, [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t row = first; row < end; ++row) body(static_cast<int>(row));
    });
}

/// Runs `body(row)` once for every row of `grid`, as above.
template <class Body>
void for_each_row(const Grid& grid, const Body& body) {
    for_each_row(0, grid.rows, grid.columns, body);
}

}  // namespace thalweg
