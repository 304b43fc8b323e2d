// How high each cell stands among those around it.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Least of a window's radius, cells: fewer are too few to be high or low among.
inline constexpr double kLeastWindow = 1.5;

/// Deviation from mean elevation (Gallant and Wilson 2000, Primary topographic attributes, in Terrain
/// Analysis; De Reu et al. 2013, Geomorphology 186, 39-49):
///
///   (z - mean) / sqrt(variance + (0.01 r)^2)
///
/// with mean and variance over a disc of radius r around the cell, in which cells on its rim count by their
/// share. The crest of a roof has 1.6, the bottom of a gutter -1.6, whatever their slope; an even slope has
/// 0. Differs in: the second term under the root, so that ground flatter than 1 m in 100 m has neither crests
/// nor gutters; and at the grid's edge the disc is cut off on the opposite side too, so that slopes stay even
/// there.
///
/// elevation: m; no data does not count, and has none. radius: m, above 0; at least kLeastWindow cells are
/// taken. The same radius at another cell size gives the same landforms. O(cells x radius / cell_size); 20
/// bytes a cell; the same bits on any number of threads. Polls `progress`.
///
/// Example:
///     Field<float> ridges = deviation_from_mean(elevation, 500.0, progress);
///     ridge_share(ridges);
Field<float> deviation_from_mean(const Field<float>& elevation, double radius, const Progress& progress);

/// From the deviation d of deviation_from_mean, in place: how much a cell is part of a ridge, 0 to 1. It is
/// d - 0.5 within these bounds, so that 0.5 is where Weiss (2001) and De Reu et al. (2013) draw the line
/// between upper slope and ridge, d = 1. Of a valley the same of -d. O(cells).
void ridge_share(Field<float>& deviation);
void valley_share(Field<float>& deviation);

}  // namespace thalweg
