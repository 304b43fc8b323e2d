#include "thalweg/meander/simulation/settling.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/network/carried_flow.hpp"
#include "thalweg/meander/simulation/network_update.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace thalweg {

std::size_t place_of_channel(const MeanderState& state, std::int64_t reach) {
    const auto found = std::ranges::find(state.channels, reach, &MeanderChannel::reach);
    if (found == state.channels.end())
        throw Error::input(fmt::format("reach = {} is not allowed: give the id of one of the {} channels",
                                       reach, state.channels.size()));
    return static_cast<std::size_t>(found - state.channels.begin());
}

NearestPoint nearest_point(const ChannelLine& line, Position place) {
    NearestPoint nearest{.point = 0, .distance = std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < line.size(); ++i) {
        const double distance = std::hypot(line.x[i] - place.x, line.y[i] - place.y);
        if (distance < nearest.distance) nearest = {.point = i, .distance = distance};
    }
    return nearest;
}

NearestChannel nearest_channel(const MeanderState& state, Position place) {
    if (state.channels.empty()) throw Error::input("there is no channel: the network is empty");
    NearestChannel nearest;
    for (std::size_t i = 0; i < state.channels.size(); ++i) {
        const auto [point, distance] = nearest_point(state.channels[i].line, place);
        if (distance < nearest.distance)
            nearest = {.at = {.channel = i, .point = point}, .distance = distance};
    }
    return nearest;
}

void check_place(Position place, const char* what) {
    constexpr double kFurthest = 1e9;  // m
    if (!(std::abs(place.x) <= kFurthest && std::abs(place.y) <= kFurthest))
        throw Error::input(fmt::format("{} = ({}, {}) is not allowed: give coordinates of at most {} m", what,
                                       place.x, place.y, kFurthest));
}

void settle(MeanderState& state) {
    // What one update has joined may meet the next channel.
    constexpr int kMostUpdates = 8;
    let_beds_fall(state);
    space_evenly(state);
    for (int update = 0; update < kMostUpdates; ++update) {
        update_network(state);
        if (crossings_of(lines_of(state.channels)).empty()) return;
    }
    throw Error::input("the edit is not allowed: it leaves channels that cross, give simpler lines");
}

}  // namespace thalweg
