// Means over wide surroundings, cheaply.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// The gaussian-weighted mean around each cell, of standard deviation `share` of the field's longer side,
/// computed on a grid four times coarser and sampled back: smooth, and good to a cell of that grid. O(cells);
/// same bits on any number of threads.
Field<float> mean_around(const Field<float>& field, double share);

}  // namespace thalweg
