#include "thalweg/river/reach_graph.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"

#include <numeric>

namespace thalweg {
namespace {

/// Sets that are united two by two, each known by one of its members.
class Sets {
  public:
    explicit Sets(std::int32_t count) : parent_(at(count)) { std::iota(parent_.begin(), parent_.end(), 0); }
    std::int32_t of(std::int32_t member) {
        while (parent_[at(member)] != member) member = parent_[at(member)] = parent_[at(parent_[at(member)])];
        return member;
    }
    void unite(std::int32_t a, std::int32_t b) { parent_[at(of(b))] = of(a); }

  private:
    std::vector<std::int32_t> parent_;
};

}  // namespace

ReachGraph::ReachGraph(std::span<const Reach> reaches) {
    std::unordered_map<std::int64_t, std::int32_t> junctions;  // by the ids of nodes
    const auto junction_of = [&](std::int64_t node) {
        return junctions.emplace(node, static_cast<std::int32_t>(junctions.size())).first->second;
    };
    for_each_polled(reaches, [&](const Reach& reach) {
        place_.emplace(reach.id, static_cast<std::int32_t>(from_.size()));
        from_.push_back(junction_of(reach.from_node));
        to_.push_back(junction_of(reach.to_node));
    });
    const auto count = static_cast<std::int32_t>(junctions.size());
    Sets united(count);
    for_each_polled(0, size(), [&](std::int64_t i) {
        const std::int64_t next = place_of(reaches[at(i)].next_down);
        if (next >= 0 && from_[at(next)] != to_[at(i)]) united.unite(to_[at(i)], from_[at(next)]);
    });
    for_each_polled(0, size(), [&](std::int64_t i) {
        from_[at(i)] = united.of(from_[at(i)]);
        to_[at(i)] = united.of(to_[at(i)]);
    });
    beginning_ = lists_by(from_, count);
    ending_ = lists_by(to_, count);
}

ReachGraph::Lists ReachGraph::lists_by(std::span<const std::int32_t> junctions, std::int32_t count) {
    Lists lists{.first = std::vector<std::int32_t>(at(count) + 1, 0),
                .reach = std::vector<std::int32_t>(junctions.size())};
    for (const std::int32_t junction : junctions) ++lists.first[at(junction) + 1];
    std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
    std::vector<std::int32_t> next(lists.first.begin(), lists.first.end() - 1);
    for_each_polled(0, std::ssize(junctions), [&](std::int64_t i) {
        lists.reach[at(next[at(junctions[at(i)])]++)] = static_cast<std::int32_t>(i);
    });
    return lists;
}

std::span<const std::int32_t> ReachGraph::Lists::of(std::int32_t junction) const {
    return std::span(reach).subspan(at(first[at(junction)]),
                                    at(first[at(junction) + 1] - first[at(junction)]));
}

std::span<const std::int32_t> ReachGraph::above(std::int64_t reach) const {
    return ending_.of(from_[at(reach)]);
}

std::span<const std::int32_t> ReachGraph::below(std::int64_t reach) const {
    return beginning_.of(to_[at(reach)]);
}

std::span<const std::int32_t> ReachGraph::beside(std::int64_t reach) const {
    return beginning_.of(from_[at(reach)]);
}

bool ReachGraph::flows_into(std::int64_t above, std::int64_t below) const {
    std::vector<std::int32_t> open = {static_cast<std::int32_t>(above)};
    std::vector<char> is_seen(from_.size(), 0);
    while (!open.empty()) {
        const std::int32_t at = open.back();
        open.pop_back();
        if (at == below) return true;
        if (std::exchange(is_seen[at], 1) != 0) continue;
        for (const std::int32_t next : this->below(at)) open.push_back(next);
    }
    return false;
}

std::int64_t ReachGraph::place_of(std::int64_t id) const {
    const auto found = place_.find(id);
    return found == place_.end() ? -1 : found->second;
}

std::vector<std::int32_t> ReachGraph::downstream_order() const {
    std::vector<std::int32_t> missing(from_.size());  // reaches above that are still to come
    std::vector<std::int32_t> order;
    order.reserve(from_.size());
    for_each_polled(0, size(), [&](std::int64_t i) {
        missing[at(i)] = static_cast<std::int32_t>(above(i).size());
        if (missing[at(i)] == 0) order.push_back(static_cast<std::int32_t>(i));
    });
    for (std::size_t next = 0; next < order.size(); ++next)
        for (const std::int32_t reach : below(order[next]))
            if (--missing[at(reach)] == 0) order.push_back(reach);
    return order;
}

}  // namespace thalweg
