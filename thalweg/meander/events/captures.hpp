// Channels that meet other channels.
#pragma once

#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/network/channels.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>

namespace thalweg {

/// How often channels were captured since the last steps of migration, by their reaches' ids.
using CaptureCounts = std::unordered_map<std::int64_t, int>;

/// Lets one of two channels end where they meet and flow into the other (Paris et al. 2023, section 6.2): the
/// one whose water comes to the other further down, or else the one of less discharge at that place. The
/// first pair alone is dealt with, of the pairs that are no part of a junction: of two channels that have a
/// node in common, points that are both within `kJunctionShare` of where they rest there (Channel), along
/// their lines, are one; so is the straight end of a channel at the node where it would be led. A channel
/// that was captured four times already, as one between two wide ones may be in turn, waits. What the channel
/// has left is an abandoned course, and so is a river below that no water comes to any more. Discharge,
/// upland area, width and depth below are made anew (carry_flow). Returns whether there was a pair.
bool capture_channel(MeanderState& state, std::span<const ClosePair> pairs, CaptureCounts& counts);

}  // namespace thalweg
