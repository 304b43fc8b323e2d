// Tiles of cells, so that work may pass over ground where nothing happens.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <algorithm>
#include <cstdint>

namespace thalweg {

/// Squares of 32 cells over a grid, in rows from the north.
class GroundTiles {
  public:
    GroundTiles() = default;
    explicit GroundTiles(const Grid& grid)
        : grid_columns_(grid.columns),
          grid_rows_(grid.rows),
          columns_((grid.columns + kSide - 1) / kSide),
          rows_((grid.rows + kSide - 1) / kSide) {}

    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(columns_) * rows_; }
    [[nodiscard]] std::int64_t tile_of(int column, int row) const {
        return static_cast<std::int64_t>(row / kSide) * columns_ + column / kSide;
    }

    /// Calls body(column, row, cell) for all cells of a tile, in their order.
    template <class Body>
    void for_each_cell(std::int64_t tile, const Body& body) const {
        const int west = static_cast<int>(tile % columns_) * kSide;
        const int north = static_cast<int>(tile / columns_) * kSide;
        const int east = std::min(west + kSide, grid_columns_);
        const int south = std::min(north + kSide, grid_rows_);
        for (int row = north; row < south; ++row) {
            std::int64_t cell = static_cast<std::int64_t>(row) * grid_columns_ + west;
            for (int column = west; column < east; ++column, ++cell) body(column, row, cell);
        }
    }

    /// Calls body(first cell, number of cells) for all rows of a tile, without cells on the grid's edge.
    template <class Body>
    void for_each_row(std::int64_t tile, const Body& body) const {
        const int first = static_cast<int>(tile % columns_) * kSide;
        const int north = static_cast<int>(tile / columns_) * kSide;
        const int west = std::max(first, 1);
        const int count = std::min(first + kSide, grid_columns_ - 1) - west;
        if (count <= 0) return;
        for (int row = std::max(north, 1); row < std::min(north + kSide, grid_rows_ - 1); ++row)
            body(static_cast<std::int64_t>(row) * grid_columns_ + west, count);
    }

  private:
    static constexpr int kSide = 32;
    int grid_columns_ = 0;
    int grid_rows_ = 0;
    int columns_ = 0;
    int rows_ = 0;
};

}  // namespace thalweg
