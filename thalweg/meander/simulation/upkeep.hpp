// What is done to a network between steps of migration.
#pragma once

#include "thalweg/meander/network/channels.hpp"

namespace thalweg {

/// How many steps of migration may lie between two upkeeps, 1 to 4: so many that no bend as sharp as most
/// moves the narrowest channel by kLongestDisplacement.
int steps_between_upkeeps(const MeanderState& state);

/// Spaces points evenly, cuts off bends and lets channels that meet flow into each other, until nothing
/// meets.
void keep_up(MeanderState& state);

/// Spaces the points of a channel evenly, takes out loops that it makes with itself within a few points, and
/// finds its mobility.
void space_evenly(const MeanderState& state, MeanderChannel& channel);

/// The same for all channels that have moved or were edited.
void space_evenly(MeanderState& state);

}  // namespace thalweg
