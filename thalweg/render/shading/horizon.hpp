// The horizon: how high the terrain stands around every cell.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <functional>
#include <vector>

namespace thalweg {

/// Tangent of the horizon's altitude towards `azimuth` [degrees clockwise from north], for every cell: the
/// steepest rise, (z_q - z_p) / |q - p|, to any cell q on the straight line from p in that direction, at
/// least 0. `exaggeration` multiplies elevations.
///   Source: the convex hull sweep of Timonen and Westerholm (2010), "Scalable height field self-shadowing",
///   sec. 3; differs in: lines are sheared along the grid's nearer axis, with linear interpolation across.
/// elevation [m]; no-data cells cast nothing and get no data; beyond the edge lies nothing. O(cells) in time,
/// 8 to 16 bytes a cell; same bits on any number of threads.
Field<float> horizon_tangent(const Field<float>& elevation, double azimuth, double exaggeration = 1.0);

/// Calls `use(azimuth, tangent)` for each of `azimuths` [degrees], in order; cheaper than as many calls of
/// horizon_tangent. Polls `progress` once per azimuth.
void sweep_horizons(const Field<float>& elevation, const std::vector<double>& azimuths, double exaggeration,
                    const std::function<void(double azimuth, const Field<float>& tangent)>& use,
                    const Progress& progress);

}  // namespace thalweg
