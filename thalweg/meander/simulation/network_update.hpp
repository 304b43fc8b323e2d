// What is done to a network between steps of migration.
#pragma once

#include "thalweg/meander/network/channels.hpp"

namespace thalweg {

/// How far a point may go in the next step, widths: so far that as many steps as possible, 1 to 4, lie
/// between two updates, but no bend in its prime is held back. What goes faster are kinks that cutoffs have
/// left.
double displacement_limit(const MeanderState& state);

/// Whether an update of the network must come before the next step: after eight, or as a point may go further
/// in it than it may between two (kLongestDisplacement): it does if it goes as far as the furthest in the
/// last one did, in widths.
bool needs_update(const MeanderState& state, double last_displacement);

/// Spaces points evenly where they are not (is_even), cuts off bends and lets channels that meet flow into
/// each other, until nothing meets.
void update_network(MeanderState& state);

/// Spaces the points of a channel evenly, takes out loops that it makes with itself within a few points, and
/// finds its mobility.
void space_evenly(const MeanderState& state, MeanderChannel& channel);

/// The same for all channels that were edited, or have moved and are not even any more (is_even).
void space_evenly(MeanderState& state);

}  // namespace thalweg
