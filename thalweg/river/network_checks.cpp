#include "thalweg/river/network_checks.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kJoinTolerance = 0.0011;  // m: coordinates rounded to millimetres still meet

using PlaceOfId = std::unordered_map<std::int64_t, std::size_t>;

/// One network under check, with errors that name its origin.
class NetworkCheck {
  public:
    NetworkCheck(const RiverNetwork& network, const std::string& origin)
        : network_(network), origin_(origin) {}

    void run() {
        for (std::size_t i = 0; i < network_.nodes.size(); ++i) check_node(i);
        for (std::size_t i = 0; i < network_.reaches.size(); ++i) check_reach(i);
        for (const Reach& reach : network_.reaches) check_way_down(reach);
        check_circles();
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
              reach.velocity, reach.sinuosity, reach.stream_power})
            if (!std::isfinite(quantity)) refuse(reach, "has an attribute that is no finite number");
        check_line(reach);
        check_end(reach, reach.from_node, reach.points.front(), "from_node", "begin");
        check_end(reach, reach.to_node, reach.points.back(), "to_node", "end");
    }

    void check_line(const Reach& reach) const {
        if (reach.points.size() < 2)
            refuse(reach, fmt::format("has a line of {} points: at least 2 are needed", reach.points.size()));
        if (!std::ranges::all_of(reach.points, is_finite))
            refuse(reach, "has a coordinate that is no finite number");
        for (std::size_t i = 1; i < reach.points.size(); ++i)
            if (reach.points[i].z > reach.points[i - 1].z)
                refuse(reach, fmt::format("rises from {} m to {} m at its point {}: lines run downstream",
                                          reach.points[i - 1].z, reach.points[i].z, i + 1));
    }

    void check_end(const Reach& reach, std::int64_t id, const RiverPoint& end, const char* attribute,
                   const char* verb) const {
        const auto found = node_.find(id);
        if (found == node_.end())
            refuse(reach, fmt::format("has the {} {}, and there is no such node", attribute, id));
        if (!is_same_place(network_.nodes[found->second].point, end))
            refuse(reach, fmt::format("does not {} at its node {}", verb, id));
    }

    void check_way_down(const Reach& reach) const {
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

    /// Follows every way down as far as no way before it has come.
    void check_circles() const {
        constexpr std::size_t kUnseen = static_cast<std::size_t>(-1);
        std::vector<std::size_t> seen_by(network_.reaches.size(), kUnseen);
        for (std::size_t start = 0; start < network_.reaches.size(); ++start) {
            std::size_t place = start;
            while (seen_by[place] == kUnseen) {
                seen_by[place] = start;
                const std::int64_t next = network_.reaches[place].next_down;
                if (next == -1) break;
                place = reach_.at(next);
                if (seen_by[place] == start)
                    refuse(network_.reaches[place], "flows into itself: next_down leads in a circle");
            }
        }
    }

    const RiverNetwork& network_;
    const std::string& origin_;
    PlaceOfId node_;   // in network_.nodes
    PlaceOfId reach_;  // in network_.reaches
};

/// How many reaches follow each one on its way to the outlet.
std::vector<std::size_t> reaches_below(const std::vector<Reach>& reaches) {
    PlaceOfId place;
    for (std::size_t i = 0; i < reaches.size(); ++i) place.emplace(reaches[i].id, i);
    std::vector<std::size_t> below(reaches.size(), 0);
    std::vector<bool> known(reaches.size(), false);
    std::vector<std::size_t> way;
    for (std::size_t start = 0; start < reaches.size(); ++start) {
        way.clear();
        for (std::size_t i = start; !known[i]; i = place.at(reaches[i].next_down)) {
            way.push_back(i);
            known[i] = true;
            if (reaches[i].next_down == -1) break;
        }
        for (auto i = way.rbegin(); i != way.rend(); ++i)
            if (reaches[*i].next_down != -1) below[*i] = below[place.at(reaches[*i].next_down)] + 1;
    }
    return below;
}

bool lie_in_order(const std::vector<Reach>& reaches) {
    std::unordered_set<std::int64_t> passed;
    for (const Reach& reach : reaches) {
        if (passed.contains(reach.next_down)) return false;
        passed.insert(reach.id);
    }
    return true;
}

}  // namespace

void check_network(const RiverNetwork& network, const std::string& origin) {
    NetworkCheck(network, origin).run();
}

void order_reaches(RiverNetwork& network) {
    if (lie_in_order(network.reaches)) return;
    const std::vector<std::size_t> below = reaches_below(network.reaches);
    std::vector<std::size_t> order(network.reaches.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return below[a] > below[b]; });
    std::vector<Reach> ordered;
    ordered.reserve(order.size());
    for (const std::size_t place : order) ordered.push_back(std::move(network.reaches[place]));
    network.reaches = std::move(ordered);
}

std::vector<RiverNode> nodes_at_ends(const std::vector<Reach>& reaches) {
    std::unordered_map<std::int64_t, std::int64_t> begin;  // node where each reach begins
    for (const Reach& reach : reaches) begin.emplace(reach.id, reach.from_node);
    std::unordered_set<std::int64_t> ends;
    std::unordered_set<std::int64_t> seams;
    for (const Reach& reach : reaches) {
        ends.insert(reach.to_node);
        const auto below = begin.find(reach.next_down);
        if (below != begin.end() && below->second != reach.to_node)
            seams.insert({reach.to_node, below->second});
    }
    std::unordered_set<std::int64_t> known;
    std::vector<RiverNode> nodes;
    const auto add = [&](std::int64_t id, NodeKind kind, const RiverPoint& point) {
        if (!known.insert(id).second) return;
        nodes.push_back({.id = id, .kind = seams.contains(id) ? NodeKind::Seam : kind, .point = point});
    };
    for (const Reach& reach : reaches)
        add(reach.from_node, ends.contains(reach.from_node) ? NodeKind::Confluence : NodeKind::Source,
            reach.points.front());
    for (const Reach& reach : reaches) add(reach.to_node, NodeKind::Outlet, reach.points.back());
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
