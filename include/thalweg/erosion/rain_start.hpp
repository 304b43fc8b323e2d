// Terrain that rain begins with.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// A plane that falls by `tilt` units from row to row, from the north to 0 in the south row.
/// O(cells).
Field<float> tilted_plane(const Grid& grid, double tilt);

/// A cone that falls by `tilt` units a cell in all directions from the middle of the grid, to 0 at the middle
/// of the nearest edge; below that, beyond. O(cells).
///
/// Example:
///     const Field<float> peak = central_peak(make_grid(128.0, 128.0, 128), 100.0);
Field<float> central_peak(const Grid& grid, double tilt);

}  // namespace thalweg
