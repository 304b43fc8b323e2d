// What edits of channels have in common.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/meander/network/node_edits.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace thalweg {

/// Place of the channel with a reach's id. Throws Error::input where there is none.
std::size_t place_of_channel(const MeanderState& state, std::int64_t reach);

/// The point of a line that is nearest to a place, and how far away that is, m.
struct NearestPoint {
    std::size_t point = 0;
    double distance = 0.0;  // m
};
NearestPoint nearest_point(const ChannelLine& line, Position place);

/// The channel that comes nearest to a place, and where. Throws Error::input where there is none.
struct NearestChannel {
    ChannelPoint at;
    double distance = std::numeric_limits<double>::infinity();  // m
};
NearestChannel nearest_channel(const MeanderState& state, Position place);

/// Throws Error::input unless a place is finite. `what` begins the sentence.
void check_place(Position place, const char* what);

/// After an edit of lines or reaches: beds fall, points are even, what meets is joined. Throws Error::input
/// where channels still cross then.
void settle(MeanderState& state);

}  // namespace thalweg
