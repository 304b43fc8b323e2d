#include "thalweg/meander/network/node_edits.hpp"

#include "thalweg/river/network_edits.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {

/// Length along a line from one of its ends to a point, no further than `limit`, m.
double distance_from_end(const ChannelLine& line, std::size_t point, bool from_head, double limit) {
    double distance = 0.0;
    std::size_t at = point;
    while (distance < limit && (from_head ? at > 0 : at + 1 < line.size())) {
        const std::size_t next = from_head ? at - 1 : at + 1;
        distance += std::hypot(line.x[next] - line.x[at], line.y[next] - line.y[at]);
        at = next;
    }
    return distance;
}

std::optional<std::int64_t> node_near_point(const MeanderState& state, const ChannelPoint& at, double near) {
    const ChannelLine& line = state.channels[at.channel].line;
    const Reach& reach = state.network.reaches[at.channel];
    if (at.point == 0) return reach.from_node;
    if (at.point + 1 == line.size()) return reach.to_node;
    const double limit = near * line.values.width[at.point];
    for (const bool is_head : {true, false})
        if (distance_from_end(line, at.point, is_head, limit) < limit)
            return is_head ? reach.from_node : reach.to_node;
    return std::nullopt;
}

std::int64_t node_at_point(MeanderState& state, const ChannelPoint& at, double near, ReachInflows& inflows,
                           std::vector<std::int64_t>& edited) {
    if (const auto node = node_near_point(state, at, near)) return *node;
    const MeanderChannel& channel = state.channels[at.channel];
    const Reach& reach = state.network.reaches[at.channel];
    const double discharge = channel.line.values.discharge[at.point];
    const double whole = channel.line.values.discharge.back();
    const double area = reach.upland_area * (whole > 0.0 ? std::min(1.0, discharge / whole) : 1.0);
    const std::int64_t upper = reach.id;
    const std::int64_t lower = split_reach(state.network, upper, at.point);
    std::ranges::find(state.network.reaches, upper, &Reach::id)->upland_area = area;
    inflows[lower] = {.discharge = discharge, .upland_area = area};
    edited.insert(edited.end(), {upper, lower});
    return lower;
}

void merge_at(MeanderState& state, std::int64_t node) {
    const RiverNetwork& network = state.network;
    if (std::ranges::count(network.reaches, node, &Reach::to_node) != 1 ||
        std::ranges::count(network.reaches, node, &Reach::from_node) != 1)
        return;
    const auto upper = std::ranges::find(network.reaches, node, &Reach::to_node) - network.reaches.begin();
    const auto lower = std::ranges::find(network.reaches, node, &Reach::from_node) - network.reaches.begin();
    write_back(state, static_cast<std::size_t>(upper));
    write_back(state, static_cast<std::size_t>(lower));
    const std::int64_t id = network.reaches[upper].id;
    merge_reaches(state.network, node);
    renew_channels(state, {id});
}

}  // namespace thalweg
