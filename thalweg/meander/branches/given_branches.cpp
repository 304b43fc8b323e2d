#include "thalweg/meander/branches/given_branches.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/network/channels.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// Numbers of nodes by their places.
class NodePlaces {
  public:
    /// Numbers 0 and 1 are those of the head and the end of a braid.
    NodePlaces(Position head, Position end) {
        numbers_.emplace(key_of(head), kHeadNode);
        numbers_.emplace(key_of(end), kEndNode);
    }

    std::int32_t number_at(Position place) {
        // Places on both sides of a limit between keys are still one.
        const auto [x, y] = key_of(place);
        for (std::int64_t dx = -1; dx <= 1; ++dx)
            for (std::int64_t dy = -1; dy <= 1; ++dy)
                if (const auto found = numbers_.find({x + dx, y + dy}); found != numbers_.end())
                    return found->second;
        return numbers_.emplace(Key{x, y}, static_cast<std::int32_t>(numbers_.size())).first->second;
    }

    [[nodiscard]] std::int32_t count() const { return static_cast<std::int32_t>(numbers_.size()); }

  private:
    using Key = std::pair<std::int64_t, std::int64_t>;  // mm

    static Key key_of(Position place) {
        constexpr double kInMetre = 1000.0;
        return {std::llround(place.x * kInMetre), std::llround(place.y * kInMetre)};
    }

    std::map<Key, std::int32_t> numbers_;
};

Position head_of(const ChannelLine& line) {
    return {.x = line.x.front(), .y = line.y.front()};
}

Position end_of_line(const ChannelLine& line) {
    return {.x = line.x.back(), .y = line.y.back()};
}

void check_branches(const RiverBranches& branches, std::int64_t reach) {
    for (const RiverBranch& branch : branches.channels) {
        const bool is_fed =
            branch.from == kHeadNode ||
            std::ranges::find(branches.channels, branch.from, &RiverBranch::to) != branches.channels.end();
        if (!is_fed)
            throw Error::input(
                fmt::format("branch {} of reach {} begins where no other branch ends: no water comes to it",
                            branch.id, reach));
        if (flows_to(branches, branch.to, branch.from))
            throw Error::input(
                fmt::format("branch {} of reach {} comes round to itself: branches must run downstream",
                            branch.id, reach));
    }
}

/// Lets branches have the shares that they come with, and says how the water parts at nodes.
void weigh(RiverBranches& branches) {
    for (RiverBranch& branch : branches.channels) branch.weight = branch.share;
    share_water(branches);
}

/// The branches of one reach, as a graph from its head, but for those below its end, which are its delta.
void take_branches_of(MeanderChannel& channel, std::vector<RiverBranch> branches) {
    NodePlaces places(head_of(channel.line), end_of_line(channel.line));
    for (RiverBranch& branch : branches) {
        branch.from = places.number_at(head_of(branch.line));
        branch.to = places.number_at(end_of_line(branch.line));
    }
    RiverBranches all{.channels = branches, .nodes = places.count()};
    for (RiverBranch& branch : branches) {
        const bool is_of_delta = flows_to(all, kEndNode, branch.from);
        RiverBranches& taking = is_of_delta ? channel.delta : channel.braid;
        if (is_of_delta && branch.from == kEndNode) branch.from = kHeadNode;
        taking.channels.push_back(std::move(branch));
        taking.nodes = places.count();
    }
    // A delta is known by its first branch.
    std::ranges::stable_partition(channel.delta.channels,
                                  [](const RiverBranch& branch) { return branch.from == kHeadNode; });
    for (RiverBranches* const taken : {&channel.braid, &channel.delta}) {
        check_branches(*taken, channel.reach);
        weigh(*taken);
    }
    const AxisLine axis = channel.line;
    for (RiverBranch& branch : channel.braid.channels) set_values(branch, axis);
}

}  // namespace

void take_branches(MeanderState& state, const std::vector<NetworkBranch>& branches) {
    std::map<std::int64_t, std::vector<RiverBranch>> of_reaches;
    for (const NetworkBranch& branch : branches)
        of_reaches[branch.reach].push_back(
            {.id = branch.id, .share = branch.share, .line = line_of(branch.points, branch.values)});
    for (MeanderChannel& channel : state.channels) {
        const auto found = of_reaches.find(channel.reach);
        if (found == of_reaches.end()) continue;
        take_branches_of(channel, std::move(found->second));
        of_reaches.erase(found);
    }
    if (of_reaches.empty()) return;
    const auto& [reach, lost] = *of_reaches.begin();
    throw Error::input(
        fmt::format("branch {} is of reach {}, and there is no such reach", lost.front().id, reach));
}

}  // namespace thalweg
