// How freely each point of a channel may migrate.
#pragma once

#include "thalweg/meander/network/meander_state.hpp"

namespace thalweg {

/// Mobility of each point of a channel, in [0, 1]: a smooth step from 0 at both ends to 1 `end_damping` widths
/// from there, times that of the ground's slope from 1 on flat ground to 0 at `critical_slope` (Paris et al.
/// 2023, eq. 6), taken over a width to each side. 0 for channels narrower than `minimum_width`, and off the
/// ground.
void find_mobility(const MeanderState& state, Channel& channel);

}  // namespace thalweg
