#include "thalweg/flow/tiled_route.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/shore.hpp"
#include "thalweg/flow/tile_memory.hpp"
#include "thalweg/flow/tiled_basins.hpp"
#include "thalweg/flow/tiled_flats.hpp"
#include "thalweg/flow/tiled_water.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

class TiledRouter {
  public:
    TiledRouter(const TiledTerrain& terrain, const TiledParameters& parameters, const TiledResults& results,
                Progress& progress)
        : terrain_(terrain),
          parameters_(parameters),
          results_(results),
          progress_(progress),
          map_(terrain.grid, parameters.tile_side),
          tiles_(at(map_.tiles())),
          inside_(at(map_.tiles()), 0),
          drained_(at(map_.tiles()), 0) {}

    TiledReport route() {
        for_tiles(0.0, "finding basins", [&](std::int64_t tile) {
            tiles_[at(tile)].flats = crossing_flats(map_, tile, load(tile));
        });
        solve_crossing_flats(tiles_, terrain_.grid, progress_);
        for_tiles(0.2, "finding basins", [&](std::int64_t tile) {
            const LoadedTile loaded = load_directed(tile);
            divide_tile(map_, tile, loaded.inner_elevation(), loaded.inner_directions(), tiles_[at(tile)],
                        progress_);
        });
        basins_.emplace(map_, tiles_, progress_);
        for_tiles(0.5, "letting depressions drain", [&](std::int64_t tile) { drain(tile); });
        pass_water_on(map_, tiles_);
        for_tiles(0.8, "gathering water", [&](std::int64_t tile) { gather(tile); });
        progress_.report(1.0, "routed");
        return report();
    }

  private:
    template <class Body>
    void for_tiles(double fraction, const char* message, const Body& body) {
        progress_.report(fraction, message);
        parallel_for(0, map_.tiles(), 1, [&](std::int64_t tile, std::int64_t) {
            progress_.poll();
            body(tile);
        });
    }

    [[nodiscard]] LoadedTile load(std::int64_t tile) const {
        return load_tile(map_, tile, terrain_.read(map_.around(tile, LoadedTile::kReach)),
                         terrain_.sea_level);
    }

    [[nodiscard]] LoadedTile load_directed(std::int64_t tile) const {
        LoadedTile loaded = load(tile);
        direct_flats(loaded, map_, tile, tiles_[at(tile)].flats, progress_);
        return loaded;
    }

    /// Finds directions by which all water leaves.
    void drain(std::int64_t tile) {
        const LoadedTile loaded = load_directed(tile);
        std::vector<std::uint8_t> direction = loaded.inner_directions();
        Field<float> surface;
        if (parameters_.depressions == Depressions::Fill)
            surface = filled(
                tile, loaded,
                find_basins(loaded.inner_grid(), ended_at_edges(map_, tile, direction, kPit), progress_));
        turn_ways(map_, tile, tiles_[at(tile)], direction);
        if (!surface.empty()) {
            const std::array<std::int32_t, 8> steps = loaded.lattice.index_steps();
            loaded.for_cells([&](std::int32_t cell, std::int64_t outer_cell) {
                direction[at(cell)] = direction_beside_water(outer_cell, direction[at(cell)], loaded.lattice,
                                                             steps, loaded.elevation, surface);
            });
        }
        count_outflows(map_, tile, direction, tiles_[at(tile)], progress_);
        results_.keep(tile, std::move(direction));
    }

    /// The surface of the tile's water and of what lies next to it.
    [[nodiscard]] Field<float> filled(std::int64_t tile, const LoadedTile& loaded,
                                      const Basins& basins) const {
        Field<float> surface = loaded.elevation;
        loaded.for_cells([&](std::int32_t cell, std::int64_t outer_cell) {
            surface[outer_cell] =
                std::max(surface[outer_cell], basins_->level(tile, basins.of_cell[at(cell)]));
        });
        const CellRange ring = map_.around(tile, 1);
        const Grid& outer = loaded.elevation.grid();
        for (int row = ring.first_row; row < ring.end_row; ++row)
            for (int column = ring.first_column; column < ring.end_column; ++column) {
                const std::int64_t cell =
                    outer.index(column - loaded.outer.first_column, row - loaded.outer.first_row);
                if (loaded.is_inside(cell)) {
                    column += loaded.inner.columns() - 1;
                    continue;
                }
                const TileCell there = map_.place(column, row);
                surface[cell] = std::max(
                    surface[cell], basins_->level(there.tile, tiles_[at(there.tile)].ends_in[there.cell]));
            }
        return surface;
    }

    void gather(std::int64_t tile) {
        const std::vector<std::uint8_t> direction = results_.kept(tile);
        const std::vector<std::int64_t> count =
            upstream_cells(map_, tile, direction, tiles_[at(tile)], progress_);
        Field<double> area(Grid{.columns = map_.range(tile).columns(), .rows = map_.range(tile).rows()});
        const double cell_area = terrain_.grid.cell_area();
        for (std::int64_t cell = 0; cell < area.size(); ++cell) {
            area[cell] = static_cast<double>(count[at(cell)]) * cell_area;
            inside_[at(tile)] += direction[at(cell)] != kOutside ? 1 : 0;
            drained_[at(tile)] += direction[at(cell)] == kRoot ? count[at(cell)] : 0;
        }
        results_.write(map_.range(tile), area, direction);
    }

    [[nodiscard]] TiledReport report() const {
        TiledReport report;
        report.tiles = map_.tiles();
        report.pits = basins_->pits();
        report.closed_parts = basins_->closed_parts();
        for (const std::int64_t cells : drained_) report.drained_cells += cells;
        for (const std::int64_t cells : inside_) report.cells += cells;
        return report;
    }

    const TiledTerrain& terrain_;
    const TiledParameters& parameters_;
    const TiledResults& results_;
    Progress& progress_;
    TileMap map_;
    std::vector<TileMemory> tiles_;
    std::optional<TiledBasins> basins_;  // once the tiles are divided
    std::vector<std::int64_t> inside_;   // by tile: cells with data
    std::vector<std::int64_t> drained_;  // by tile: cells that drain through its roots
};

}  // namespace

TiledReport route_in_tiles(const TiledTerrain& terrain, const TiledParameters& parameters,
                           const TiledResults& results, Progress& progress) {
    if (parameters.tile_side < 3)
        throw Error::input(
            fmt::format("tile_side = {} is not allowed: it must be at least 3 cells", parameters.tile_side));
    return TiledRouter(terrain, parameters, results, progress).route();
}

}  // namespace thalweg
