// Curvature and normals of a line of points.
#pragma once

#include <cstddef>
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

    /// The same in parts: segments and length first, then curvature and normals of points `first` to `end`.
    void measure_segments(const std::vector<double>& x, const std::vector<double>& y);
    void measure_bends(const std::vector<double>& x, const std::vector<double>& y, std::size_t first,
                       std::size_t end);
};

}  // namespace thalweg
