#include "thalweg/flow/tiles/tiled_shores.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/depressions/shore.hpp"
#include "thalweg/flow/tiles/inner_cells.hpp"
#include "thalweg/flow/tiles/loaded_tile.hpp"

#include <algorithm>
#include <array>

namespace thalweg {
Field<float> filled_surface(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                            const std::vector<std::uint8_t>& direction, const TiledBasins& basins,
                            const std::vector<TileMemory>& tiles, Progress& progress) {
    const CellRange inner = map.range(tile), outer = map.around(tile, 1);
    const Basins own = basins_inside(map, tile, direction, progress);
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
