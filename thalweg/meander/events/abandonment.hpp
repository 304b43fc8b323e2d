// Courses that rivers leave, and the water that comes into these from their sides.
#pragma once

#include "thalweg/meander/network/carried_flow.hpp"
#include "thalweg/river/network_edits.hpp"

#include <cstddef>
#include <cstdint>

namespace thalweg {

/// Writes what a reach has left into the history, with the event that it was.
void leave_course(MeanderState& state, Oxbow left, MeanderEventKind cause);

/// The same of the points `first` to `last` of a channel, by its place.
void leave_course(MeanderState& state, std::size_t channel, std::size_t first, std::size_t last,
                  MeanderEventKind cause);

/// What comes into a stretch of a reach from its sides: it goes on where the stretch is left.
ReachInflow from_the_sides(const Reach& reach, const PointValues& values);

void add(ReachInflow& sum, const ReachInflow& more);

/// Lets a reach end at a node from a point of its line on, and returns what comes from the sides into the
/// stretch that it leaves.
ReachInflow redirect(MeanderState& state, const Reach& reach, std::size_t end, std::int64_t node,
                     MeanderEventKind cause);

/// Takes reaches away to which no water comes any more, from a node on to which `came` came, and down to
/// `mouth` at most, where water goes now. Returns what comes into them besides: from their sides, and from a
/// source that was at the node.
ReachInflow abandon_dry_reaches(MeanderState& state, std::int64_t node, std::int64_t mouth, ReachInflow came,
                                MeanderEventKind cause);

/// Lets more water than before come into the reach below a node, or if there is none into one above it,
/// `above` if that is still there.
void add_below(const RiverNetwork& network, std::int64_t node, std::int64_t above, const ReachInflow& more,
               ReachInflows& inflows);

}  // namespace thalweg
