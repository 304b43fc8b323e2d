// How a grid is cut into tiles.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/grid/cell_range.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace thalweg {

/// A cell by its tile, and its row-major number there.
struct TileCell {
    std::int64_t tile = 0;
    std::int32_t cell = 0;
};

/// Square tiles from the north-west; those at the east and south may be smaller.
class TileMap {
  public:
    TileMap(const Grid& grid, int side)
        : grid_(grid),
          side_(side),
          across_((grid.columns + side - 1) / side),
          down_((grid.rows + side - 1) / side) {}

    [[nodiscard]] const Grid& grid() const { return grid_; }
    [[nodiscard]] std::int64_t tiles() const { return std::int64_t{across_} * down_; }

    /// The cells of a tile.
    [[nodiscard]] CellRange range(std::int64_t tile) const { return around(tile, 0); }

    /// Those and up to `reach` cells around them.
    [[nodiscard]] CellRange around(std::int64_t tile, int reach) const {
        const int first_column = static_cast<int>(tile % across_) * side_;
        const int first_row = static_cast<int>(tile / across_) * side_;
        return {.first_column = std::max(0, first_column - reach),
                .end_column = std::min(grid_.columns, first_column + side_ + reach),
                .first_row = std::max(0, first_row - reach),
                .end_row = std::min(grid_.rows, first_row + side_ + reach)};
    }

    [[nodiscard]] TileCell place(int column, int row) const {
        const std::int64_t tile = std::int64_t{row / side_} * across_ + column / side_;
        const CellRange inner = range(tile);
        return {tile, (row - inner.first_row) * inner.columns() + column - inner.first_column};
    }

    [[nodiscard]] int column_of(TileCell place) const {
        const CellRange inner = range(place.tile);
        return inner.first_column + place.cell % inner.columns();
    }
    [[nodiscard]] int row_of(TileCell place) const {
        const CellRange inner = range(place.tile);
        return inner.first_row + place.cell / inner.columns();
    }
    [[nodiscard]] std::int64_t number(TileCell place) const {
        return grid_.index(column_of(place), row_of(place));
    }

    /// The row-major number in a tile of a cell of the grid that lies in it.
    [[nodiscard]] std::int32_t cell_in(std::int64_t tile, std::int64_t number) const {
        const CellRange inner = range(tile);
        return (grid_.row_of(number) - inner.first_row) * inner.columns() + grid_.column_of(number) -
               inner.first_column;
    }

    /// The neighbour in direction d, which lies in the grid.
    [[nodiscard]] TileCell step(TileCell place_here, std::uint8_t d) const {
        return place(column_of(place_here) + kColumnStep[d], row_of(place_here) + kRowStep[d]);
    }

    /// Whether direction d leads out of the tile.
    [[nodiscard]] bool leaves(TileCell place_here, std::uint8_t d) const {
        const CellRange inner = range(place_here.tile);
        const int column = place_here.cell % inner.columns() + kColumnStep[d];
        const int row = place_here.cell / inner.columns() + kRowStep[d];
        return column < 0 || row < 0 || column >= inner.columns() || row >= inner.rows();
    }

  private:
    Grid grid_;
    int side_;
    int across_;
    int down_;
};

/// Values of the cells along a range's four edges.
template <class T>
class EdgeValues {
  public:
    EdgeValues() = default;
    explicit EdgeValues(const CellRange& range)
        : columns_(range.columns()), rows_(range.rows()), values_(at(2 * (std::int64_t{columns_} + rows_))) {}

    /// The same values again, as `values()` gave them.
    EdgeValues(const CellRange& range, std::vector<T> values)
        : columns_(range.columns()), rows_(range.rows()), values_(std::move(values)) {}

    [[nodiscard]] const std::vector<T>& values() const { return values_; }
    [[nodiscard]] bool empty() const { return values_.empty(); }

    /// Keeps what value(cell) gives for every edge cell.
    template <class Value>
    void fill(const Value& value) {
        for (std::int32_t c = 0; c < columns_; ++c) {
            values_[at(c)] = value(c);
            values_[at(columns_ + c)] = value((rows_ - 1) * columns_ + c);
        }
        for (std::int32_t r = 0; r < rows_; ++r) {
            values_[at(2 * columns_ + r)] = value(r * columns_);
            values_[at(2 * columns_ + rows_ + r)] = value(r * columns_ + columns_ - 1);
        }
    }

    /// That of a cell of the first or last row or column.
    [[nodiscard]] const T& operator[](std::int32_t cell) const {
        const std::int32_t c = cell % columns_, r = cell / columns_;
        if (r == 0) return values_[at(c)];
        if (r == rows_ - 1) return values_[at(columns_ + c)];
        return values_[at(c == 0 ? 2 * columns_ + r : 2 * columns_ + rows_ + r)];
    }

    /// Runs body(cell) over the edge cells, each once.
    template <class Body>
    void for_cells(const Body& body) const {
        for (std::int32_t c = 0; c < columns_; ++c) body(c);
        for (std::int32_t c = 0; rows_ > 1 && c < columns_; ++c) body((rows_ - 1) * columns_ + c);
        for (std::int32_t r = 1; r + 1 < rows_; ++r) {
            body(r * columns_);
            if (columns_ > 1) body(r * columns_ + columns_ - 1);
        }
    }

  private:
    std::int32_t columns_ = 0;
    std::int32_t rows_ = 0;
    std::vector<T> values_;
};

}  // namespace thalweg
