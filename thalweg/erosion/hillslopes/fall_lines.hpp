// Fall lines: the ways that water takes down slopes, and means along them.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// The mean of `field` along the fall of the ground through each cell, 300 m up and down, by a Hann window:
/// noise becomes spurs and hollows that run down the slope. The fall is that of `elevation` [m, NaN is no
/// data] smoothed by a gaussian of 60 m; lines end where there is none, on level ground and at no data.
/// `field` is on the same grid and has data everywhere. O(cells), 28 bytes a cell; same bits on any number of
/// threads; polls `progress`.
///
/// Example:
///     const Field<float> spurs = mean_along_fall(noise, elevation, progress);
Field<float> mean_along_fall(const Field<float>& field, const Field<float>& elevation, Progress& progress);

}  // namespace thalweg
