// Where channels cross themselves or each other.
#pragma once

#include "thalweg/meander/channel/close_points.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// Two segments that cross, each known by the point where it begins.
struct LineCrossing {
    LinePlace first;
    LinePlace second;
};

/// Whether the segments that begin at point i of line a and at point j of line b cross or touch, and not only
/// at a point that is an end of both. Neither is the last point.
bool segments_cross(const ChannelLine& a, std::size_t i, const ChannelLine& b, std::size_t j);

/// Whether a segment that begins or ends at point i of line a crosses one that does at point j of line b.
bool cross_beside(const ChannelLine& a, std::int32_t i, const ChannelLine& b, std::int32_t j);

/// All pairs of segments of lines that cross or touch, in ascending order. Segments that follow each other
/// are none, nor are those whose ends are one point, as at nodes. O(points + crossings), as close_pairs.
std::vector<LineCrossing> crossings_of(std::span<const ChannelLine* const> lines);

}  // namespace thalweg
