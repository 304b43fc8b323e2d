// How creep lays out its values: rows of cells one behind the other, with what lies around them.
#pragma once

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/grid/grid.hpp"

#include <cstddef>
#include <cstdint>

namespace thalweg {

/// Places of the cells of a grid in an array that has at least one place without data on each side of every
/// cell, and whose rows are whole vectors. Corner i is where cells i, i + 1, i + stride and i + stride + 1
/// meet.
struct PaddedCells {
    int columns = 0;
    int rows = 0;
    std::int64_t stride = 0;  // places from one row to the next, a multiple of kWidestVector

    explicit PaddedCells(const Grid& grid)
        : columns(grid.columns),
          rows(grid.rows),
          stride(std::int64_t{(grid.columns + kWidestVector) / kWidestVector} * kWidestVector) {}

    /// Where row `row` begins; -1 and `rows` are without data.
    [[nodiscard]] std::int64_t row_start(std::int64_t row) const {
        return kWidestVector + (row + 1) * stride;
    }
    [[nodiscard]] std::int64_t begin() const { return row_start(0); }
    [[nodiscard]] std::int64_t end() const { return row_start(rows); }
    [[nodiscard]] std::size_t size() const {
        return static_cast<std::size_t>(row_start(rows + 1) + kWidestVector);
    }
};

}  // namespace thalweg
