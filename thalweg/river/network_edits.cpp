#include "thalweg/river/network_edits.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/river/network_checks.hpp"
#include "thalweg/river/point_values.hpp"
#include "thalweg/river/reach_graph.hpp"
#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

std::size_t place_of(const RiverNetwork& network, std::int64_t id) {
    const auto found = std::ranges::find(network.reaches, id, &Reach::id);
    if (found == network.reaches.end())
        throw Error::input(fmt::format("there is no reach {} in the network", id));
    return static_cast<std::size_t>(found - network.reaches.begin());
}

const RiverNode& node_of(const RiverNetwork& network, std::int64_t id) {
    const auto found = std::ranges::find(network.nodes, id, &RiverNode::id);
    if (found == network.nodes.end())
        throw Error::input(fmt::format("there is no node {} in the network", id));
    return *found;
}

/// Counts a child of the reach and gives its id, which neither a reach nor a node has.
std::int64_t next_child(const RiverNetwork& network, Reach& parent) {
    const auto is_taken = [&](std::int64_t id) {
        return std::ranges::find(network.reaches, id, &Reach::id) != network.reaches.end() ||
               std::ranges::find(network.nodes, id, &RiverNode::id) != network.nodes.end();
    };
    std::int64_t id = 0;
    do id = child_id(parent.id, ++parent.children);
    while (is_taken(id));
    return id;
}

/// The nodes at the ends of the reaches, those that were there before at their places.
void renew_nodes(RiverNetwork& network) {
    std::unordered_map<std::int64_t, RiverPoint> places;
    for (const RiverNode& node : network.nodes) places.emplace(node.id, node.point);
    network.nodes = nodes_at_ends(network.reaches);
    for (RiverNode& node : network.nodes)
        if (const auto place = places.find(node.id); place != places.end()) node.point = place->second;
    order_nodes(network);
}

/// Keeps the points from `first` to `last` of a reach's line, both included, and what it carries there.
void keep_line(Reach& reach, std::size_t first, std::size_t last) {
    PointValues values;
    append_values(values, reach.values, first, last + 1);
    reach.values = std::move(values);
    reach.points.erase(reach.points.begin() + static_cast<std::ptrdiff_t>(last) + 1, reach.points.end());
    reach.points.erase(reach.points.begin(), reach.points.begin() + static_cast<std::ptrdiff_t>(first));
    measure_line(reach);
}

/// Id of the reach that takes most of the water at a node, -1 where none begins.
std::int64_t main_reach_from(const RiverNetwork& network, std::int64_t node) {
    const Reach* main = nullptr;
    for (const Reach& reach : network.reaches) {
        if (reach.from_node != node) continue;
        if (main == nullptr || reach.discharge > main->discharge ||
            (reach.discharge == main->discharge && reach.id < main->id))
            main = &reach;
    }
    return main == nullptr ? -1 : main->id;
}

/// Whether water that comes to `node` runs through `reach` further down.
bool runs_through(const RiverNetwork& network, std::int64_t node, std::size_t reach) {
    const ReachGraph graph(network.reaches);
    for (std::size_t i = 0; i < network.reaches.size(); ++i)
        if (network.reaches[i].from_node == node &&
            graph.flows_into(static_cast<std::int64_t>(i), static_cast<std::int64_t>(reach)))
            return true;
    return false;
}

}  // namespace

std::int64_t child_id(std::int64_t parent, std::int64_t number) {
    constexpr std::int64_t kFirst = std::int64_t{1} << 52;
    constexpr int kHashBits = 52;
    const std::uint64_t hash =
        mix64(mix64(static_cast<std::uint64_t>(parent)) ^ static_cast<std::uint64_t>(number));
    return kFirst + static_cast<std::int64_t>(hash >> (64 - kHashBits));
}

std::int64_t split_reach(RiverNetwork& network, std::int64_t reach, std::size_t point) {
    const std::size_t place = place_of(network, reach);
    Reach& upper = network.reaches[place];
    if (point == 0 || point + 1 >= upper.points.size())
        throw Error::input(fmt::format("reach {} can't be split at its point {} of {}: give an inner one",
                                       reach, point + 1, upper.points.size()));
    Reach lower = upper;
    lower.id = lower.from_node = next_child(network, upper);
    lower.children = 0;
    keep_line(lower, point, lower.points.size() - 1);
    keep_line(upper, 0, point);
    upper.next_down = upper.to_node = lower.id;
    const std::int64_t id = lower.id;
    network.reaches.insert(network.reaches.begin() + static_cast<std::ptrdiff_t>(place) + 1,
                           std::move(lower));
    renew_nodes(network);
    return id;
}

void merge_reaches(RiverNetwork& network, std::int64_t node) {
    const bool is_seam = node_of(network, node).kind == NodeKind::Seam;
    const auto ending = std::ranges::count(network.reaches, node, &Reach::to_node);
    const auto beginning = std::ranges::count(network.reaches, node, &Reach::from_node);
    if (is_seam || ending != 1 || beginning != 1)
        throw Error::input(fmt::format("node {} can't be taken out: {}", node,
                                       is_seam
                                           ? "it is a seam"
                                           : fmt::format("{} reaches end there and {} begin, where one of "
                                                         "each is needed",
                                                         ending, beginning)));
    const auto upper = std::ranges::find(network.reaches, node, &Reach::to_node);
    const auto lower = std::ranges::find(network.reaches, node, &Reach::from_node);
    const double length = upper->length + lower->length;
    const double share = length > 0.0 ? lower->length / length : 0.5;
    Reach merged = *lower;
    merged.id = upper->id;
    merged.from_node = upper->from_node;
    merged.children = upper->children;
    merged.drawn = (upper->drawn ? 1.0 - share : 0.0) + (lower->drawn ? share : 0.0) >= 0.5;
    merged.stream_power = upper->stream_power + share * (lower->stream_power - upper->stream_power);
    merged.steepness = upper->steepness + share * (lower->steepness - upper->steepness);
    merged.points = std::move(upper->points);
    merged.points.insert(merged.points.end(), lower->points.begin() + 1, lower->points.end());
    merged.values = {};
    if (!upper->values.empty() && !lower->values.empty()) {
        merged.values = std::move(upper->values);
        append_values(merged.values, lower->values, 1, lower->points.size());
    }
    measure_line(merged);
    *upper = std::move(merged);
    network.reaches.erase(lower);
    renew_nodes(network);
}

