// Lines of branches, beside the line that they go along.
#pragma once

#include "thalweg/meander/meander_state.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// A line along which others go, with what lets a search for its nearest point leave out most of it.
struct AxisLine {
    // NOLINTNEXTLINE(google-explicit-constructor): any line is one, measured where it is asked once alone.
    AxisLine(const ChannelLine& axis);

    const ChannelLine& line;
    double longest_segment = 0.0;  // m
};

/// The point of `axis` that is nearest to a place, the first of several. Points within the way that the
/// distance to one lets its neighbours come nearer are left out.
std::size_t nearest_point_of(const AxisLine& axis, double x, double y);

/// The nearest point of `axis` for each point of a line that goes along it: of its ends by a look at all, of
/// others near those of the points before.
std::vector<std::size_t> stations_of(const ChannelLine& line, const AxisLine& axis);

/// Width, depth, discharge and bed of a branch from its share and those of the axis beside it; the bed never
/// rises.
void set_values(RiverBranch& branch, const AxisLine& axis);

/// Moves an end of a line to a place, and what is near it with it, less and less.
void move_end(ChannelLine& line, bool is_head, Position place);

/// Lets the nodes of the first branch that is shorter than it is wide be one, or takes it away where water
/// comes from one to the other on another way too. Shares must be those of the weights. Returns whether there
/// was one.
bool contract_short_branch(RiverBranches& branches);

/// Distance of the points of the branches of a reach, m: one for all.
double branch_spacing(const ChannelLine& axis);

/// The lines of all branches.
std::vector<const ChannelLine*> lines_of(const RiverBranches& branches);

/// The lines of all channels and branches but those of the reach at a place, and its own line.
std::vector<const ChannelLine*> other_lines(const MeanderState& state, std::size_t place);

/// The lines that have water: those of all branches, and of the channels that have none.
std::vector<const ChannelLine*> wet_lines(const MeanderState& state);

/// How many branches there are beside each point of the axis.
std::vector<int> channels_beside(const RiverBranches& branches, const AxisLine& axis);

}  // namespace thalweg
