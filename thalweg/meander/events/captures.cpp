#include "thalweg/meander/events/captures.hpp"

#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/events/abandonment.hpp"
#include "thalweg/meander/network/junction_templates.hpp"
#include "thalweg/meander/network/node_edits.hpp"
#include "thalweg/river/network_edits.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

/// A channel that ends at a point of its line, and one that goes on past a point of its own.
struct Meeting {
    std::size_t captured = 0;  // place of the channel
    std::size_t end = 0;       // point
    std::size_t capturing = 0;
    std::size_t mouth = 0;
};

bool is_near_a_common_node(const MeanderState& state, const ClosePair& pair) {
    const Reach& a = state.network.reaches[pair.first.line];
    const Reach& b = state.network.reaches[pair.second.line];
    const ChannelLine& first = state.channels[pair.first.line].line;
    const ChannelLine& second = state.channels[pair.second.line].line;
    const auto is_near = [&](const ChannelLine& line, const MeanderChannel& channel, std::int32_t point,
                             bool head) {
        const double limit = kJunctionShare * (head ? channel.head_rest : channel.end_rest);
        return distance_from_end(line, static_cast<std::size_t>(point), head, limit) < limit;
    };
    for (const bool a_head : {false, true})
        for (const bool b_head : {false, true})
            if ((a_head ? a.from_node : a.to_node) == (b_head ? b.from_node : b.to_node) &&
                is_near(first, state.channels[pair.first.line], pair.first.point, a_head) &&
                is_near(second, state.channels[pair.second.line], pair.second.point, b_head))
                return true;
    return false;
}

/// Which of two channels ends where they meet.
Meeting meeting_of(const MeanderState& state, const ReachGraph& graph, const ClosePair& pair) {
    const auto a = static_cast<std::size_t>(pair.first.line);
    const auto b = static_cast<std::size_t>(pair.second.line);
    const auto i = static_cast<std::size_t>(pair.first.point);
    const auto j = static_cast<std::size_t>(pair.second.point);
    const float discharge_a = state.channels[a].line.values.discharge[i];
    const float discharge_b = state.channels[b].line.values.discharge[j];
    const bool first_ends =
        graph.flows_into(pair.first.line, pair.second.line) ||
        (!graph.flows_into(pair.second.line, pair.first.line) && discharge_a < discharge_b);
    return first_ends ? Meeting{.captured = a, .end = i, .capturing = b, .mouth = j}
                      : Meeting{.captured = b, .end = j, .capturing = a, .mouth = i};
}

/// The node at which the captured channel will end: one that is there, if it is near, or else a new one.
std::int64_t mouth_node(MeanderState& state, const Meeting& meeting, ReachInflows& inflows,
                        std::vector<std::int64_t>& edited) {
    return node_at_point(state, {.channel = meeting.capturing, .point = meeting.mouth}, kNearNode, inflows,
                         edited);
}

/// Whether the channel that would be captured runs straight to the node where it would end, and ends there.
bool is_captured_already(const MeanderState& state, const Meeting& meeting) {
    constexpr double kStraight = 1.05;  // length over distance
    const auto node =
        node_near_point(state, {.channel = meeting.capturing, .point = meeting.mouth}, kNearNode);
    if (node != state.network.reaches[meeting.captured].to_node) return false;
    const ChannelLine& line = state.channels[meeting.captured].line;
    const double distance =
        std::hypot(line.x.back() - line.x[meeting.end], line.y.back() - line.y[meeting.end]);
    return distance_from_end(line, meeting.end, false, kStraight * distance) < kStraight * distance;
}

/// Whether a channel has its source so near to where it is captured that nothing is left of it.
bool is_swallowed(const MeanderState& state, const Meeting& meeting, std::int64_t from_node) {
    const MeanderChannel& channel = state.channels[meeting.captured];
    const ChannelLine& other = state.channels[meeting.capturing].line;
    const double limit = channel.line.values.width[meeting.end] + other.values.width[meeting.mouth];
    return distance_from_end(channel.line, meeting.end, true, limit) < limit &&
           std::ranges::find(state.network.reaches, from_node, &Reach::to_node) ==
               state.network.reaches.end();
}

/// Takes a reach away whose source another channel has reached: all of its water comes from the sides then.
ReachInflow swallow(MeanderState& state, const Reach& reach) {
    Oxbow left{.id = reach.id, .reach = reach.id, .points = reach.points, .values = reach.values};
    const ReachInflow water{.discharge = reach.values.discharge.back(), .upland_area = reach.upland_area};
    remove_reach(state.network, reach.id);
    leave_course(state, std::move(left), MeanderEventKind::Capture);
    return water;
}

void capture(MeanderState& state, const Meeting& meeting) {
    ReachInflows inflows = inflows_of(state);
    const std::int64_t captured = state.channels[meeting.captured].reach;
    const std::int64_t old_end = state.network.reaches[meeting.captured].to_node;
    std::vector<std::int64_t> edited = {captured};
    for (std::size_t i = 0; i < state.channels.size(); ++i) write_back(state, i);
    const std::int64_t node = mouth_node(state, meeting, inflows, edited);
    const std::size_t end = std::max<std::size_t>(1, meeting.end);
    const Reach before = *std::ranges::find(state.network.reaches, captured, &Reach::id);
    ReachInflow sides = is_swallowed(state, meeting, before.from_node)
                            ? swallow(state, before)
                            : redirect(state, before, end, node, MeanderEventKind::Capture);
    add(sides,
        abandon_dry_reaches(state, old_end, node,
                            {.discharge = before.values.discharge.back(), .upland_area = before.upland_area},
                            MeanderEventKind::Capture));
    add_below(state.network, node, captured, sides, inflows);
    renew_channels(state, edited);
    for (MeanderChannel& channel : state.channels)
        if (channel.reach == captured) soften(channel.line, end);
    carry_flow(state, inflows);
    shape_junction(state, node);
    let_beds_fall(state);
    for (const std::int64_t at : {old_end, node}) merge_at(state, at);
}

}  // namespace

bool capture_channel(MeanderState& state, std::span<const ClosePair> pairs, CaptureCounts& counts) {
    constexpr int kMost = 4;
    constexpr int kMostOfCrossing = 32;
    const ReachGraph graph(state.network.reaches);
    for (const ClosePair& pair : pairs) {
        if (pair.first.line == pair.second.line) continue;
        if (is_near_a_common_node(state, pair)) continue;
        const Meeting meeting = meeting_of(state, graph, pair);
        if (meeting.end + 1 >= state.channels[meeting.captured].line.size() ||
            is_captured_already(state, meeting))
            continue;
        int& count = counts[state.channels[meeting.captured].reach];
        const bool is_crossing = cross_beside(state.channels[pair.first.line].line, pair.first.point,
                                              state.channels[pair.second.line].line, pair.second.point);
        if (count >= (is_crossing ? kMostOfCrossing : kMost)) continue;
        ++count;
        capture(state, meeting);
        return true;
    }
    return false;
}

}  // namespace thalweg
