// How high beds and floors lie.
#pragma once

#include "thalweg/erosion/floors/floor_front.hpp"

#include <vector>

namespace thalweg {

inline constexpr float kLeastWall = 0.4F;  // m/m, slope of walls in flat ground (by eye)

/// Beds, m, of rivers in their order: no higher than before, above that of their receiver, not steeper than
/// twice what they were where they are cut back, and nearly level where they cross the floor of a wider
/// river.
std::vector<float> floor_beds(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                              const FloorFront& front);

/// E of valley_floors.hpp where the front came, from the banks of the river from which it came up along its
/// way; and on banks. m per cell; kNotReached elsewhere.
std::vector<float> floor_levels(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                                const FloorFront& front, const std::vector<float>& beds);

/// Slope of a wall where the ground was `elevation`, m/m: steeper than that, by the differences that `upwind`
/// takes, so that without a floor nothing is cut. Not at the edge of the grid.
float wall_slope(const Field<float>& elevation, std::int64_t cell);

}  // namespace thalweg
