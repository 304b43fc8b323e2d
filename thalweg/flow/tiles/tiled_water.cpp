#include "thalweg/flow/tiles/tiled_water.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/tiles/loaded_tile.hpp"
#include "thalweg/flow/tiles/tile_passing.hpp"

#include <algorithm>

namespace thalweg {
namespace {

/// A cell of a tile that water from other tiles passes through.
struct PassedCell {
    std::int32_t cell;
    std::int32_t awaited = 0;  // passed cells that drain to it, not yet added
    std::int64_t added = 0;    // cells of other tiles that drain through it
};

/// The cells of a tile that water from other tiles passes through, each once.
class PassedCells {
  public:
    explicit PassedCells(const FlowTree& tree) : tree_(tree), place_(tree.direction.size(), 0) {}

    void enter(const Inflow& inflow) {
        bool is_new = mark(inflow.cell);
        cells_[place_of(inflow.cell)].added += inflow.cells;
        for (std::int32_t cell = tree_.receiver(inflow.cell); is_new && cell >= 0;
             cell = tree_.receiver(cell)) {
            is_new = mark(cell);
            ++cells_[place_of(cell)].awaited;
        }
    }

    /// Adds what passes each cell to `upstream`, a number of cells.
    void add_to(Field<double>& upstream) {
        std::vector<std::size_t> sources;
        for (std::size_t i = 0; i < cells_.size(); ++i)
            if (cells_[i].awaited == 0) sources.push_back(i);
        for (std::size_t here : sources)
            for (;;) {
                upstream[cells_[here].cell] += static_cast<double>(cells_[here].added);
                const std::int32_t receiver = tree_.receiver(cells_[here].cell);
                if (receiver < 0) break;
                PassedCell& next = cells_[place_of(receiver)];
                next.added += cells_[here].added;
                if (--next.awaited > 0) break;
                here = place_of(receiver);
            }
    }

  private:
    [[nodiscard]] std::size_t place_of(std::int32_t cell) const { return at(place_[at(cell)] - 1); }

    /// Returns whether the cell was not marked before.
    bool mark(std::int32_t cell) {
        if (place_[at(cell)] != 0) return false;
        cells_.push_back({.cell = cell});
        place_[at(cell)] = static_cast<std::int32_t>(cells_.size());
        return true;
    }

    const FlowTree& tree_;
    std::vector<std::int32_t> place_;  // per cell: where it stands in cells_, from 1; 0: no water passes
    std::vector<PassedCell> cells_;
};

}  // namespace

void count_outflows(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                    TileMemory& memory, Progress& progress) {
    const Basins basins = basins_inside(map, tile, direction, progress);
    std::vector<std::int64_t> cells(at(basins.count() + 1),
                                    0);  // that leave by each basin, behind those outside
    for (const std::int32_t basin : basins.of_cell) ++cells[at(basin - kNoBasin)];
    for (std::size_t i = 0; i < basins.pits.size(); ++i)
        memory.outflows.push_back({basins.pits[i], direction[at(basins.pits[i])], cells[i + 2]});
    memory.drained_cells = cells[1];
    memory.cells = std::ssize(direction) - cells[0];
    memory.leaves_by = EdgeValues<std::int32_t>(map.range(tile));
    memory.leaves_by.fill([&](std::int32_t cell) { return std::max(basins.of_cell[at(cell)], 0) - 1; });
}

std::int64_t pass_water_on(const TileMap& map, std::vector<TileMemory>& tiles) {
    std::int64_t drained_cells = 0;
    for (const TileMemory& tile : tiles) drained_cells += tile.drained_cells;
    pass_from_tile_to_tile(map, tiles, &TileMemory::outflows, &TileMemory::leaves_by,
                           [&](const Outflow& outflow, TileCell target, Outflow* next) {
                               tiles[at(target.tile)].inflows.push_back({target.cell, outflow.cells});
                               (next != nullptr ? next->cells : drained_cells) += outflow.cells;
                           });
    return drained_cells;
}

Field<double> gathered_area(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                            const TileMemory& memory, Progress& progress) {
    FlowTree tree;
    tree.grid.columns = map.range(tile).columns();
    tree.grid.rows = map.range(tile).rows();
    tree.direction = ended_at_edges(map, tile, direction, kRoot);
    order_tree(tree, progress);
    Field<double> area(tree.grid);  // cells at first, which doubles count exactly
    std::copy(tree.upstream_cells.begin(), tree.upstream_cells.end(), area.begin());
    PassedCells passed(tree);
    for (const Inflow& inflow : memory.inflows) passed.enter(inflow);
    passed.add_to(area);
    for (double& value : area) value *= map.grid().cell_area();
    return area;
}

}  // namespace thalweg
