// Routing of grids that are larger than memory, tile by tile.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/conditioning.hpp"
#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/field.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace thalweg {

/// A terrain that is read by ranges of its cells. `read` gives elevation, m, NaN is no data; it is called
/// from several threads, two to four times for every part of the grid.
struct TiledTerrain {
    Grid grid;
    std::function<Field<float>(const CellRange& range)> read;
    double sea_level = -std::numeric_limits<double>::infinity();  // m, cells at or below it drain out
};

/// What is kept of a tile outside memory. An interrupted run goes on from it.
enum class TilePart : std::uint8_t {
    Directions,  // of its cells, pits where a flat crosses an edge
    Basins,      // how they join those of other tiles
    Flats,       // that cross its edges; the last part of the first pass
    Drained,     // directions by which all water leaves
    Water,       // that leaves it; the last part of the pass that lets depressions drain
    Cuts,        // its breach paths, where depressions are breached; kept before Drained
};

/// Where results go. All are called from several threads.
struct TiledResults {
    /// Keeps a part of a tile.
    std::function<void(TilePart part, std::int64_t tile, std::span<const std::byte> bytes)> keep;
    /// The part, or nothing where it has not been kept yet. What a run kept that was interrupted may be given
    /// to the next one with the same terrain and parameters, in full or up to any of its calls of `keep`.
    std::function<std::optional<std::vector<std::byte>>(TilePart part, std::int64_t tile)> kept;
    /// Drainage area, m^2, of a tile's cells.
    std::function<void(std::int64_t tile, const CellRange& range, const Field<double>& drainage_area)> write;
    /// Whether a run that was interrupted has written the tile.
    std::function<bool(std::int64_t tile)> is_written;
};

/// Directions (directions.hpp) from the bytes of their part. O(bytes).
std::vector<std::uint8_t> directions_from(const std::vector<std::byte>& bytes);

/// How depressions are dealt with, and how large tiles are.
struct TiledParameters {
    Depressions depressions = Depressions::Fill;
    int tile_side = 1024;  // cells, at least 3; memory grows with its square, times the threads
};

/// What routing in tiles has met.
struct TiledReport {
    std::int64_t tiles = 0;
    std::int64_t pits = 0;
    std::int64_t closed_components = 0;
    std::int64_t cells = 0;          // with data
    std::int64_t drained_cells = 0;  // sum over roots of the cells that drain through them: all
};

/// Routes water as route() does over cells' 8 neighbours and open edges, with the same directions and areas
/// bit for bit, but holds no more than a few tiles.
///
/// Tiles exchange their edges only: which basin each edge cell drains to, the spanning forest of the links
/// inside, and what flows over the edge. Flats that cross edges are held whole. To breach they also tell how
/// deep ways are cut where they cross edges, and then the carved ground along these. Sources: Barnes 2016
/// (Computers and Geosciences 96, 56-68) for depressions, 2017 (Environmental Modelling and Software 92,
/// 202-212) for accumulation; here with the spanning forest of spill_tree.hpp.
///
/// Beside tiles of about 40 bytes a cell it keeps about 60 bytes for every pit and 105 for every edge cell.
/// Two passes over the terrain (three to breach; one more over tiles with flats that cross edges) and one
/// over what was kept, parallel over tiles; the same bits for any tile size and number of threads; polls
/// `progress`.
///
/// Example:
///     TiledTerrain terrain = {.grid = grid};
///     terrain.read = [&](const CellRange& range) { return Field<float>(part_of(grid, range), 100.0F); };
///     TiledResults results;  // its four functions are to be set: where parts and areas go
///     const TiledReport report = route_in_tiles(terrain, {.tile_side = 2048}, results, progress);
TiledReport route_in_tiles(const TiledTerrain& terrain, const TiledParameters& parameters,
                           const TiledResults& results, Progress& progress);

}  // namespace thalweg
