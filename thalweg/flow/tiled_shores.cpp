#include "thalweg/flow/tiled_shores.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/loaded_tile.hpp"
#include "thalweg/flow/shore.hpp"

#include <algorithm>
#include <array>

namespace thalweg {
namespace {

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

}  // namespace

Field<float> filled_surface(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                            const std::vector<std::uint8_t>& direction, const TiledBasins& basins,
                            const std::vector<TileMemory>& tiles, Progress& progress) {
    const CellRange inner = map.range(tile), outer = map.around(tile, 1);
    const Basins own = find_basins(Grid{.columns = inner.columns(), .rows = inner.rows()},
                                   ended_at_edges(map, tile, direction, kPit), progress);
    std::vector<float> level(at(own.count() + 1));  // m, from kNoBasin on
    for (std::size_t i = 0; i < level.size(); ++i)
        level[i] = basins.level(tile, static_cast<std::int32_t>(i) + kNoBasin);
    Field<float> surface = elevation;
    for_inner_cells(inner, outer, [&](std::int32_t cell, std::int64_t outer_cell) {
        surface[outer_cell] = std::max(surface[outer_cell], level[at(own.of_cell[at(cell)] - kNoBasin)]);
    });
    for_cells_around(inner, outer, [&](int column, int row, std::int64_t outer_cell) {
        const TileCell there = map.place(column, row);
        surface[outer_cell] = std::max(surface[outer_cell],
                                       basins.level(there.tile, tiles[at(there.tile)].ends_in[there.cell]));
    });
    return surface;
}

void drain_beside_water(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                        const Field<float>& surface, std::vector<std::uint8_t>& direction) {
    const Lattice lattice = eight_neighbours(elevation.grid());
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    for_inner_cells(map.range(tile), map.around(tile, 1), [&](std::int32_t cell, std::int64_t outer_cell) {
        direction[at(cell)] =
            direction_beside_water(outer_cell, direction[at(cell)], lattice, steps, elevation, surface);
    });
}

}  // namespace thalweg
