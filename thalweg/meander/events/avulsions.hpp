// Banks that burst, and rivers that take a new course.
#pragma once

#include "thalweg/meander/meander_state.hpp"

#include <cstddef>

namespace thalweg {

/// Lets banks burst at sharp bends, w |kappa| >= crevasse_curvature, with the probability
///
///   P = 1 - exp(-rate ds years)
///
/// at each point, `rate` per km and year, and lets the river avulse at a share of them (avulse), at a share
/// of which again it leaves for another one (avulse_to), once in an update of the network at most. Source:
/// Paris et al. 2023, section 5.2. Differs in: a rate, where theirs is a probability at each point and step,
/// and a threshold of w |kappa|, where theirs has no unit. Draws are hashes of seed, reach, step and point.
/// Returns whether a channel has a new course.
bool burst_banks(MeanderState& state, double years);

/// Lets a channel run from its point `first` to `last` on a new course: a walk of even steps, that begins to
/// the outer side of the bend, up to avulsion_angle from its direction, and turns to its end by the share
///
///   t = max(1 - r / r0, min(1, walked / (2 r0)))
///
/// r from there to the end, r0 at the start. What it leaves is an abandoned course. Nothing happens, and
/// false is returned, where the walk would come within a width of another channel, of the channel itself
/// upstream or of its source or end, where the end is not reached, or where the new bed, even from end to
/// end, would lie more than avulsion_depth below the ground, less the channel's depth. A course that comes to
/// the channel further down ends there. Source: Paris et al. 2023, section 5.2, figure 19. Differs in: their
/// share is printed the other way round.
bool avulse(MeanderState& state, std::size_t channel, std::size_t first, std::size_t last);

}  // namespace thalweg
