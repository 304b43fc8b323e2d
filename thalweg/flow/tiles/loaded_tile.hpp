// A tile of a grid in memory, with the cells around it.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/flow/tiles/inner_cells.hpp"
#include "thalweg/flow/tiles/tile_map.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A tile, the cells around it, and where they drain.
struct LoadedTile {
    CellRange inner;
    CellRange outer;
    Lattice lattice;                      // of the outer range
    Field<float> elevation;               // m, of the outer range
    std::vector<std::uint8_t> direction;  // of the outer range; holds within one cell around the tile

    static constexpr int kReach = 2;  // cells around a tile: those next to it need their own neighbours

    [[nodiscard]] std::int32_t cells() const { return inner.columns() * inner.rows(); }
    /// The grid of the tile alone.
    [[nodiscard]] Grid inner_grid() const;

    /// Place in the outer range of a cell of the tile.
    [[nodiscard]] std::int64_t outer_cell(std::int32_t cell) const {
        return elevation.grid().index(inner.first_column - outer.first_column + cell % inner.columns(),
                                      inner.first_row - outer.first_row + cell / inner.columns());
    }
    [[nodiscard]] bool is_inside(std::int64_t outer_cell) const {
        const int column = elevation.grid().column_of(outer_cell) + outer.first_column - inner.first_column;
        const int row = elevation.grid().row_of(outer_cell) + outer.first_row - inner.first_row;
        return column >= 0 && row >= 0 && column < inner.columns() && row < inner.rows();
    }

    /// Runs body(cell, outer_cell) over the cells of the tile.
    template <class Body>
    void for_cells(const Body& body) const {
        for_inner_cells(inner, outer, body);
    }

    /// Elevation and directions of the tile's own cells.
    [[nodiscard]] Field<float> inner_elevation() const;
    [[nodiscard]] std::vector<std::uint8_t> inner_directions() const;
};

/// The tile of `elevation`, m, which is that of map.around(tile, kReach), with its steepest directions. Flats
/// are not resolved; cells at or below sea_level, m, are roots.
LoadedTile load_tile(const TileMap& map, std::int64_t tile, Field<float> elevation, double sea_level);

/// The same directions, where cells of the tile whose water leaves it are `end`.
std::vector<std::uint8_t> ended_at_edges(const TileMap& map, std::int64_t tile,
                                         std::vector<std::uint8_t> direction, std::uint8_t end);

/// What the cells of the tile drain to inside it, by their directions: its basins are those of pits and of
/// cells whose water leaves it. O(cells).
Basins basins_inside(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                     Progress& progress);

}  // namespace thalweg
