// Parts of lines, and lines out of which parts are taken.
#pragma once

#include "thalweg/meander/channel_line.hpp"

#include <cstddef>

namespace thalweg {

/// Calls body(column, other) for each column of two lines.
template <class Line, class Other, class Body>
void for_each_column(Line& line, Other& other, const Body& body) {
    body(line.x, other.x);
    body(line.y, other.y);
    body(line.z, other.z);
    body(line.values.width, other.values.width);
    body(line.values.depth, other.values.depth);
    body(line.values.discharge, other.values.discharge);
}

/// Points `first` to `last` of a line, both included.
ChannelLine part_of(const ChannelLine& line, std::size_t first, std::size_t last);

/// Takes the points between `first` and `last` out of a line, and softens it there.
void leave_out(ChannelLine& line, std::size_t first, std::size_t last);

/// Lets a line run straight, and its bed fall evenly, between points `first` and `last`. It keeps as many
/// points, for a cubic through two would swing out.
void straighten(ChannelLine& line, std::size_t first, std::size_t last);

/// How long segments of a line may be, as a share of the spacing that is wanted, before its points are spaced
/// evenly again: the stabilising term takes them for equal, and holds zigzags down to 0.8 of it.
inline constexpr double kShortestSegment = 0.8;
inline constexpr double kLongestSegment = 1.25;

/// Whether all segments of a line are between these shares of a spacing, m.
bool is_even(const ChannelLine& line, double spacing);

/// Smooths a line for some points around one, so that two pieces that were joined there have no kink.
void soften(ChannelLine& line, std::size_t around);

}  // namespace thalweg
