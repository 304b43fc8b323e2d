// Where a river that bursts its bank could run to.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/meander/network/node_edits.hpp"

#include <optional>
#include <vector>

namespace thalweg {

/// Where a course is to end: within three widths of a channel's point, at a place, or, where neither is
/// given, at whatever it comes to first, a channel whose water does not come to this one or the rim of the
/// terrain.
struct CourseTarget {
    std::optional<ChannelPoint> mouth = {};
    std::optional<Position> place = {};

    [[nodiscard]] bool is_given() const { return mouth || place; }
};

/// A way over the ground from a point of a channel.
struct FoundCourse {
    std::vector<Position> corners = {};      // the first at the channel's point
    std::optional<ChannelPoint> mouth = {};  // where it comes to a channel; nothing: it ends at an outlet
    double bed = 0.0;                        // m, at its end
};

/// The way of least cost (least_cost_path.hpp) from a point of a channel. What is to be cut lies above the
/// level
///
///   bank - s r,
///
/// r the distance from the channel's point as the crow flies, s the slope of the channel, for rivers take to
/// ways that are steeper than their own (Slingerland and Smith 2004), or 0 where the target is given. No way
/// leads where more than avulsion_depth would be cut, within a width of channels but at its ends, or to a bed
/// above that level less the depth; off the terrain none leads where its rim is above that level; to a given
/// target it may cross what the channel will have left; where no target is given it leaves to the outer side
/// of the bend. Cells are as wide as the channel, and 150 to each side at least. Without terrain nothing is
/// to be cut, and no rim.
std::optional<FoundCourse> find_course(const MeanderState& state, const ChannelPoint& from,
                                       const CourseTarget& target);

}  // namespace thalweg
