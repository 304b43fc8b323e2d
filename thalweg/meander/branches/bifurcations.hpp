// Branches that part from others.
#pragma once

#include "thalweg/meander/meander_state.hpp"

#include <cstddef>

namespace thalweg {

/// Lets branches of the braid at a place part where fewer run side by side than `channels`, with the
/// probability
///
///   P = 1 - exp(-bifurcation_rate missing length years)
///
/// for each width of the axis. A new branch leaves another one at 20 to 45 degrees, takes a quarter to a half
/// of its water, and comes to it again, or to another one, 6 to 14 of its widths further down: a confluence
/// is four to five widths of the channel there from the next bifurcation (Hundey and Ashmore 2009). It runs
/// within the braid's plain, and comes within a width of no channel on its way. Draws are hashes of seed,
/// reach, step and place.
void part_branches(MeanderState& state, std::size_t place, double channels, double years);

}  // namespace thalweg
