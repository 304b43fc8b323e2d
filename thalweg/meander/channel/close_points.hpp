// Points of channels that have come within a channel's width of each other.
#pragma once

#include "thalweg/meander/channel_line.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// A point of one of several lines.
struct LinePlace {
    std::int32_t line = 0;
    std::int32_t point = 0;

    auto operator<=>(const LinePlace&) const = default;
};

/// Two points whose distance is at most the mean of their widths, or of the distances of points on their
/// lines where these are more. `first` comes before `second`.
struct ClosePair {
    LinePlace first;
    LinePlace second;
    double closeness = 0.0;  // distance over that mean, at most 1
};

/// Of a line's points, m.
float greatest_width(const ChannelLine& line);

/// How many points two of one line must be apart, along it, to be a pair: ceil(3.2 w / ds) + 2, for a bend
/// that is as tight as a channel's can be is no pair. `spacing` is the distance of points, m.
std::int32_t least_points_between(double width, double spacing);

/// All pairs of points of different lines, and of points of one line that are at least least_points_between
/// apart, in ascending order. Lines are about even (resampled). Boxes around eight points each are compared
/// with those that follow them on their lines, and with others in a grid of cells some boxes wide. O(points +
/// pairs), for lines that are not all in one place; same bits on any number of threads.
std::vector<ClosePair> close_pairs(std::span<const ChannelLine* const> lines);

}  // namespace thalweg
