// Values of a field between its cell centres.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// How values between cell centres are found.
enum class Interpolation { Bilinear, Bicubic };

/// Bilinear interpolation of the four cell centres around `position` [m]: exact for a + bx + cy + dxy,
/// continuous, error O(cell_size^2). A no-data neighbour is left out and the other weights are scaled to sum
/// to 1; the result is no data where all neighbours of non-zero weight are. Beyond the outermost centres, the
/// value of the nearest point on them. Needs a non-empty field and a position that is not NaN. O(1).
///
/// Example:
///     const float height = sample_bilinear(elevation, {.x = 1234.5, .y = 678.9});  // m
float sample_bilinear(const Field<float>& field, Position position);

/// Cubic convolution of the 4 x 4 cell centres around `position` [m] with the Catmull-Rom kernel (Keys 1981,
/// eq. 15, a = -1/2): exact for quadratics, continuous slope, error O(cell_size^3); may overshoot its
/// neighbours. Cells beyond the edge have the value of the nearest one. Differs in: where any of the 16 is no
/// data, the bilinear sample, since scaling the kernel's negative weights is unstable. O(1).
float sample_bicubic(const Field<float>& field, Position position);

/// The sample by `interpolation`, as above. O(1).
float sample(const Field<float>& field, Position position, Interpolation interpolation);

}  // namespace thalweg
