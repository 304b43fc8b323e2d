#include "thalweg/meander/network/channels.hpp"

#include "thalweg/river/network_edits.hpp"
#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace thalweg {
namespace {

void set_line(Reach& reach, const ChannelLine& line) {
    reach.points = points_of(line);
    reach.values = line.values;
    measure_line(reach);
    reach.width = line.values.width.back();
    reach.depth = line.values.depth.back();
    reach.discharge = line.values.discharge.back();
}

/// Whether a reach is the lower part of another one, which was split.
bool is_lower_part(const Reach& reach, const Reach& upper) {
    if (upper.to_node != reach.from_node || reach.from_node != reach.id) return false;
    for (std::int64_t number = upper.children; number > 0; --number)
        if (child_id(upper.id, number) == reach.id) return true;
    return false;
}

/// Lets the lower parts of channels that were split keep what is set of these.
void inherit(const RiverNetwork& network, std::size_t lower, std::vector<MeanderChannel>& channels) {
    for (std::size_t i = 0; i < channels.size(); ++i)
        if (is_lower_part(network.reaches[lower], network.reaches[i]))
            channels[lower].rate_factor = channels[i].rate_factor;
}

}  // namespace

ChannelLine line_of(std::span<const RiverPoint> points, PointValues values) {
    ChannelLine line;
    for (const RiverPoint& point : points) {
        line.x.push_back(point.x);
        line.y.push_back(point.y);
        line.z.push_back(point.z);
    }
    line.values = std::move(values);
    return line;
}

void write_back(MeanderState& state, std::size_t channel) {
    set_line(state.network.reaches[channel], state.channels[channel].line);
}

void renew_channels(MeanderState& state, const std::vector<std::int64_t>& edited) {
    std::unordered_map<std::int64_t, MeanderChannel> kept;
    for (MeanderChannel& channel : state.channels) kept.emplace(channel.reach, std::move(channel));
    state.channels.clear();
    std::vector<std::size_t> added;
    for (const Reach& reach : state.network.reaches) {
        const auto found = kept.find(reach.id);
        const bool is_edited = std::ranges::find(edited, reach.id) != edited.end();
        MeanderChannel channel;
        if (found != kept.end()) channel = std::move(found->second);
        if (found == kept.end()) added.push_back(state.channels.size());
        if (found == kept.end() || is_edited) {
            channel.reach = reach.id;
            channel.line = line_of(reach.points, reach.values);
            channel.mobility.clear();
        }
        state.channels.push_back(std::move(channel));
    }
    if (!kept.empty())
        for (const std::size_t place : added) inherit(state.network, place, state.channels);
}

RiverNetwork present_network(const MeanderState& state) {
    RiverNetwork network = state.network;
    for (std::size_t i = 0; i < network.reaches.size(); ++i)
        set_line(network.reaches[i], state.channels[i].line);
    return network;
}

std::vector<const ChannelLine*> lines_of(const std::vector<MeanderChannel>& channels) {
    std::vector<const ChannelLine*> lines;
    for (const MeanderChannel& channel : channels) lines.push_back(&channel.line);
    return lines;
}

}  // namespace thalweg
