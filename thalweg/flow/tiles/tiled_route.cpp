#include "thalweg/flow/tiled_route.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/tiles/loaded_tile.hpp"
#include "thalweg/flow/tiles/tile_memory.hpp"
#include "thalweg/flow/tiles/tiled_basins.hpp"
#include "thalweg/flow/tiles/tiled_breaching.hpp"
#include "thalweg/flow/tiles/tiled_flats.hpp"
#include "thalweg/flow/tiles/tiled_shores.hpp"
#include "thalweg/flow/tiles/tiled_water.hpp"

#include <cassert>
#include <cstring>

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
          tiles_(at(map_.tiles())) {}

    TiledReport route() {
        for_tiles(0.0, "finding basins", [&](std::int64_t tile) { look_at(tile); });
        solve_crossing_flats(tiles_, terrain_.grid, progress_);
        for_tiles(0.4, "finding basins", [&](std::int64_t tile) { divide_where_flats_cross(tile); });
        const TiledBasins basins(map_, tiles_, progress_);
        if (parameters_.depressions == Depressions::Breach) carve();
        for_tiles(0.6, "letting depressions drain", [&](std::int64_t tile) { drain(tile, basins); });
        const std::int64_t drained_cells = pass_water_on(map_, tiles_);
        for_tiles(0.8, "gathering water", [&](std::int64_t tile) { gather(tile); });
        progress_.report(1.0, "routed");
        return report(basins, drained_cells);
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

    void keep(TilePart part, std::int64_t tile, const std::vector<std::uint8_t>& direction) const {
        results_.keep(part, tile, std::as_bytes(std::span(direction)));
    }

    [[nodiscard]] std::vector<std::uint8_t> kept_directions(TilePart part, std::int64_t tile) const {
        const auto bytes = results_.kept(part, tile);
        assert(bytes);
        return directions_from(*bytes);
    }

    /// Finds directions but over flats that cross edges, and the basins where there are none of those.
    void look_at(std::int64_t tile) {
        TileMemory& memory = tiles_[at(tile)];
        if (const auto flats = results_.kept(TilePart::Flats, tile)) {
            remember_flats(*flats, memory);
            if (const auto basins = results_.kept(TilePart::Basins, tile))
                remember_basins(*basins, map_.range(tile), memory);
            return;
        }
        LoadedTile loaded =
            load_tile(map_, tile, terrain_.read(map_.around(tile, LoadedTile::kReach)), terrain_.sea_level);
        memory.flats = crossing_flats(map_, tile, loaded);
        direct_flats_inside(loaded, map_, tile, memory.flats, progress_);
        const std::vector<std::uint8_t> direction = loaded.inner_directions();
        keep(TilePart::Directions, tile, direction);
        if (memory.flats.empty()) divide(tile, loaded.inner_elevation(), direction);
        results_.keep(TilePart::Flats, tile, flats_to_keep(memory).bytes());
    }

    void divide(std::int64_t tile, const Field<float>& elevation,
                const std::vector<std::uint8_t>& direction) {
        TileMemory& memory = tiles_[at(tile)];
        divide_tile(map_, tile, elevation, direction, memory, progress_);
        results_.keep(TilePart::Basins, tile, basins_to_keep(memory).bytes());
    }

    void divide_where_flats_cross(std::int64_t tile) {
        if (tiles_[at(tile)].ends_in.empty())
            divide(tile, terrain_.read(map_.range(tile)), directions_over_flats(tile));
    }

    /// Directions of the tile's cells over all flats; pits are left.
    [[nodiscard]] std::vector<std::uint8_t> directions_over_flats(std::int64_t tile) const {
        std::vector<std::uint8_t> direction = kept_directions(TilePart::Directions, tile);
        for (const FlatCell& flat : tiles_[at(tile)].flats)
            direction[at(map_.cell_in(tile, flat.cell))] = flat.direction;
        return direction;
    }

    [[nodiscard]] std::vector<std::uint8_t> turned_directions(std::int64_t tile) const {
        std::vector<std::uint8_t> direction = directions_over_flats(tile);
        turn_breach_paths(map_, tile, tiles_[at(tile)], direction);
        return direction;
    }

    /// Carves all breach paths out of depressions.
    void carve() {
        for_tiles(0.45, "carving breach paths", [&](std::int64_t tile) {
            find_breach_path_ends(map_, tile, turned_directions(tile), tiles_[at(tile)], progress_);
        });
        pass_cuts_on(map_, tiles_);
        for_tiles(0.5, "carving breach paths", [&](std::int64_t tile) { carve(tile); });
    }

    void carve(std::int64_t tile) {
        TileMemory& memory = tiles_[at(tile)];
        if (const auto cuts = results_.kept(TilePart::Cuts, tile)) {
            remember_carved_edges(*cuts, map_.range(tile), memory);
        } else {
            Field<float> elevation = terrain_.read(map_.range(tile));
            const std::vector<Cut> found = carve_tile(map_, tile, elevation, turned_directions(tile), memory);
            results_.keep(TilePart::Cuts, tile, cuts_to_keep(memory, found).bytes());
        }
        memory.entering_cuts = {};
    }

    [[nodiscard]] std::vector<Cut> kept_cuts(std::int64_t tile) const {
        const auto bytes = results_.kept(TilePart::Cuts, tile);
        assert(bytes);
        return cuts_from(*bytes);
    }

    /// Finds directions by which all water leaves, and where it does.
    void drain(std::int64_t tile, const TiledBasins& basins) {
        TileMemory& memory = tiles_[at(tile)];
        if (const auto water = results_.kept(TilePart::Water, tile))
            return remember_water(*water, map_.range(tile), memory);
        const Field<float> elevation = terrain_.read(map_.around(tile, 1));
        std::vector<std::uint8_t> direction;
        if (parameters_.depressions == Depressions::Fill) {
            direction = directions_over_flats(tile);
            const Field<float> surface =
                filled_surface(map_, tile, elevation, direction, basins, tiles_, progress_);
            turn_breach_paths(map_, tile, memory, direction);
            drain_beside_water(map_, tile, elevation, surface, direction);
        } else {
            direction = turned_directions(tile);
            drain_over_carved(map_, tile, elevation, kept_cuts(tile), tiles_, direction);
        }
        count_outflows(map_, tile, direction, memory, progress_);
        keep(TilePart::Drained, tile, direction);
        results_.keep(TilePart::Water, tile, water_to_keep(memory).bytes());
    }

    void gather(std::int64_t tile) const {
        if (results_.is_written(tile)) return;
        const std::vector<std::uint8_t> direction = kept_directions(TilePart::Drained, tile);
        results_.write(tile, map_.range(tile),
                       gathered_area(map_, tile, direction, tiles_[at(tile)], progress_));
    }

    [[nodiscard]] TiledReport report(const TiledBasins& basins, std::int64_t drained_cells) const {
        TiledReport report{.tiles = map_.tiles(),
                           .pits = basins.pits(),
                           .closed_components = basins.closed_components(),
                           .drained_cells = drained_cells};
        for (const TileMemory& tile : tiles_) report.cells += tile.cells;
        return report;
    }

    const TiledTerrain& terrain_;
    const TiledParameters& parameters_;
    const TiledResults& results_;
    Progress& progress_;
    TileMap map_;
    std::vector<TileMemory> tiles_;
};

}  // namespace

std::vector<std::uint8_t> directions_from(const std::vector<std::byte>& bytes) {
    std::vector<std::uint8_t> direction(bytes.size());
    if (!bytes.empty()) std::memcpy(direction.data(), bytes.data(), bytes.size());
    return direction;
}

TiledReport route_in_tiles(const TiledTerrain& terrain, const TiledParameters& parameters,
                           const TiledResults& results, Progress& progress) {
    if (parameters.tile_side < 3)
        throw Error::input(
            fmt::format("tile_side = {} is not allowed: it must be at least 3 cells", parameters.tile_side));
    return TiledRouter(terrain, parameters, results, progress).route();
}

}  // namespace thalweg
