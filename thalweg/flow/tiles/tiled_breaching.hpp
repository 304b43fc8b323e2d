// Breach paths on a grid that is larger than memory.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/tiles/tile_memory.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Finds where the water of a tile leaves it once breach paths are turned, and how deep those ways are cut
/// there by the tile's own pits. direction: of its cells, all breach paths turned. O(cells).
void find_breach_path_ends(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                           TileMemory& memory, Progress& progress);

/// Tells every tile how deep ways from other tiles' pits are cut where they enter. O(ends), serial. What was
/// remembered of the ends is forgotten.
void pass_cuts_on(const TileMap& map, std::vector<TileMemory>& tiles);

/// Carves all breach paths through a tile, and remembers its edges. elevation: m, of its cells, is carved.
/// Returns the cells that were cut. O(cells).
std::vector<Cut> carve_tile(const TileMap& map, std::int64_t tile, Field<float>& elevation,
                            const std::vector<std::uint8_t>& direction, TileMemory& memory);

/// Lets the cells of a tile drain over the carved ground (breach_paths.hpp). elevation: m, of
/// map.around(tile, 1), not carved; cuts: of the tile; direction: of its cells, all breach paths turned,
/// changes. O(cells).
void drain_over_carved(const TileMap& map, std::int64_t tile, const Field<float>& elevation,
                       const std::vector<Cut>& cuts, const std::vector<TileMemory>& tiles,
                       std::vector<std::uint8_t>& direction);

}  // namespace thalweg
