// Channels that cross where they come to a node of theirs.
#pragma once

#include "thalweg/meander/meander_state.hpp"

namespace thalweg {

/// Lets channels that cross each other near a common node, where no meeting is a capture
/// (events/captures.hpp), run straight to that from before they cross. Returns whether any did: their points
/// are to be spaced anew. O(channels log channels), and of pairs of segments near each node.
bool uncross_at_nodes(MeanderState& state);

}  // namespace thalweg
