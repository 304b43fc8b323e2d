// Water that flows over a grid that is larger than memory.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/tiles/tile_memory.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Finds where the water of a tile leaves it, and how much of the tile's own. direction: of its cells, by
/// which all water leaves the grid. O(cells).
void count_outflows(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                    TileMemory& memory, Progress& progress);

/// Adds up what flows from tile to tile, and tells every tile what flows in. Returns how many cells drain out
/// of the grid. O(outflows), serial. Outflows count all cells then.
std::int64_t pass_water_on(const TileMap& map, std::vector<TileMemory>& tiles);

/// Drainage area of the cells of a tile, m^2, from the whole grid; 0 without data. O(cells).
Field<double> gathered_area(const TileMap& map, std::int64_t tile, const std::vector<std::uint8_t>& direction,
                            const TileMemory& memory, Progress& progress);

}  // namespace thalweg
