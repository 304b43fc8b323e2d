#include "thalweg/flow/tiles/tiled_breaching.hpp"

#include "thalweg/flow/depressions/breach_paths.hpp"
#include "thalweg/flow/tiles/inner_cells.hpp"
#include "thalweg/flow/tiles/loaded_tile.hpp"
#include "thalweg/flow/tiles/tile_passing.hpp"

#include <algorithm>

namespace thalweg {

void find_breach_path_ends(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                           TileMemory& memory, Progress& progress) {
    const Basins basins = basins_inside(map, tile, direction, progress);
    for (const std::int32_t cell : basins.pits)
        memory.breach_path_ends.push_back({cell, direction[at(cell)], memory.elevation[cell]});
    for (const Terminal& pit : memory.terminals) {
        const std::int32_t basin = basins.of_cell[at(pit.cell)];
        if (pit.direction != kPit || basin == kDrained) continue;
        float& level = memory.breach_path_ends[at(basin - 1)].level;
        level = std::min(level, pit.elevation);
    }
    memory.breach_paths_by = EdgeValues<std::int32_t>(map.range(tile));
    memory.breach_paths_by.fill([&](std::int32_t cell) { return std::max(basins.of_cell[at(cell)], 0) - 1; });
}

void pass_cuts_on(const TileMap& map, std::vector<TileMemory>& tiles) {
    pass_from_tile_to_tile(map, tiles, &TileMemory::breach_path_ends, &TileMemory::breach_paths_by,
                           [&](const BreachPathEnd& end, TileCell target, BreachPathEnd* next) {
                               TileMemory& entered = tiles[at(target.tile)];
                               if (end.level <= entered.elevation[target.cell])
                                   entered.entering_cuts.push_back({target.cell, end.level});
                               if (next != nullptr) next->level = std::min(next->level, end.level);
                           });
    for (TileMemory& tile : tiles) {
        tile.breach_path_ends = {};
        tile.breach_paths_by = {};
    }
}

std::vector<Cut> carve_tile(const TileMap& map, std::int64_t tile, Field<float>& elevation,
                            const std::vector<std::uint8_t>& direction, TileMemory& memory) {
    const std::vector<std::uint8_t> inside = ended_at_edges(map, tile, direction, kRoot);
    const int columns = map.range(tile).columns();
    const auto receiver = [&](std::int32_t cell) {
        const std::uint8_t d = inside[at(cell)];
        return d < kRoot ? cell + kRowStep[d] * columns + kColumnStep[d] : -1;
    };
    BreachPathCarver carver(elevation);
    for (const Terminal& pit : memory.terminals)
        if (pit.direction == kPit) carver.cut(receiver(pit.cell), pit.elevation, receiver);
    for (const Cut& entering : memory.entering_cuts) carver.cut(entering.cell, entering.level, receiver);
    memory.carved = EdgeValues<float>(map.range(tile));
    memory.carved.fill([&](std::int32_t cell) { return elevation[cell]; });
    memory.turned = EdgeValues<std::uint8_t>(map.range(tile));
    memory.turned.fill([&](std::int32_t cell) { return direction[at(cell)]; });
    std::vector<Cut> cuts;
    for (const std::int32_t cell : carver.cut_cells()) cuts.push_back({cell, elevation[cell]});
    return cuts;
}

void drain_over_carved(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                       const std::vector<Cut>& cuts, const std::vector<TileMemory>& tiles,
                       std::vector<std::uint8_t>& direction) {
    const CellRange inner = map.range(tile), outer = map.around(tile, 1);
    const Grid& grid = elevation.grid();
    const int column = inner.first_column - outer.first_column, row = inner.first_row - outer.first_row;
    const auto outer_cell = [&](std::int32_t cell) {
        return grid.index(column + cell % inner.columns(), row + cell / inner.columns());
    };
    Field<float> carved = elevation;
    for (const Cut& cut : cuts) carved[outer_cell(cut.cell)] = cut.level;
    std::vector<std::uint8_t> around(at(grid.cells()));
    for_inner_cells(inner, outer,
                    [&](std::int32_t cell, std::int64_t place) { around[at(place)] = direction[at(cell)]; });
    for_cells_around(inner, outer, [&](int column_there, int row_there, std::int64_t place) {
        const TileCell there = map.place(column_there, row_there);
        carved[place] = tiles[at(there.tile)].carved[there.cell];
        around[at(place)] = tiles[at(there.tile)].turned[there.cell];
    });
    const CellRange own{.first_column = column,
                        .end_column = column + inner.columns(),
                        .first_row = row,
                        .end_row = row + inner.rows()};
    for (const Redirected& each :
         redirected_over_carved(eight_neighbours(grid), own, around, elevation, carved))
        direction[at((grid.row_of(each.cell) - row) * inner.columns() + grid.column_of(each.cell) - column)] =
            each.direction;
}

}  // namespace thalweg
