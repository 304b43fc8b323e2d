// A field's values on another grid.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/grid/sampling.hpp"

namespace thalweg {

/// Whether two grids have the same cells in the same place, whatever coordinate system they name.
bool same_cells(const Grid& a, const Grid& b);

/// `field` on `grid`, by position in metres (coordinate systems are not looked at):
///
///   same cells             the same values
///   larger cells           the mean over each cell, by exact overlap of areas
///   smaller or same size   the sample at each centre (sampling.hpp)
///
/// No-data cells do not count in a mean, nor does the part of a cell outside the field. A cell wholly outside
/// has the value of the nearest edge; a cell over no data alone has no data. Means conserve the sum of value
/// x area where the grids cover each other. O(cells of both); same bits on any number of threads. Needs a
/// non-empty field and a valid grid.
///
/// Example:
///     const Grid finer = make_grid(25600.0, 25600.0, 1024);
///     const Field<float> fine = resample(elevation, finer, Interpolation::Bicubic);
Field<float> resample(const Field<float>& field, const Grid& grid,
                      Interpolation interpolation = Interpolation::Bilinear);

/// The value of the cell in which each centre of `grid` lies, or of the nearest one; of two that meet there,
/// of the eastern and southern one. For numbers of things, between which nothing lies. O(cells of `grid`).
Field<float> resample_nearest(const Field<float>& field, const Grid& grid);

/// `field` on `field.grid().coarser()`: the mean of each 2 x 2 cells, without those that are no data or
/// beyond an odd edge. The same as `resample` onto that grid up to rounding, and faster. O(cells).
Field<float> half_coarsen(const Field<float>& field);

}  // namespace thalweg
