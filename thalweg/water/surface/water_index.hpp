// The buffers of a compiled tree.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/water/water_surface.hpp"

namespace thalweg {

/// Where tiles lie: the tile of a coordinate [m from the origin].
std::int64_t tile_of(double coordinate, double tile_size);

/// Records, tiles and programs of `tree`.
WaterBuffers compiled(const BlendFlowTree& tree, Progress& progress);

}  // namespace thalweg
