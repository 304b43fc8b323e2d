// Courses that channels take at once, between two points of theirs.
#pragma once

#include "thalweg/meander/meander_state.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// Two points of a channel, by its place, between which it takes another course.
struct Stretch {
    std::size_t channel = 0;
    std::size_t first = 0;
    std::size_t last = 0;
};

/// Places between two points of a line, about `spacing` m apart, on the cubic that leaves the first and comes
/// to the last in the line's direction there; its tangents are `swing` times as long as their distance.
std::vector<RiverPoint> cubic_between(const ChannelLine& line, std::size_t first, std::size_t last,
                                      double swing, double spacing);

/// Lets a channel run over places from one end of a stretch to the other; its bed falls evenly there, and
/// its values are linear, and the ground is cut to its banks (network/bank_cuts.hpp). What it leaves is an
/// abandoned course, and an event. Nothing happens, and false is
/// returned, where the new bed would lie more than `depth` m below the ground, less the channel's depth, or
/// the course would come within a width of a channel or cross one, itself too.
bool take_course(MeanderState& state, const Stretch& stretch, const std::vector<RiverPoint>& places,
                 double depth, MeanderEventKind kind);

}  // namespace thalweg
