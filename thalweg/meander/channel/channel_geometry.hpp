// Curvature and normals of a line of points.
#pragma once

#include "thalweg/meander/channel/line_columns.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// What a line's shape says at each point, and of the segment that follows it.
struct ChannelGeometry {
    std::vector<float> segment;    // m, to the next point; of the last point 0
    std::vector<float> curvature;  // 1/m, of the circle through a point and its neighbours; left is positive
    std::vector<float> normal_x;   // unit vector to the right, across the chord of both neighbours
    std::vector<float> normal_y;
    double length = 0.0;  // m

    /// Of at least two points, none at the place of the one before it. Curvature of the ends is 0.
    void measure(const std::vector<double>& x, const std::vector<double>& y);
};

/// Curvature and normals of `points` points from the segments, of which the first is the head of its line or
/// not, and the last its end: columns go on to a neighbour beyond them where they are not.
void measure_bends(const LineColumns& line, std::int64_t points, bool is_head, bool is_end);

}  // namespace thalweg
