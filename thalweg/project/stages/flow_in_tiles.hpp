// The stage `flow` on rasters that need not fit into memory.
#pragma once

#include "thalweg/project/stage.hpp"
#include "thalweg/project/stages/flow_stage.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// Cells along the side of a tile, in whole blocks of 256 up to 2048: the largest for which the tiles of all
/// threads take half of `memory_bytes`, but none smaller than the one that takes the least memory. The
/// smaller tiles are, the more of the `cells` lie at edges, which must be remembered.
int tile_side_for(std::int64_t memory_bytes, std::int64_t cells, int threads);

/// The layers that it can write: drainage_area and receiver.
std::vector<std::string> layers_in_tiles();

/// Routes the raster tile by tile (tiled_route.hpp). Throws Error::input where the parameters ask for what
/// tiles can't do.
Diagnostics flow_in_tiles(const FlowStageParameters& parameters, const TiledRun& files, Progress& progress);

}  // namespace thalweg
