// Floors that a terrain has already.
#pragma once

#include "thalweg/erosion/floors/floor_rivers.hpp"

namespace thalweg {

struct PresentFloors {
    Field<float> share;        // of the cell that is floor, 0 to 1
    std::vector<float> width;  // m, of each river, in their order: the mean along about 2 km up and down
};

/// Ground that rises gently from the river that its water reaches first, and lies little above it.
PresentFloors present_floors(const ValleyFloorInputs& inputs, const FloorRivers& rivers);

/// Narrows the floors that the law asks for by those that are there, and lets them widen downstream little by
/// little.
void count_present(const PresentFloors& present, FloorRivers& rivers);

}  // namespace thalweg
