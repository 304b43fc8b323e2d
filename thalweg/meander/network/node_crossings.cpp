#include "thalweg/meander/network/node_crossings.hpp"

#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/meander/network/node_edits.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace thalweg {
namespace {

/// One end of a channel, by its place.
struct ChannelEnd {
    std::int64_t node = 0;  // id
    std::size_t channel = 0;
    bool is_head = false;
};

std::vector<ChannelEnd> ends_by_node(const RiverNetwork& network) {
    std::vector<ChannelEnd> ends;
    for (std::size_t i = 0; i < network.reaches.size(); ++i) {
        ends.push_back({.node = network.reaches[i].from_node, .channel = i, .is_head = true});
        ends.push_back({.node = network.reaches[i].to_node, .channel = i, .is_head = false});
    }
    std::ranges::sort(ends, [](const ChannelEnd& a, const ChannelEnd& b) {
        return std::tuple(a.node, a.channel, a.is_head) < std::tuple(b.node, b.channel, b.is_head);
    });
    return ends;
}

float width_at(const MeanderState& state, const ChannelEnd& end) {
    const std::vector<float>& width = state.channels[end.channel].line.values.width;
    return end.is_head ? width.front() : width.back();
}

/// How many segments of a channel lie within a distance (m) of its end, along it.
std::size_t segments_within(const MeanderState& state, const ChannelEnd& end, double distance) {
    const ChannelLine& line = state.channels[end.channel].line;
    const double spacing = length_of(line) / static_cast<double>(line.size() - 1);
    return std::min(line.size() - 1, static_cast<std::size_t>(distance / spacing) + 1);
}

/// The point at which the k-th segment from an end begins.
std::size_t segment_from_end(const MeanderState& state, const ChannelEnd& end, std::size_t k) {
    return end.is_head ? k : state.channels[end.channel].line.size() - 2 - k;
}

/// Lets a channel run straight to an end from some points beyond a segment, so that its cubic is straight
/// there.
void run_straight(MeanderState& state, const ChannelEnd& end, std::size_t segment) {
    constexpr std::size_t kPointsBeyond = 4;
    MeanderChannel& channel = state.channels[end.channel];
    const std::size_t last = channel.line.size() - 1;
    const std::size_t point = std::min(last, segment + 1 + kPointsBeyond);
    if (end.is_head)
        straighten(channel.line, 0, point);
    else
        straighten(channel.line, last - point, last);
    channel.mobility.clear();
}

/// Lets two channels that cross near a node of both run straight to it. Returns whether they do.
bool uncross(MeanderState& state, const ChannelEnd& a, const ChannelEnd& b) {
    constexpr double kNear = 4.0;  // widths: more than what is no capture there
    const double width = std::max(width_at(state, a), width_at(state, b));
    const auto rest = [&](const ChannelEnd& end) {
        const MeanderChannel& channel = state.channels[end.channel];
        return kJunctionShare * (end.is_head ? channel.head_rest : channel.end_rest);
    };
    const double distance = std::max({kNear * width, rest(a), rest(b)});
    const ChannelLine& first = state.channels[a.channel].line;
    const ChannelLine& second = state.channels[b.channel].line;
    // Look from the outside to the node: what crosses furthest out is straight then.
    for (std::size_t i = segments_within(state, a, distance); i-- > 0;)
        for (std::size_t j = segments_within(state, b, distance); j-- > 0;)
            if (segments_cross(first, segment_from_end(state, a, i), second, segment_from_end(state, b, j))) {
                run_straight(state, a, i);
                run_straight(state, b, j);
                return true;
            }
    return false;
}

}  // namespace

bool uncross_at_nodes(MeanderState& state) {
    const std::vector<ChannelEnd> ends = ends_by_node(state.network);
    bool is_changed = false;
    for (std::size_t i = 0; i < ends.size(); ++i)
        for (std::size_t j = i + 1; j < ends.size() && ends[j].node == ends[i].node; ++j)
            is_changed = uncross(state, ends[i], ends[j]) || is_changed;
    return is_changed;
}

}  // namespace thalweg
