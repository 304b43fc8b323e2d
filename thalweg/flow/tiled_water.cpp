#include "thalweg/flow/tiled_water.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/loaded_tile.hpp"

#include <algorithm>

namespace thalweg {
namespace {

/// The tree of a tile's cells, where water that leaves the tile ends.
FlowTree tree_of(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                 Progress& progress) {
    FlowTree tree;
    tree.grid.columns = map.range(tile).columns();
    tree.grid.rows = map.range(tile).rows();
    tree.direction = ended_at_edges(map, tile, direction, kRoot);
    order_tree(tree, progress);
    return tree;
}

}  // namespace

void count_outflows(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                    TileMemory& memory, Progress& progress) {
    const FlowTree tree = tree_of(map, tile, direction, progress);
    const Basins ways = find_basins(tree.grid, ended_at_edges(map, tile, direction, kPit), progress);
    for (const std::int32_t cell : ways.pits)
        memory.outflows.push_back({cell, direction[at(cell)], tree.upstream_cells[at(cell)]});
    memory.leaves_by = EdgeValues<std::int32_t>(map.range(tile));
    memory.leaves_by.fill([&](std::int32_t cell) { return std::max(ways.of_cell[at(cell)], 0) - 1; });
}

void pass_water_on(const TileMap& map, std::vector<TileMemory>& tiles) {
    std::vector<std::int64_t> first(tiles.size() + 1, 0);
    for (std::size_t i = 0; i < tiles.size(); ++i)
        first[i + 1] = first[i] + static_cast<std::int64_t>(tiles[i].outflows.size());
    std::vector<std::int64_t> next(at(first.back()), -1), total(at(first.back()), 0);
    std::vector<std::int32_t> awaited(at(first.back()), 0);
    std::vector<TileCell> target(at(first.back()));
    for (std::int64_t tile = 0; tile < map.tiles(); ++tile)
        for (std::size_t i = 0; i < tiles[at(tile)].outflows.size(); ++i) {
            const Outflow& outflow = tiles[at(tile)].outflows[i];
            const std::size_t own = at(first[at(tile)]) + i;
            total[own] = outflow.cells;
            target[own] = map.step({tile, outflow.cell}, outflow.direction);
            const std::int32_t leaves_by = tiles[at(target[own].tile)].leaves_by[target[own].cell];
            if (leaves_by < 0) continue;
            next[own] = first[at(target[own].tile)] + leaves_by;
            ++awaited[at(next[own])];
        }
    std::vector<std::int64_t> ready;
    for (std::size_t i = 0; i < next.size(); ++i)
        if (awaited[i] == 0) ready.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < ready.size(); ++i) {
        const std::size_t own = at(ready[i]);
        tiles[at(target[own].tile)].inflows.push_back({target[own].cell, total[own]});
        if (next[own] < 0) continue;
        total[at(next[own])] += total[own];
        if (--awaited[at(next[own])] == 0) ready.push_back(next[own]);
    }
}

std::vector<std::int64_t> upstream_cells(const TileMap& map, std::int64_t tile,
                                         const std::vector<std::uint8_t>& direction, const TileMemory& memory,
                                         Progress& progress) {
    const FlowTree tree = tree_of(map, tile, direction, progress);
    std::vector<std::int64_t> count(tree.upstream_cells.begin(), tree.upstream_cells.end());
    for (const Inflow& inflow : memory.inflows)
        for (std::int32_t cell = inflow.cell; cell >= 0; cell = tree.receiver(cell))
            count[at(cell)] += inflow.cells;
    return count;
}

}  // namespace thalweg
