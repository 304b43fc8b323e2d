// The stage `flow` on rasters that need not fit into memory.
#pragma once

#include "thalweg/project/stage.hpp"
#include "thalweg/project/stages/flow_stage.hpp"

namespace thalweg {

/// The layers that it can write: drainage_area and receiver.
std::vector<std::string> layers_in_tiles();

/// Routes the raster tile by tile (tiled_route.hpp). Throws Error::input where the parameters ask for what
/// tiles can't do.
Diagnostics flow_in_tiles(const FlowStageParameters& parameters, const TiledRun& files, Progress& progress);

}  // namespace thalweg
