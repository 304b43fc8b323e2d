// How freely each point of a channel may migrate.
#pragma once

#include "thalweg/meander/network/channels.hpp"

namespace thalweg {

/// Where channels rest: `end_damping` widths of the widest channel at each of their nodes.
void find_rests(MeanderState& state);

/// Mobility of each point of a channel, in [0, 1]: 0 in the nearer half of where it rests at its ends, from
/// there a smooth step to 1, times that of the ground's slope from 1 on flat ground to 0 at `critical_slope`
/// (Paris et al. 2023, eq. 6), taken over a width to each side. 0 for channels narrower than `minimum_width`,
/// and off the ground. Then what strokes of control do (controls.hpp), pulls too, and the channel's rate
/// factor.
void find_mobility(const MeanderState& state, MeanderChannel& channel);

}  // namespace thalweg
