// How far floors reach from their rivers.
#pragma once

#include "thalweg/erosion/floors/floor_rivers.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

struct FloorFront {
    // Per cell: d, m beyond the edge of the floor, below 0 within it; kNotReached where no front came.
    std::vector<float> beyond;
    std::vector<std::int32_t> river;  // per cell: from which of the rivers the front comes; -1: from none
    std::vector<std::int32_t> order;  // the cells where it came, as it came
};

/// How much of a step of the front that ends in `cell` is floor, 0 to 1: `step` long, m of d.
float floor_share_of_step(const FloorFront& front, const FloorRivers& rivers, std::int64_t cell, float step);

/// How much of a cell is floor, 0 to 1. cell_size: m.
float floor_share_of_cell(const FloorFront& front, const FloorRivers& rivers, std::int64_t cell,
                          float cell_size);

/// The front d of valley_floors.hpp, by fast marching from all rivers at once, to one cell beyond the floors.
FloorFront floor_front(const ValleyFloorInputs& inputs, const FloorRivers& rivers,
                       const ValleyFloorParameters& parameters, Progress& progress);

}  // namespace thalweg
