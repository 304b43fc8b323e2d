#include "thalweg/meander/meander_edits.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/meander/network/junction_templates.hpp"
#include "thalweg/meander/network/node_edits.hpp"
#include "thalweg/meander/simulation/mobility.hpp"
#include "thalweg/meander/simulation/settling.hpp"
#include "thalweg/river/line_network.hpp"
#include "thalweg/river/network_edits.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

void renew_mobility(MeanderState& state) {
    find_rests(state);
    for (MeanderChannel& channel : state.channels) find_mobility(state, channel);
}

/// A new channel as a reach that goes nowhere yet.
Reach reach_of(const MeanderState& state, const NewChannel& channel, double bed) {
    RiverLine line;
    for (const Position& place : channel.points) {
        check_place(place, "a point of the new channel");
        line.points.push_back({.x = place.x, .y = place.y, .z = bed});
    }
    Reach reach = network_of_lines({line}, channel.width, state.elevation, "the new channel").reaches.front();
    if (channel.discharge > 0.0) {
        reach.discharge = channel.discharge;
        std::ranges::fill(reach.values.discharge, static_cast<float>(channel.discharge));
    }
    reach.to_node = -1;
    return reach;
}

/// Lets a line end at a place, without its points that are nearer to it than `apart`, m.
void end_at(Reach& reach, const RiverPoint& place, double apart) {
    const auto is_near = [&](const RiverPoint& point) {
        return std::hypot(point.x - place.x, point.y - place.y) < apart;
    };
    while (reach.points.size() > 1 && is_near(reach.points.back())) {
        reach.points.pop_back();
        for (std::vector<float>* column : {&reach.values.width, &reach.values.depth, &reach.values.discharge})
            column->pop_back();
    }
    reach.points.push_back(place);
    for (std::vector<float>* column : {&reach.values.width, &reach.values.depth, &reach.values.discharge})
        column->push_back(column->back());
}

/// Takes reaches away to which no water comes any more, from a node on; returns where that ends.
std::int64_t remove_dry_reaches(RiverNetwork& network, std::int64_t node) {
    while (std::ranges::find(network.reaches, node, &Reach::to_node) == network.reaches.end()) {
        const auto dry = std::ranges::find(network.reaches, node, &Reach::from_node);
        if (dry == network.reaches.end()) break;
        node = dry->to_node;
        remove_reach(network, dry->id);
    }
    return node;
}

}  // namespace

std::int64_t nearest_reach(const MeanderState& state, Position place) {
    check_place(place, "the place");
    return state.channels[nearest_channel(state, place).at.channel].reach;
}

void change_parameters(MeanderState& state, const MeanderParameters& parameters) {
    for (const ControlStroke& stroke : parameters.controls) check_control(stroke);
    state.parameters = parameters;
    renew_mobility(state);
}

void change_ground(MeanderState& state, Field<float> elevation) {
    state.elevation = std::move(elevation);
    renew_mobility(state);
}

std::int64_t split_channel(MeanderState& state, std::int64_t reach, Position place) {
    constexpr double kNear = 2.0;  // widths
    check_place(place, "the place to split at");
    const std::size_t channel = place_of_channel(state, reach);
    const ChannelPoint at{.channel = channel,
                          .point = nearest_point(state.channels[channel].line, place).point};
    write_back(state, channel);
    ReachInflows inflows;
    std::vector<std::int64_t> edited;
    const std::int64_t node = node_at_point(state, at, kNear, inflows, edited);
    if (edited.empty())
        throw Error::input(
            fmt::format("reach {} can't be split at ({}, {}): give a place {} widths and more "
                        "from its ends",
                        reach, place.x, place.y, kNear));
    renew_channels(state, edited);
    settle(state);
    return node;
}

std::int64_t add_channel(MeanderState& state, const NewChannel& channel) {
    if (channel.points.size() < 2)
        throw Error::input(
            fmt::format("a channel of {} points can't be added: give two or more", channel.points.size()));
    if (!(channel.width > 0.0))
        throw Error::input(fmt::format("width = {} is not allowed: greater than 0 m", channel.width));
    constexpr double kNear = 2.0;  // widths
    check_place(channel.points.back(), "the end of the new channel");
    const NearestChannel mouth = nearest_channel(state, channel.points.back());
    const ChannelLine& river = state.channels[mouth.at.channel].line;
    const double river_width = river.values.width[mouth.at.point];
    const std::int64_t parent = state.channels[mouth.at.channel].reach;
    Reach reach = reach_of(state, channel, river.z[mouth.at.point]);
    const Reach& other = state.network.reaches[mouth.at.channel];
    if (other.discharge > 0.0) {
        const double share = reach.discharge / other.discharge;
        reach.upland_area = share * other.upland_area;
        reach.bankfull_discharge = share * other.bankfull_discharge;
    }
    ReachInflows inflows = inflows_of(state);
    std::vector<std::int64_t> edited;
    for (std::size_t i = 0; i < state.channels.size(); ++i) write_back(state, i);
    if (mouth.distance <= kNear * river_width + channel.width) {
        reach.to_node = node_at_point(state, mouth.at, kNear, inflows, edited);
        const auto node = std::ranges::find(state.network.nodes, reach.to_node, &RiverNode::id);
        end_at(reach, node->point, 0.5 * river_width);
        if (reach.points.size() < 2)
            throw Error::input(
                "a channel can't be added within another one: give a line that begins "
                "outside it");
    }
    const std::int64_t node = reach.to_node;
    const std::int64_t id = add_tributary(state.network, parent, std::move(reach));
    renew_channels(state, edited);
    carry_flow(state, inflows);
    if (node >= 0) shape_junction(state, node);
    settle(state);
    return id;
}

void remove_channel(MeanderState& state, std::int64_t reach) {
    const std::size_t place = place_of_channel(state, reach);
    if (state.channels.size() == 1)
        throw Error::input(fmt::format("reach {} can't be removed: it is the last one", reach));
    const ReachInflows inflows = inflows_of(state);
    for (std::size_t i = 0; i < state.channels.size(); ++i) write_back(state, i);
    const std::int64_t below = state.network.reaches[place].to_node;
    remove_reach(state.network, reach);
    const std::int64_t wet = remove_dry_reaches(state.network, below);
    if (state.network.reaches.empty())
        throw Error::input(fmt::format(
            "reach {} can't be removed: no water would come to any other, and none be left", reach));
    renew_channels(state, {});
    carry_flow(state, inflows);
    let_beds_fall(state);
    merge_at(state, wet);
    settle(state);
}

}  // namespace thalweg
