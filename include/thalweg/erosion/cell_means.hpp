// Elevation as surveys give it: the mean of the ground in each cell, not its height at the centre.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// Means over cells of the ground that is linear between their centres.
///
///   z' = z + share (m - z)
///
///   m   mean of the 3 x 3 cells around, with weights 1/8, 3/4, 1/8 along rows and columns: along each, a
///       half of the cell reaches a quarter of the way to either neighbour, in the mean
///
/// Crests that are a cell wide become as round as in surveys; planes stay as they are.
///
/// elevation: m, NaN is no data. held: same grid, 1 for channels and where water leaves (narrow_beds.hpp
/// tells of those). These, the edge of the grid and cells beside one without data keep their elevation.
/// share: 0 to 1. O(cells), 4 bytes a cell; same bits on any number of threads; polls `progress`.
///
/// Example:
///     const Field<std::uint8_t> none(elevation.grid());  // held
///     const Field<float> means = cell_means(elevation, none, 1.0, progress);
Field<float> cell_means(const Field<float>& elevation, const Field<std::uint8_t>& held, double share,
                        Progress& progress);

}  // namespace thalweg
