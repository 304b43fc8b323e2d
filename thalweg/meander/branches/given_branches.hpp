// Braids and deltas that a network brings with it.
#pragma once

#include "thalweg/meander/meander_state.hpp"
#include "thalweg/river/network.hpp"

#include <vector>

namespace thalweg {

/// Gives the channels of a state the branches of a network, so that braids and deltas go on from there. Ends
/// that are within a millimetre lie at one node: water that begins where a reach ends is its delta, all else
/// its braid. Throws Error::input for a branch of no reach, one to which no water comes, and one that comes
/// round to itself.
void take_branches(MeanderState& state, const std::vector<NetworkBranch>& branches);

}  // namespace thalweg
