// Shores of filled depressions on a grid that is larger than memory.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/tiles/tile_memory.hpp"
#include "thalweg/flow/tiles/tiled_basins.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// The surface of the water in filled depressions of a tile and of the cells next to it, m. elevation: m, of
/// map.around(tile, 1); direction: of the tile's cells, before breach paths are turned. O(cells).
Field<float> filled_surface(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                            const std::vector<std::uint8_t>& direction, const TiledBasins& basins,
                            const std::vector<TileMemory>& tiles, Progress& progress);

/// Lets dry cells of a tile that drained into what is water now drain down the surface (shore.hpp).
void drain_beside_water(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                        const Field<float>& surface, std::vector<std::uint8_t>& direction);

}  // namespace thalweg
