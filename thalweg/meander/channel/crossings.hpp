// Where channels cross themselves or each other.
#pragma once

#include "thalweg/meander/channel/close_points.hpp"

#include <span>
#include <vector>

namespace thalweg {

/// The segments of lines, each known by the point where it begins, that cross another one or touch it, in
/// ascending order. Segments that follow each other are none, nor are those whose ends are one point, as at
/// nodes. O(points + crossings), as close_pairs.
struct Crossing {
    LinePlace first;
    LinePlace second;
};
std::vector<Crossing> crossings_of(std::span<const ChannelLine* const> lines);

}  // namespace thalweg
