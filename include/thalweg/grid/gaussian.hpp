// Smoothing by a gaussian of a width in metres.
#pragma once

#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// The gaussian-weighted mean of `field` around each cell of `range`, as a field over that range:
///
///   mean(p) = sum over cells q of field(q) g(p - q) / sum of g(p - q)
///
/// where g is the share of a gaussian of standard deviation `width` [m, greater than 0] that falls on cell q,
/// cut off 4 `width` away along each axis. No-data cells and what lies beyond the edge do not count; a cell
/// out of reach of any data has no data. `range` lies within the grid. O(cells x width / cell_size); same
/// bits on any number of threads.
///
/// Example:
///     const CellRange all = {.end_column = elevation.columns(), .end_row = elevation.rows()};
///     const Field<float> smooth = gaussian_mean(elevation, 150.0, all);
Field<float> gaussian_mean(const Field<float>& field, double width, const CellRange& range);

}  // namespace thalweg
