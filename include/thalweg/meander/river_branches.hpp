// Branches: the channels into which the water of one reach parts.
#pragma once

#include "thalweg/meander/channel_line.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// One of the channels of a reach, from one node of its RiverBranches to another, downstream.
struct RiverBranch {
    std::int64_t id = 0;    // a child of the reach (river/network_edits.hpp)
    std::int32_t from = 0;  // node
    std::int32_t to = 1;    // node
    double weight = 1.0;    // of its share in the water at `from`, beside those of the others there
    double share = 1.0;     // of the water of the reach
    ChannelLine line = {};  // width ~ share^0.5, depth ~ share^(0.5 / 1.41), discharge ~ share

    bool operator==(const RiverBranch&) const = default;
};

/// The branches of a braided reach, or of its delta, as a graph without a way that comes round to itself.
/// Node 0 is where all water comes from. A braid ends at node 1; a delta at all nodes where no branch begins.
/// None: the reach is one channel.
///
/// Example:
///     const RiverBranches branches;
///     double length = 0.0;  // m, of all
///     for (const RiverBranch& branch : branches.channels) length += length_of(branch.line);
struct RiverBranches {
    std::vector<RiverBranch> channels = {};
    std::int32_t nodes = 2;  // numbers that were given to nodes so far

    bool operator==(const RiverBranches&) const = default;
    [[nodiscard]] bool empty() const { return channels.empty(); }
};

}  // namespace thalweg
