// Smoothing of long profiles that never lets water climb.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/stream_tree.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// The values nearest to `values` in least squares that never fall from the first to the last and are nowhere
/// below `least`: pool adjacent violators (Barlow et al. 1972). O(values).
std::vector<double> isotonic(std::span<const double> values, double least);

/// The profile z(x) that is smooth and never falls upstream: the least of
///
///   sum over cells of (z - elevation)^2 + L^4 sum over inner cells of (z'')^2,   z rising with distance
///
/// with L = `length` (m), which takes out waves shorter than about 2 pi L; 0 leaves the nearest profile that
/// never rises downstream. The first value is kept as `elevation` has it. distance: m, rising, of equally
/// many points. Source: constrained regularized smoothing, Schwanghart and Scherler 2017 (Earth Surface
/// Dynamics 5, 821-839), sec. 3.3, with tau = 0.5; differs in: one stream after the other, by alternating
/// directions (Boyd et al. 2011, sec. 5.2) to a millimetre, and lengths in metres. It never rises downstream,
/// exactly. O(points) a step, some hundreds of steps; polls `progress`.
///
/// Example:
///     const std::vector<double> distance = {0.0, 30.0, 60.0, 90.0};  // m
///     const std::vector<double> bed = {100.0, 101.2, 100.9, 102.0};  // m
///     const std::vector<double> smooth = smooth_profile(distance, bed, 50.0, progress);
std::vector<double> smooth_profile(std::span<const double> distance, std::span<const double> elevation,
                                   double length, const Progress& progress);

/// Elevation of every entry, smoothed stream by stream, larger ones first, each from the bed of the stream
/// that it flows into up to its source. `elevation`: m, per entry, may rise downstream. Outlets are kept.
/// Cost as smooth_profile, stream by stream; polls `progress`.
std::vector<double> smooth_profiles(const StreamTree& streams, std::span<const double> elevation,
                                    double length, const Progress& progress);

}  // namespace thalweg
