#include "thalweg/meander/network/upkeep.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/network/captures.hpp"
#include "thalweg/meander/network/cutoffs.hpp"
#include "thalweg/meander/network/mobility.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace thalweg {
namespace {

/// Pairs of points that are close, and of segments that cross, as pairs of no distance.
std::vector<ClosePair> meetings_of(const MeanderState& state) {
    const std::vector<const ChannelLine*> lines = lines_of(state.channels);
    std::vector<ClosePair> pairs = close_pairs(lines);
    for (Crossing crossing : crossings_of(lines)) {
        if (crossing.first.line == crossing.second.line) ++crossing.second.point;
        pairs.push_back({.first = crossing.first, .second = crossing.second, .closeness = 0.0});
    }
    return pairs;
}

double mean_width(const ChannelLine& line) {
    return std::accumulate(line.values.width.begin(), line.values.width.end(), 0.0) /
           static_cast<double>(line.size());
}

void space_evenly(const MeanderState& state, Channel& channel) {
    channel.width = mean_width(channel.line);
    const double suited = channel_spacing(channel.width);
    const double spacing =
        state.parameters.spacing > 0.0 ? std::min(state.parameters.spacing, suited) : suited;
    channel.line = resampled(channel.line, spacing);
    channel.moved = 0.0;
    channel.terms.clear();
    find_mobility(state, channel);
}

}  // namespace

void space_evenly(MeanderState& state) {
    constexpr std::int64_t kChannelsAtOnce = 4;
    parallel_for(0, std::ssize(state.channels), kChannelsAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; ++i) {
            Channel& channel = state.channels[i];
            const bool is_new = channel.mobility.size() != channel.line.size();
            if (is_new || channel.moved > 0.0) space_evenly(state, channel);
        }
    });
}

void keep_up(MeanderState& state) {
    bool meets = true;
    while (meets) {
        std::vector<ClosePair> pairs = meetings_of(state);
        if (cut_off_bends(state, pairs) > 0) pairs = meetings_of(state);
        meets = capture_channel(state, pairs);
    }
    space_evenly(state);
    state.steps_to_upkeep = kStepsToUpkeep;
}

}  // namespace thalweg
