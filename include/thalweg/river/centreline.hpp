// The line of a reach as a piecewise cubic.
#pragma once

#include "thalweg/river/network.hpp"

#include <optional>
#include <span>
#include <vector>

namespace thalweg {

/// The places that a reach's line passes, and those next to them on the river that runs through its ends.
struct ReachCourse {
    std::span<const RiverPoint> points;     // downstream, at least two; z never rises
    std::optional<RiverPoint> before = {};  // of the larger river above; none at a source
    std::optional<RiverPoint> after = {};   // none at an outlet, nor where the reach joins a larger river
};

/// Points on a curve through those of `course`, in equal steps of about `spacing` (m, greater than 0) along
/// it; the first and the last are those of the course, to the bit.
///
/// Between two points p_i and p_(i+1) the curve is the cubic in u that has both places and the tangents
///
///   m_i = (h_i d_(i-1) + h_(i-1) d_i) / (h_(i-1) + h_i),   d_i = (p_(i+1) - p_i) / h_i,
///   h_i = sqrt |p_(i+1) - p_i| seen from above,
///
/// centripetal Catmull-Rom (Catmull and Rom 1974; Barry and Goldman 1988): place and direction change without
/// a jump, and no piece has a cusp or meets itself (Yuksel, Schaefer and Keyser 2011). At an end without a
/// point beyond, the tangent is that of the parabola through the last three. Tangents of z are the weighted
/// harmonic mean of Fritsch and Butland (1984), so that it never rises; their first and last are limited as
/// Fritsch and Carlson (1980) ask. Two reaches that follow each other have one tangent where they meet, if
/// each is given the other's next point. Points that follow each other at one place count once.
/// O(points + length / spacing).
///
/// Example:
///     const std::vector<RiverPoint> points = {{0.0, 0.0, 50.0}, {100.0, 40.0, 48.0}, {220.0, 20.0, 47.0}};
///     const std::vector<RiverPoint> line = centreline({.points = points}, 10.0);
std::vector<RiverPoint> centreline(const ReachCourse& course, double spacing);

}  // namespace thalweg
