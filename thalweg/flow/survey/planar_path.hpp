// Rivers as lines in the plane.
#pragma once

#include "thalweg/flow/stream_tree.hpp"
#include "thalweg/flow/survey/survey.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A direction in the plane, of length 1.
struct Heading {
    double east = 0.0;
    double north = 0.0;

    [[nodiscard]] double dot(const Heading& other) const { return east * other.east + north * other.north; }
};

/// One point a cell.
struct PlanarPath {
    std::vector<double> x;  // steps, to the east
    std::vector<double> y;  // steps, to the north

    [[nodiscard]] int size() const { return static_cast<int>(x.size()); }
    [[nodiscard]] double chord(int from, int to) const;    // steps
    [[nodiscard]] double bearing(int from, int to) const;  // radians, anticlockwise from east
};

/// The centres of the cells of `river`, entries of `tree`.
PlanarPath planar_path(const Survey& survey, const StreamTree& tree, std::span<const std::int32_t> river);

/// Means along the path, weighted by a gaussian of a deviation of so many points, cut off 4 deviations away;
/// beyond its ends the path stands still. Of fewer than 3 points the same.
PlanarPath smoothed(const PlanarPath& path, double deviation);

/// Length from the first point to each, steps.
std::vector<double> way_along(const PlanarPath& path);

/// The main axis of the points, from the first to the last.
Heading main_heading(const PlanarPath& path);

}  // namespace thalweg
