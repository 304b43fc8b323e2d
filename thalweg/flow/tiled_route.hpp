// Routing of grids that are larger than memory, tile by tile.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/conditioning.hpp"
#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace thalweg {

/// A terrain that is read by ranges of its cells. `read` gives elevation, m, NaN is no data; it is called
/// from several threads, three times for every part of the grid.
struct TiledTerrain {
    Grid grid;
    std::function<Field<float>(const CellRange&)> read;
    double sea_level = -std::numeric_limits<double>::infinity();  // m, cells at or below it drain out
};

/// Where results go. All are called from several threads, for each tile once in each pass.
struct TiledResults {
    /// Keeps the directions of a tile until they are asked back.
    std::function<void(std::int64_t tile, std::vector<std::uint8_t> direction)> keep;
    std::function<std::vector<std::uint8_t>(std::int64_t tile)> kept;
    /// Drainage area, m^2, and directions (directions.hpp) of a range of cells.
    std::function<void(const CellRange&, const Field<double>& drainage_area,
                       const std::vector<std::uint8_t>& direction)>
        write;
};

struct TiledParameters {
    Depressions depressions = Depressions::Fill;
    int tile_side = 1024;  // cells, at least 3; memory grows with its square, times the threads
};

struct TiledReport {
    std::int64_t tiles = 0;
    std::int64_t pits = 0;
    std::int64_t closed_parts = 0;
    std::int64_t cells = 0;          // with data
    std::int64_t drained_cells = 0;  // sum over roots of the cells that drain through them: all
};

/// Routes water as route() does over cells' 8 neighbours and open edges, with the same directions and areas
/// bit for bit, but holds no more than a few tiles. Tiles exchange their edges only: which basin each edge
/// cell drains to, the spanning forest of the links inside, and what flows over the edge. Flats that cross
/// edges are held whole. Sources: Barnes 2016 (Computers and Geosciences 96, 56-68) for depressions, 2017
/// (Environmental Modelling and Software 92, 202-212) for accumulation; here with the spanning forest of
/// spill_tree.hpp. Beside tiles of about 40 bytes a cell it keeps about 60 bytes for every pit and 20 for
/// every edge cell. Three passes over the terrain, parallel over tiles; the same bits for any tile size and
/// number of threads; polls `progress`.
TiledReport route_in_tiles(const TiledTerrain& terrain, const TiledParameters& parameters,
                           const TiledResults& results, Progress& progress);

}  // namespace thalweg
