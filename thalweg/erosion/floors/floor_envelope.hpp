// The surface of floors and the walls beside them.
#pragma once

#include "thalweg/erosion/floors/floor_front.hpp"

#include <vector>

namespace thalweg {

/// The lower of the terrain and the surface E of valley_floors.hpp, which rises as a wall from `levels`
/// (floor_levels, m) where that is lower. Beds lie as `beds` says, and where the ground beside one was cut
/// deeper, below that as far as the receiver lets it.
Field<float> floor_envelope(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                            std::vector<float> levels, const std::vector<float>& beds, Progress& progress);

}  // namespace thalweg
