// Braids under way.
#pragma once

#include "thalweg/meander/meander_state.hpp"

namespace thalweg {

/// Lets reaches that shall braid (braid_criterion.hpp) begin as one branch along their line, which is their
/// axis from then on, and others that do so by now run along that again.
void begin_braids(MeanderState& state);

/// One step of all braids. Branches migrate as channels of their own width do (migration.hpp), each together
/// with that which brings it most water and that which takes most of it, so that nodes move with them; the
/// others follow the nodes at their ends. Outside of the plain of `braid_plain` widths they are led back.
/// Shares of water wander at bifurcations, to the shorter way more; then branches meet (branch_meetings.hpp),
/// those of too little water are left, and others part (bifurcations.hpp). No branch crosses another, or any
/// channel, after that: one that would is left, and where that leaves no way, the whole braid begins again
/// along its axis.
void step_braids(MeanderState& state);

}  // namespace thalweg
