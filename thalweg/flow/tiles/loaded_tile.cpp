#include "thalweg/flow/tiles/loaded_tile.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <utility>

namespace thalweg {

Grid LoadedTile::inner_grid() const {
    Grid grid = elevation.grid();
    grid.columns = inner.columns();
    grid.rows = inner.rows();
    return grid;
}

Field<float> LoadedTile::inner_elevation() const {
    Field<float> own(inner_grid());
    for_cells([&](std::int32_t cell, std::int64_t outer_cell) { own[cell] = elevation[outer_cell]; });
    return own;
}

std::vector<std::uint8_t> LoadedTile::inner_directions() const {
    std::vector<std::uint8_t> own(at(cells()));
    for_cells([&](std::int32_t cell, std::int64_t outer_cell) { own[at(cell)] = direction[at(outer_cell)]; });
    return own;
}

LoadedTile load_tile(const TileMap& map, std::int64_t tile, Field<float> elevation, double sea_level) {
    LoadedTile loaded;
    loaded.inner = map.range(tile);
    loaded.outer = map.around(tile, LoadedTile::kReach);
    loaded.elevation = std::move(elevation);
    loaded.lattice = eight_neighbours(loaded.elevation.grid());
    Field<std::uint8_t> roots = edge_roots(loaded.elevation);
    for (std::int64_t cell = 0; cell < roots.size(); ++cell)
        if (static_cast<double>(loaded.elevation[cell]) <= sea_level) roots[cell] = 1;
    loaded.direction = steepest_directions(loaded.elevation, loaded.lattice, roots);
    return loaded;
}

std::vector<std::uint8_t> ended_at_edges(const TileMap& map, std::int64_t tile,
                                         std::vector<std::uint8_t> direction, std::uint8_t end) {
    EdgeValues<std::uint8_t>(map.range(tile)).for_cells([&](std::int32_t cell) {
        if (direction[at(cell)] < kRoot && map.leaves({tile, cell}, direction[at(cell)]))
            direction[at(cell)] = end;
    });
    return direction;
}

Basins basins_inside(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                     Progress& progress) {
    const Grid grid{.columns = map.range(tile).columns(), .rows = map.range(tile).rows()};
    return find_basins(grid, ended_at_edges(map, tile, direction, kPit), progress);
}

}  // namespace thalweg
