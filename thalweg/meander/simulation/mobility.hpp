// How freely each point of a channel may migrate.
#pragma once

#include "thalweg/meander/network/channels.hpp"

namespace thalweg {

/// Where channels rest: `end_damping` widths of the widest channel at each of their nodes.
void find_rests(MeanderState& state);

/// Mobility of each point of a channel, in [0, 1]: 0 in the nearer half of where it rests at its ends, from
/// there a smooth step to 1, times
///   - that of the slope, from 1 on flat ground to 0 at `critical_slope` (Paris et al. 2023, eq. 6): of the
///     channel, and of the ground behind the banks, half a cell further, on the side where it is the less
///     steep;
///   - d / (d + H / wall_erodibility), with d the depth and H the height of the ground behind the bank, on
///     the side to which the channel migrates: what a bank gives way by is as much less as there is
///     more to be carried away (Hancock and Anderson 2002; Limaye and Lamb 2014); wall_erodibility times
///     rock_erodibility there, where that is known.
/// Plants on the bank slow it besides (bank_vegetation.hpp). 0 for axes of braids, channels narrower than
/// `minimum_width`, and off the ground. Differs in: the paper's slope is the ground's at the channel, which
/// stops bends where a valley's wall begins. Then what strokes of control do (controls.hpp), pulls too, and
/// the channel's rate factor.
void find_mobility(const MeanderState& state, MeanderChannel& channel);

/// Lowers the ground under channels to their banks, where it is higher: walls that they have cut back.
void cut_walls(MeanderState& state);

}  // namespace thalweg
