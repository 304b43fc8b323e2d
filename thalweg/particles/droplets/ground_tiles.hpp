// Tiles of cells, so that work may pass over ground where nothing happens.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/grid/grid.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

namespace thalweg {

/// A bit for each cell, in words of one row of a tile (GroundTiles::word_of).
using CellMarks = std::vector<std::uint32_t>;

/// Squares of 32 cells over a grid, in rows from the north.
class GroundTiles {
  public:
    GroundTiles() = default;
    explicit GroundTiles(const Grid& grid)
        : grid_columns_(grid.columns),
          grid_rows_(grid.rows),
          columns_(columns_of(grid.columns)),
          rows_((grid.rows + kSide - 1) / kSide) {}

    /// Of a grid of so many columns of cells.
    static int columns_of(int grid_columns) { return (grid_columns + kSide - 1) / kSide; }

    [[nodiscard]] int columns() const { return columns_; }
    [[nodiscard]] int rows() const { return rows_; }
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(columns_) * rows_; }
    [[nodiscard]] std::int64_t tile_of(int column, int row) const {
        return static_cast<std::int64_t>(row / kSide) * columns_ + column / kSide;
    }

    [[nodiscard]] CellMarks no_marks() const {
        return CellMarks(at(static_cast<std::int64_t>(columns_) * grid_rows_), 0);
    }
    [[nodiscard]] std::int64_t word_of(int column, int row) const {
        return static_cast<std::int64_t>(row) * columns_ + column / kSide;
    }
    static std::uint32_t bit_of(int column) { return 1U << (static_cast<unsigned>(column) % kSide); }

    /// Calls body(word) for all rows of a tile.
    template <class Body>
    void for_each_word(std::int64_t tile, const Body& body) const {
        const int column = static_cast<int>(tile % columns_);
        const int north = static_cast<int>(tile / columns_) * kSide;
        for (int row = north; row < std::min(north + kSide, grid_rows_); ++row)
            body(static_cast<std::int64_t>(row) * columns_ + column);
    }

    /// Calls body(cell, bit) for all cells of a word that are marked by `bits`, in their order.
    template <class Body>
    void for_each_bit(std::int64_t word, std::uint32_t bits, const Body& body) const {
        const std::int64_t first = word / columns_ * grid_columns_ + word % columns_ * kSide;
        for (; bits != 0; bits &= bits - 1) body(first + std::countr_zero(bits), bits & -bits);
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

    /// Calls body(row, first cell, number of cells) for all rows of a tile, without cells on the grid's edge.
    /// Those that `rows` has no bit for are left out.
    template <class Body>
    void for_each_row(std::int64_t tile, std::uint32_t rows, const Body& body) const {
        const int first = static_cast<int>(tile % columns_) * kSide;
        const int north = static_cast<int>(tile / columns_) * kSide;
        const int west = std::max(first, 1);
        const int count = std::min(first + kSide, grid_columns_ - 1) - west;
        if (count <= 0) return;
        for (int row = std::max(north, 1); row < std::min(north + kSide, grid_rows_ - 1); ++row)
            if ((rows & bit_of(row)) != 0)
                body(row, static_cast<std::int64_t>(row) * grid_columns_ + west, count);
    }

  private:
    static constexpr int kSide = 32;
    int grid_columns_ = 0;
    int grid_rows_ = 0;
    int columns_ = 0;
    int rows_ = 0;
};

}  // namespace thalweg
