// Rivers that build deltas where they end in standing water.
#pragma once

#include "thalweg/meander/meander_state.hpp"

namespace thalweg {

/// One step of the deltas of all rivers that end in standing water: where nothing goes on from the end, and
/// the ground there is no higher than water_level (half a metre more is allowed), or there is none.
///
/// The mouth of a branch comes forward to where there is most room within 40 degrees: by delta_growth times
/// its share of the river's water a year where there is no terrain. Once a branch is as long as
/// mouth_bar_distance of its widths, a bar before its mouth parts it (Edmonds and Slingerland 2007): two
/// branches, delta_angle between them (Coffey and Shaw 2017), share its water by 30 to 70 %, the larger the
/// straighter. Widths go by the root of the share, and so lengths fall from order to order. Water shifts by
/// draws, and to the branches whose way to their mouths is the shorter; a branch that has less than
/// least_branch_share is left, with all below it. Mouths stop before other channels and before land.
///
/// On terrain they lay down what the river brings (delta_ground.hpp), each by its share of the water, as
/// ground a little above the water with a front before it, and come forward as far as that is complete for
/// some widths around them. What finds no place waits in the river's delta_load. Draws are hashes of seed,
/// branch and time.
void step_deltas(MeanderState& state);

}  // namespace thalweg
