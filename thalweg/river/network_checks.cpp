#include "thalweg/river/network_checks.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/river/point_values.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kJoinTolerance = 0.0011;  // m: coordinates rounded to millimetres still meet

using PlaceOfId = std::unordered_map<std::int64_t, std::size_t>;

/// One network under check, with errors that name its origin.
class NetworkCheck {
  public:
    NetworkCheck(const RiverNetwork& network, const std::string& origin, NetworkProfile profile)
        : network_(network), origin_(origin), is_forest_(profile == NetworkProfile::DownhillForest) {}

    void run() {
        for (std::size_t i = 0; i < network_.nodes.size(); ++i) check_node(i);
        for (std::size_t i = 0; i < network_.reaches.size(); ++i) check_reach(i);
        for (const Reach& reach : network_.reaches) check_descent(reach);
        const ReachGraph graph(network_.reaches);
        for (std::int64_t i = 0; i < graph.size(); ++i) check_neighbours(graph, i);
        check_circles(graph);
    }

  private:
    [[noreturn]] void refuse(const std::string& subject, const std::string& wrong) const {
        throw Error::input(fmt::format("{}: {} {}", origin_, subject, wrong));
    }
    [[noreturn]] void refuse(const Reach& reach, const std::string& wrong) const {
        refuse(fmt::format("reach {}", reach.id), wrong);
    }

    static bool is_finite(const RiverPoint& point) {
        return std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z);
    }
    static bool is_same_place(const RiverPoint& a, const RiverPoint& b) {
        return std::abs(a.x - b.x) <= kJoinTolerance && std::abs(a.y - b.y) <= kJoinTolerance &&
               std::abs(a.z - b.z) <= kJoinTolerance;
    }

    [[nodiscard]] bool is_seam(std::int64_t node) const {
        return network_.nodes[node_.at(node)].kind == NodeKind::Seam;
    }

    void check_node(std::size_t place) {
        const RiverNode& node = network_.nodes[place];
        const std::string name = fmt::format("node {}", node.id);
        if (node.id < 0) refuse(name, "has a negative id");
        if (!node_.emplace(node.id, place).second) refuse(name, "is there twice: ids must be unique");
        if (!is_finite(node.point)) refuse(name, "has a coordinate that is no finite number");
    }

    void check_reach(std::size_t place) {
        const Reach& reach = network_.reaches[place];
        if (reach.id < 0) refuse(reach, "has a negative id");
        if (!reach_.emplace(reach.id, place).second) refuse(reach, "is there twice: ids must be unique");
        if (reach.strahler < 1)
            refuse(reach, fmt::format("has the strahler order {}: at least 1 is allowed", reach.strahler));
        for (const double quantity :
             {reach.length, reach.upland_area, reach.discharge, reach.slope, reach.width, reach.depth,
              reach.bankfull_discharge, reach.velocity, reach.sinuosity, reach.stream_power})
            if (!std::isfinite(quantity)) refuse(reach, "has an attribute that is no finite number");
        if (reach.children < 0)
            refuse(reach, fmt::format("has {} children: at least 0 are allowed", reach.children));
        check_line(reach);
        check_values(reach);
        check_end(reach, reach.from_node, reach.points.front(), "from_node", "begin");
        check_end(reach, reach.to_node, reach.points.back(), "to_node", "end");
    }

    void check_line(const Reach& reach) const {
        if (reach.points.size() < 2)
            refuse(reach, fmt::format("has a line of {} points: at least 2 are needed", reach.points.size()));
        if (!std::ranges::all_of(reach.points, is_finite))
            refuse(reach, "has a coordinate that is no finite number");
        for (std::size_t i = 1; is_forest_ && i < reach.points.size(); ++i)
            if (reach.points[i].z > reach.points[i - 1].z)
                refuse(reach, fmt::format("rises from {} m to {} m at its point {}: lines run downstream",
                                          reach.points[i - 1].z, reach.points[i].z, i + 1));
    }

    void check_values(const Reach& reach) const {
        if (reach.values.empty()) return;
        for_each_column(reach.values, [&](const std::vector<float>& column) {
            if (column.size() != reach.points.size())
                refuse(reach, fmt::format("has {} values of its {} points: each needs one", column.size(),
                                          reach.points.size()));
            for (std::size_t i = 0; i < column.size(); ++i)
                if (!std::isfinite(column[i]) || column[i] < 0.0F)
                    refuse(reach,
                           fmt::format("has the width, depth or discharge {} at its point {}: a finite "
                                       "number of at least 0 is allowed",
                                       column[i], i + 1));
        });
    }

    void check_end(const Reach& reach, std::int64_t id, const RiverPoint& end, const char* attribute,
                   const char* verb) const {
        const auto found = node_.find(id);
        if (found == node_.end())
            refuse(reach, fmt::format("has the {} {}, and there is no such node", attribute, id));
        if (!is_same_place(network_.nodes[found->second].point, end))
            refuse(reach, fmt::format("does not {} at its node {}", verb, id));
    }

    void check_descent(const Reach& reach) const {
        if (reach.next_down == -1) {
            if (network_.nodes[node_.at(reach.to_node)].kind != NodeKind::Outlet)
                refuse(reach,
                       fmt::format("has no reach below it, but its node {} is no outlet", reach.to_node));
            return;
        }
        const auto below = reach_.find(reach.next_down);
        if (below == reach_.end())
            refuse(reach, fmt::format("has the next_down {}, and there is no such reach", reach.next_down));
        const std::int64_t begin = network_.reaches[below->second].from_node;
        if (begin != reach.to_node && !(is_seam(begin) && is_seam(reach.to_node)))
            refuse(reach, fmt::format("ends at node {}, but reach {} below it begins at node {}",
                                      reach.to_node, reach.next_down, begin));
    }

    void check_neighbours(const ReachGraph& graph, std::int64_t place) const {
        const Reach& reach = network_.reaches[at(place)];
        const auto below = graph.below(place);
        if (reach.next_down == -1 && !below.empty())
            refuse(reach, fmt::format("has no reach below it, but reach {} begins at its outlet {}",
                                      network_.reaches[at(below.front())].id, reach.to_node));
        const std::int64_t first = graph.beside(place).front();
        if (is_forest_ && first != place)
            refuse(reach, fmt::format("begins at node {}, where reach {} begins too: in a forest no river "
                                      "parts",
                                      reach.from_node, network_.reaches[at(first)].id));
    }

    /// Of reaches that no order brings downstream, goes up from one to one above it until it comes round.
    void check_circles(const ReachGraph& graph) const {
        std::vector<bool> is_ordered(network_.reaches.size(), false);
        for (const std::int32_t place : graph.downstream_order()) is_ordered[at(place)] = true;
        const auto found = std::ranges::find(is_ordered, false);
        if (found == is_ordered.end()) return;
        std::int64_t place = found - is_ordered.begin();
        std::vector<bool> is_passed(network_.reaches.size(), false);
        while (!is_passed[at(place)]) {
            is_passed[at(place)] = true;
            place = *std::ranges::find_if(graph.above(place),
                                          [&](std::int32_t above) { return !is_ordered[at(above)]; });
        }
        refuse(network_.reaches[at(place)], "flows into itself: its way down leads in a circle");
    }

    const RiverNetwork& network_;
    const std::string& origin_;
    const bool is_forest_;
    PlaceOfId node_;   // in network_.nodes
    PlaceOfId reach_;  // in network_.reaches
};

