// Freeman's weights of lower neighbours, over rows of cells, in vectors.
#pragma once

#include <cstdint>

namespace thalweg {

/// One row, by pointers to its first cell. In each row of elevations one value before that, and kWidestVector
/// behind the last one, can be read, as many behind the last receivers.
struct FreemanRow {
    const float* above;             // m, the row to the north
    const float* here;              // m
    const float* below;             // m
    const std::uint8_t* receivers;  // bit d is set for neighbours that take water
    std::int64_t count;             // cells
    float exponent;                 // p
};

/// weight[8 cell + d] = (slope to d / steepest slope)^p for receivers, 0 for other neighbours; 1 for
/// receivers that are not lower. With vectors of 4, 8 or 16; the same for each.
template <int Lanes>
void freeman_weights_in_lanes(const FreemanRow& row, float* weight);

}  // namespace thalweg
