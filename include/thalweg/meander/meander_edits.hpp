// What users do to rivers while they wander.
//
// Each edit leaves a network as MeanderSimulation keeps it: channels that now meet flow into each other,
// bends that meet themselves are cut off, points are spaced evenly, beds fall, nothing crosses. Discharge is
// carried on: it changes only below where a channel is added or taken away, widths by its root as after a
// capture. Reaches are named by their ids, which they keep (river/network_edits.hpp). Each throws
// Error::input with one sentence where there is no such reach, a place is none, or the edit is not possible;
// the state is then of no use, so that edits are made on a copy. Same bits on any number of threads. O(points
// of the network).
//
// Source: Paris et al. 2023, sections 4.5 and 8.1.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_state.hpp"

#include <cstdint>
#include <span>

namespace thalweg {

/// Id of the reach whose line is nearest to a place.
///
/// Example:
///     MeanderSimulation rivers(network, {}, elevation, 1);
///     MeanderState state = rivers.state();
///     const std::int64_t reach = nearest_reach(state, {.x = 5000.0, .y = 2000.0});
///     redraw_channel(state, reach, std::vector<Position>{{.x = 4000.0, .y = 900.0}});
///     rivers = MeanderSimulation(std::move(state));
std::int64_t nearest_reach(const MeanderState& state, Position place);

/// Lets rivers wander by other parameters from now on. Those of the start (spacing, first bends) change
/// nothing, and the step of time must stay.
void change_parameters(MeanderState& state, const MeanderParameters& parameters);

/// Gives the ground other heights, m, on the same grid or another.
void change_ground(MeanderState& state, Field<float> elevation);

/// Moves the point of a channel that is nearest to `from` to `to`, and the line up to `reach_along` (m, along
/// it, or up to its ends where these are nearer) in a smooth bump with it. Ends are nodes and stay.
void move_point(MeanderState& state, std::int64_t reach, Position from, Position to, double reach_along);

/// Splits a channel at its point that is nearest to a place, two widths and more from its ends. There is a
/// node from then on, which stays. The upper part keeps the id; returns that of the lower one.
std::int64_t split_channel(MeanderState& state, std::int64_t reach, Position place);

/// A channel to be.
struct NewChannel {
    std::vector<Position> points;  // m, downstream, at least two
    double width = 0.0;            // m
    double discharge = 0.0;        // m^3/s, mean; 0: that of w = 10 Q^0.5 (river/line_network.hpp)
};

/// Adds a channel. It flows into the channel at whose edge it ends (two widths of that, and its own, from its
/// line), or else to an outlet of its own. Upland area and bankfull discharge are to its discharge as those
/// of the nearest channel are. Returns its id, that of a child of the nearest reach.
std::int64_t add_channel(MeanderState& state, const NewChannel& channel);

/// Takes a channel away, with those below it to which no water comes any more; those above it end where it
/// began. The last one stays.
void remove_channel(MeanderState& state, std::int64_t reach);

/// Gives a channel another line between its nodes, which stay. Width, depth and discharge are those that it
/// had at the same share of its length; its bed falls evenly.
void redraw_channel(MeanderState& state, std::int64_t reach, std::span<const Position> points);

/// Sets the mean width (m; depth by w = 18.8 d^1.41; 0 leaves it) of a channel, and by what its migration is
/// multiplied (0 to 10; below 0 leaves it).
void adjust_channel(MeanderState& state, std::int64_t reach, double width, double rate_factor);

/// Lets a channel run straight between two of its points, those nearest to two places in either order; what
/// lay between them is left as an oxbow, and in the history, as by a cutoff.
void cut_off_channel(MeanderState& state, std::int64_t reach, Position a, Position b);

/// Lets a channel leave its course at the point nearest to a place, by the way to a target on which the least
/// must be cut: into the channel within two widths of the target (of that, and its own), or its own further
/// down, or to an outlet there. What it leaves is in the history, as by an avulsion. Refused where there is
/// no such way on which it would run downhill and cut at most avulsion_depth below the ground, or where that
/// would meet other channels.
void avulse_channel(MeanderState& state, std::int64_t reach, Position place, Position target);

}  // namespace thalweg
