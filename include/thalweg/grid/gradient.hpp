// How a field rises towards the east and the north.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Rise of a field per metre, [unit of the field / m].
struct Gradient {
    Field<float> east;
    Field<float> north;
};

/// Central differences: exact for quadratics, error O(cell_size^2). Beside an edge or a no-data cell the
/// difference to the one neighbour that is there, error O(cell_size); 0 along an axis without any neighbour;
/// no data where the cell itself has none. O(cells); same bits on any number of threads.
///
/// Example:
///     const auto [east, north] = gradient(elevation);
///     const float slope = std::hypot(east[0], north[0]);  // m/m
Gradient gradient(const Field<float>& field);

}  // namespace thalweg
