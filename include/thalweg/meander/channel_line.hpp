// ChannelLine: the centreline of one channel, in columns.
#pragma once

#include "thalweg/river/network.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace thalweg {

/// A channel's centreline, downstream, as columns of as many values as it has points: what engines that move
/// lines thousands of times work on, where a Reach (river/network.hpp) holds the same point by point.
struct ChannelLine {
    std::vector<double> x = {};  // m
    std::vector<double> y = {};  // m
    std::vector<double> z = {};  // m, of the bed
    PointValues values = {};     // all three columns are there; width and depth are greater than 0

    bool operator==(const ChannelLine&) const = default;
    [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// A line with the same width (m), depth (m) and mean discharge (m^3/s) at all of its points.
///
/// Example:
///     const std::vector<RiverPoint> points = {{0.0, 0.0, 9.0}, {500.0, 40.0, 8.0}, {1000.0, 0.0, 7.0}};
///     const ChannelLine line = channel_line(points, 100.0, 3.3, 80.0);
ChannelLine channel_line(std::span<const RiverPoint> points, double width, double depth, double discharge);

/// The points of a line.
std::vector<RiverPoint> points_of(const ChannelLine& line);

/// Length along the line, m. O(points).
double length_of(const ChannelLine& line);

/// Length along the line over the distance between its ends, at least 1; 1 where the ends meet. O(points).
double sinuosity_of(const ChannelLine& line);

/// `line` in even steps: round(length / spacing) of them, at least two, on the cubic through its points whose
/// tangent at a point is that of the parabola through it and its neighbours, in the lengths between them
/// (Catmull-Rom on chord lengths). `spacing` is in m and greater than 0. Ends stay to the bit; bed and values
/// are linear between the old points, so that what never falls or rises along the line never does
/// afterwards. Points that follow each other at one place must not be. O(points before and after).
///
/// Example:
///     const ChannelLine even = resampled(line, 25.0);
ChannelLine resampled(const ChannelLine& line, double spacing);

/// Even steps that suit a channel `width` m wide: half of it, at most 50 m (Paris et al. 2023, table 1, allow
/// 50 m for all; a bend of a stream 20 m wide has fewer than four such steps).
double channel_spacing(double width);

}  // namespace thalweg