/// How many reaches follow each one on its longest flow path to an outlet.
std::vector<std::int32_t> reaches_below(const ReachGraph& graph) {
    std::vector<std::int32_t> below(at(graph.size()), 0);
    const std::vector<std::int32_t> order = graph.downstream_order();
    for (auto place = order.rbegin(); place != order.rend(); ++place)
        for (const std::int32_t next : graph.below(*place))
            below[at(*place)] = std::max(below[at(*place)], below[at(next)] + 1);
    return below;
}

bool lie_in_order(const ReachGraph& graph) {
    for (std::int64_t place = 0; place < graph.size(); ++place)
        if (!graph.below(place).empty() && graph.below(place).front() <= place) return false;
    return true;
}

}  // namespace

void check_network(const RiverNetwork& network, const std::string& origin, NetworkProfile profile) {
    NetworkCheck(network, origin, profile).run();
}

void order_reaches(RiverNetwork& network) {
    const ReachGraph graph(network.reaches);
    if (lie_in_order(graph)) return;
    const std::vector<std::int32_t> below = reaches_below(graph);
    std::vector<std::size_t> order(network.reaches.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return below[a] > below[b]; });
    std::vector<Reach> ordered;
    ordered.reserve(order.size());
    for (const std::size_t place : order) ordered.push_back(std::move(network.reaches[place]));
    network.reaches = std::move(ordered);
}

NodeKind kind_of_node(std::size_t ending, std::size_t beginning) {
    if (beginning == 0) return NodeKind::Outlet;
    if (beginning > 1) return NodeKind::Bifurcation;
    return ending == 0 ? NodeKind::Source : NodeKind::Confluence;
}

std::vector<RiverNode> nodes_at_ends(const std::vector<Reach>& reaches) {
    const ReachGraph graph(reaches);
    std::unordered_set<std::int64_t> known;
    std::vector<RiverNode> nodes;
    const auto add = [&](std::int64_t id, bool is_seam, const RiverPoint& point, std::size_t ending,
                         std::size_t beginning) {
        if (!known.insert(id).second) return;
        nodes.push_back(
            {.id = id, .kind = is_seam ? NodeKind::Seam : kind_of_node(ending, beginning), .point = point});
    };
    const auto is_at = [&](std::span<const std::int32_t> places, std::int64_t Reach::* end,
                           std::int64_t node) {
        return std::ranges::all_of(places,
                                   [&](std::int32_t place) { return reaches[at(place)].*end == node; });
    };
    for (std::int64_t i = 0; i < graph.size(); ++i) {
        const Reach& reach = reaches[at(i)];
        const auto above = graph.above(i);
        add(reach.from_node, !is_at(above, &Reach::to_node, reach.from_node), reach.points.front(),
            above.size(), graph.beside(i).size());
    }
    for (std::int64_t i = 0; i < graph.size(); ++i) {
        const Reach& reach = reaches[at(i)];
        const auto below = graph.below(i);
        add(reach.to_node, !is_at(below, &Reach::from_node, reach.to_node), reach.points.back(), 1,
            below.size());
    }
    return nodes;
}

void order_nodes(RiverNetwork& network) {
    PlaceOfId places;  // of nodes
    for_each_polled(0, std::ssize(network.nodes), [&](std::int64_t i) {
        places.emplace(network.nodes[static_cast<std::size_t>(i)].id, static_cast<std::size_t>(i));
    });
    std::vector<RiverNode> ordered;
    ordered.reserve(network.nodes.size());
    for_each_polled(network.reaches, [&](const Reach& reach) {
        const auto begin = places.find(reach.from_node);
        if (begin == places.end()) return;
        ordered.push_back(network.nodes[begin->second]);
        places.erase(begin);
    });
    const std::size_t begins = ordered.size();
    for (const auto& [id, place] : places) ordered.push_back(network.nodes[place]);
    std::ranges::sort(ordered.begin() + static_cast<std::ptrdiff_t>(begins), ordered.end(), {},
                      &RiverNode::id);
    network.nodes = std::move(ordered);
}

}  // namespace thalweg
