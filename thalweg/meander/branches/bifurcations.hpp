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
/// for each width of the axis. A new branch takes a quarter to a half of the water of another one, and comes
/// to it again, in a bow around a bar, or to another one, 4 to 10 widths of that further down: a confluence
/// is four to five widths of the channel there from the next bifurcation (Hundey and Ashmore 2009). It runs
/// within the braid's plain, and comes within a width of no channel on its way. Draws are hashes of seed,
/// reach, step and place.
void part_branches(MeanderState& state, std::size_t place, double channels, double years);

}  // namespace thalweg
