// Flats of a grid that is larger than memory.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/tiles/loaded_tile.hpp"
#include "thalweg/flow/tiles/tile_memory.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// The cells of flats (flats.hpp) of a tile that go on in a neighbour, not yet directed. O(edge cells and
/// cells found).
std::vector<FlatCell> crossing_flats(const TileMap& map, std::int64_t tile, const LoadedTile& loaded);

/// Directs the flats that cross edges, each as a whole. O(n log n) of their cells, serial.
void solve_crossing_flats(std::vector<TileMemory>& tiles, const Grid& grid, const Progress& progress);

/// Directs the flats of a tile that do not cross edges; those that do stay pits.
void direct_flats_inside(LoadedTile& loaded, const TileMap& map, std::int64_t tile,
                         const std::vector<FlatCell>& crossing, Progress& progress);

}  // namespace thalweg