void remove_reach(RiverNetwork& network, std::int64_t reach) {
    const std::size_t place = place_of(network, reach);
    const std::int64_t node = network.reaches[place].from_node;
    network.reaches.erase(network.reaches.begin() + static_cast<std::ptrdiff_t>(place));
    const std::int64_t next = main_reach_from(network, node);
    for (Reach& above : network.reaches)
        if (above.next_down == reach) above.next_down = next;
    renew_nodes(network);
}

std::int64_t add_branch(RiverNetwork& network, std::int64_t parent, Reach branch) {
    RiverNetwork grown = network;
    for (const std::int64_t node : {branch.from_node, branch.to_node})
        if (node_of(network, node).kind == NodeKind::Seam)
            throw Error::input(fmt::format("no reach can be added at node {}: it is a seam", node));
    branch.id = next_child(network, grown.reaches[place_of(network, parent)]);
    branch.children = 0;
    branch.next_down = main_reach_from(network, branch.to_node);
    measure_line(branch);
    const std::int64_t id = branch.id;
    for (Reach& above : grown.reaches)
        if (above.to_node == branch.from_node && above.next_down == -1) above.next_down = id;
    grown.reaches.push_back(std::move(branch));
    renew_nodes(grown);
    check_network(grown, "the network with a new branch", NetworkProfile::General);
    order_reaches(grown);
    order_nodes(grown);
    network = std::move(grown);
    return id;
}

std::int64_t add_tributary(RiverNetwork& network, std::int64_t parent, Reach tributary) {
    Reach& river = network.reaches[place_of(network, parent)];
    if (tributary.points.size() < 2)
        throw Error::input(fmt::format("a tributary of reach {} has a line of {} points: give two or more",
                                       parent, tributary.points.size()));
    const bool has_outlet = tributary.to_node == -1;
    if (!has_outlet && node_of(network, tributary.to_node).kind == NodeKind::Seam)
        throw Error::input(fmt::format("no reach can be added at node {}: it is a seam", tributary.to_node));
    tributary.id = tributary.from_node = next_child(network, river);
    tributary.children = 0;
    if (has_outlet) tributary.to_node = child_id(tributary.id, ++tributary.children);
    tributary.next_down = main_reach_from(network, tributary.to_node);
    measure_line(tributary);
    const std::int64_t id = tributary.id;
    network.reaches.push_back(std::move(tributary));
    renew_nodes(network);
    order_reaches(network);
    order_nodes(network);
    return id;
}

Oxbow cut_off(RiverNetwork& network, std::int64_t reach, std::size_t first, std::size_t last) {
    Reach& river = network.reaches[place_of(network, reach)];
    if (last >= river.points.size() || first > last || last - first < 2)
        throw Error::input(
            fmt::format("reach {} can't be cut off from its point {} to {} of {}: give two with "
                        "others between them",
                        reach, first + 1, last + 1, river.points.size()));
    Oxbow oxbow{.id = next_child(network, river), .reach = reach, .points = {}, .values = {}};
    const auto begin = river.points.begin();
    const auto loop = begin + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(last);
    oxbow.points.assign(loop, end + 1);
    append_values(oxbow.values, river.values, first, last + 1);
    PointValues values;
    append_values(values, river.values, 0, first + 1);
    append_values(values, river.values, last, river.points.size());
    river.values = std::move(values);
    river.points.erase(loop + 1, end);
    measure_line(river);
    return oxbow;
}

Oxbow redirect_reach(RiverNetwork& network, std::int64_t reach, std::size_t point, std::int64_t node) {
    const std::size_t place = place_of(network, reach);
    const RiverNode target = node_of(network, node);
    const std::size_t points = network.reaches[place].points.size();
    if (point == 0 || point + 1 >= points || target.kind == NodeKind::Seam)
        throw Error::input(fmt::format(
            "reach {} can't turn from its point {} of {} to node {}: {}", reach, point + 1, points, node,
            target.kind == NodeKind::Seam ? "that is a seam" : "give an inner point"));
    if (network.reaches[place].from_node == node || runs_through(network, node, place))
        throw Error::input(
            fmt::format("reach {} can't end at node {}: its water comes from there", reach, node));
    Reach& river = network.reaches[place];
    Oxbow left{.id = next_child(network, river), .reach = reach, .points = {}, .values = {}};
    left.points.assign(river.points.begin() + static_cast<std::ptrdiff_t>(point), river.points.end());
    append_values(left.values, river.values, point, points);
    keep_line(river, 0, point);
    river.points.push_back(target.point);
    append_values(river.values, left.values, 0, left.values.empty() ? 0 : 1);
    measure_line(river);
    river.to_node = node;
    river.next_down = main_reach_from(network, node);
    renew_nodes(network);
    order_reaches(network);
    order_nodes(network);
    return left;
}

}  // namespace thalweg
