#include "thalweg/meander/network/captures.hpp"

#include "thalweg/meander/network/carried_flow.hpp"
#include "thalweg/river/network_edits.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
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

bool is_near_a_common_node(const MeanderState& state, const ClosePair& pair) {
    const Reach& a = state.network.reaches[pair.first.line];
    const Reach& b = state.network.reaches[pair.second.line];
    const ChannelLine& first = state.channels[pair.first.line].line;
    const ChannelLine& second = state.channels[pair.second.line].line;
    const double width = std::max(first.values.width[pair.first.point], second.values.width[pair.second.point]);
    const double limit = kJunctionWidths * width;
    for (const bool a_head : {false, true})
        for (const bool b_head : {false, true})
            if ((a_head ? a.from_node : a.to_node) == (b_head ? b.from_node : b.to_node) &&
                distance_from_end(first, pair.first.point, a_head, limit) < limit &&
                distance_from_end(second, pair.second.point, b_head, limit) < limit)
                return true;
    return false;
}

/// Whether water of reach `above` comes to reach `below`.
bool flows_into(const ReachGraph& graph, std::size_t above, std::size_t below) {
    std::vector<std::int32_t> open = {static_cast<std::int32_t>(above)};
    std::vector<char> is_seen(static_cast<std::size_t>(graph.size()), 0);
    while (!open.empty()) {
        const std::int32_t at = open.back();
        open.pop_back();
        if (static_cast<std::size_t>(at) == below) return true;
        if (std::exchange(is_seen[at], 1) != 0) continue;
        for (const std::int32_t next : graph.below(at)) open.push_back(next);
    }
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
        flows_into(graph, a, b) || (!flows_into(graph, b, a) && discharge_a < discharge_b);
    return first_ends ? Meeting{.captured = a, .end = i, .capturing = b, .mouth = j}
                      : Meeting{.captured = b, .end = j, .capturing = a, .mouth = i};
}

void record(MeanderState& state, Oxbow left, const RiverPoint& place) {
    AbandonedCourse course{.id = left.id,
                           .reach = left.reach,
                           .year = state.year(),
                           .cause = MeanderEventKind::Capture,
                           .line = line_of(left.points, std::move(left.values))};
    state.history.events.push_back({.year = state.year(),
                                    .kind = MeanderEventKind::Capture,
                                    .reach = left.reach,
                                    .x = place.x,
                                    .y = place.y,
                                    .course = left.id});
    state.history.courses.push_back(std::move(course));
}

/// The node at which the captured channel will end: one that is there, if it is near, or else a new one.
std::int64_t mouth_node(MeanderState& state, const Meeting& meeting, ReachInflows& inflows,
                        std::vector<std::int64_t>& edited) {
    constexpr double kNear = 2.0;  // widths
    const Channel& channel = state.channels[meeting.capturing];
    Reach& reach = state.network.reaches[meeting.capturing];
    const double limit = kNear * channel.line.values.width[meeting.mouth];
    for (const bool is_head : {true, false})
        if (distance_from_end(channel.line, meeting.mouth, is_head, limit) < limit)
            return is_head ? reach.from_node : reach.to_node;
    const double discharge = channel.line.values.discharge[meeting.mouth];
    const double whole = channel.line.values.discharge.back();
    const double area = reach.upland_area * (whole > 0.0 ? std::min(1.0, discharge / whole) : 1.0);
    const std::int64_t upper = reach.id;
    const std::int64_t lower = split_reach(state.network, upper, meeting.mouth);
    std::ranges::find(state.network.reaches, upper, &Reach::id)->upland_area = area;
    inflows[lower] = {.discharge = discharge, .upland_area = area};
    edited.insert(edited.end(), {upper, lower});
    return lower;
}

/// Takes reaches away to which no water comes any more, from a node on.
void abandon_dry_reaches(MeanderState& state, std::int64_t node) {
    RiverNetwork& network = state.network;
    while (std::ranges::find(network.reaches, node, &Reach::to_node) == network.reaches.end()) {
        const auto dry = std::ranges::find(network.reaches, node, &Reach::from_node);
        if (dry == network.reaches.end()) return;
        Oxbow left{.id = dry->id, .reach = dry->id, .points = dry->points, .values = dry->values};
        const RiverPoint place = left.points.front();
        const std::int64_t next = dry->to_node;
        remove_reach(network, dry->id);
        record(state, std::move(left), place);
        node = next;
    }
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

void capture(MeanderState& state, const Meeting& meeting) {
    ReachInflows inflows = inflows_of(state);
    const std::int64_t captured = state.channels[meeting.captured].reach;
    const std::int64_t old_end = state.network.reaches[meeting.captured].to_node;
    std::vector<std::int64_t> edited = {captured};
    for (std::size_t i = 0; i < state.channels.size(); ++i) write_back(state, i);
    const std::int64_t node = mouth_node(state, meeting, inflows, edited);
    Oxbow left = redirect_reach(state.network, captured, std::max<std::size_t>(1, meeting.end), node);
    const RiverPoint place = left.points.front();
    record(state, std::move(left), place);
    abandon_dry_reaches(state, old_end);
    renew_channels(state, edited);
    carry_flow(state, inflows);
    let_beds_fall(state);
    for (const std::int64_t at : {old_end, node}) merge_at(state, at);
}

}  // namespace

bool capture_channel(MeanderState& state, std::span<const ClosePair> pairs) {
    const ReachGraph graph(state.network.reaches);
    for (const ClosePair& pair : pairs) {
        if (pair.first.line == pair.second.line) continue;
        if (pair.closeness > 0.0 && is_near_a_common_node(state, pair)) continue;
        const Meeting meeting = meeting_of(state, graph, pair);
        if (meeting.end + 1 >= state.channels[meeting.captured].line.size()) continue;
        capture(state, meeting);
        return true;
    }
    return false;
}

}  // namespace thalweg
