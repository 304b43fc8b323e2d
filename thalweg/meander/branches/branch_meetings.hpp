// Branches that meet.
#pragma once

#include "thalweg/meander/meander_state.hpp"

#include <cstddef>

namespace thalweg {

/// Lets branches of the reach at a place, by `branches` of it, that have come within their mean width of
/// another, or cross it, flow into that there: the one upstream, or else the one of less water, ends; what is
/// left of it below is an abandoned course, and so is what no water comes to any more. Two that part at one
/// node and run on side by side part where they do so no more. Bends of a branch that meet themselves are cut
/// off, and islands that are thinner than a width are gone. Shares and values are made anew. Returns whether
/// nothing crosses then.
bool join_branches(MeanderState& state, std::size_t place, RiverBranches& branches);

/// Writes branches that were left into the history, those that are some widths long as courses.
void record_left(MeanderState& state, std::size_t place, const std::vector<RiverBranch>& left,
                 MeanderEventKind cause);

/// How far from a node, along their lines, two branches may be within a width, widths.
inline constexpr double kBranchJunction = 3.0;

}  // namespace thalweg
