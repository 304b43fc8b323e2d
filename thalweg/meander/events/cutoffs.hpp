// Bends that meet themselves.
#pragma once

#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/network/channels.hpp"

#include <span>

namespace thalweg {

/// Lets channels run straight from one point to another where two points of one line are a pair, the closest
/// ones first, and of those that overlap the first alone. What lies between them is an abandoned course, and
/// an event. Returns how many.
int cut_off_bends(MeanderState& state, std::span<const ClosePair> pairs);

}  // namespace thalweg
