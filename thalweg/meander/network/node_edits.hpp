// Nodes that come and go where channels meet and part.
#pragma once

#include "thalweg/meander/network/carried_flow.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace thalweg {

/// A point of a channel, by their places.
struct ChannelPoint {
    std::size_t channel = 0;
    std::size_t point = 0;
};

/// How near to a node of a channel, in widths along it, another one that comes to it ends at that node.
inline constexpr double kNearNode = 2.0;

/// How far from a node, along their lines, two channels may be within a width, as a share of where they rest.
inline constexpr double kJunctionShare = 0.6;

/// Length along a line from one of its ends to a point, no further than `limit`, m.
double distance_from_end(const ChannelLine& line, std::size_t point, bool from_head, double limit);

/// The node of a channel's end that is less than `near` widths, along the channel, away from a point.
std::optional<std::int64_t> node_near_point(const MeanderState& state, const ChannelPoint& at, double near);

/// That node, or where there is none a new one at the point, which splits the channel. Reaches have the lines
/// of their channels before (write_back). Adds to `edited` the channels that are to be made anew, and to
/// `inflows` what comes into a new one.
std::int64_t node_at_point(MeanderState& state, const ChannelPoint& at, double near, ReachInflows& inflows,
                           std::vector<std::int64_t>& edited);

/// Joins two channels that follow each other at a node where nothing else ends or begins.
void merge_at(MeanderState& state, std::int64_t node);

}  // namespace thalweg
