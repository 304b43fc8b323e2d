// What is done to a network between steps of migration.
#pragma once

#include "thalweg/meander/network/meander_state.hpp"

namespace thalweg {

/// Steps between two upkeeps at most.
inline constexpr int kStepsToUpkeep = 4;

/// Cuts off bends, lets channels that meet flow into each other, until nothing meets, and spaces points evenly.
void keep_up(MeanderState& state);

/// Spaces the points of channels that have moved or were edited evenly, and finds their mobility.
void space_evenly(MeanderState& state);

}  // namespace thalweg
