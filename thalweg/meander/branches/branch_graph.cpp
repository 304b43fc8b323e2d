#include "thalweg/meander/branches/branch_graph.hpp"

#include "thalweg/meander/channel/line_edits.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <unordered_map>
#include <utility>

namespace thalweg {
namespace {

/// Adds the points of a line to another that ends where it begins.
void append(ChannelLine& line, const ChannelLine& below) {
    for_each_column(line, below, [](auto& column, const auto& of) {
        column.insert(column.end(), of.begin() + 1, of.end());
    });
}

/// Adds a point in the middle of a line of two.
void add_middle(ChannelLine& line) {
    for_each_column(line, line, [](auto& column, const auto&) {
        column.insert(column.begin() + 1, (column[0] + column[1]) / 2);
    });
}

/// The places of the branches that begin, or end, at each node, ascending.
class BranchesByNode {
  public:
    BranchesByNode(const RiverBranches& branches, std::int32_t RiverBranch::* end)
        : first_(static_cast<std::size_t>(branches.nodes) + 1, 0), places_(branches.channels.size()) {
        for (const RiverBranch& branch : branches.channels) ++first_[branch.*end + 1];
        std::partial_sum(first_.begin(), first_.end(), first_.begin());
        std::vector<std::size_t> next = first_;
        for (std::size_t i = 0; i < branches.channels.size(); ++i)
            places_[next[branches.channels[i].*end]++] = static_cast<std::int32_t>(i);
    }

    [[nodiscard]] std::span<const std::int32_t> at(std::int32_t node) const {
        return std::span(places_).subspan(first_[node], first_[node + 1] - first_[node]);
    }

  private:
    std::vector<std::size_t> first_;
    std::vector<std::int32_t> places_;
};

void number_anew(RiverBranches& branches) {
    std::unordered_map<std::int32_t, std::int32_t> numbers = {{kHeadNode, kHeadNode}, {kEndNode, kEndNode}};
    const auto number = [&](std::int32_t node) {
        return numbers.try_emplace(node, static_cast<std::int32_t>(numbers.size())).first->second;
    };
    for (RiverBranch& branch : branches.channels) {
        branch.from = number(branch.from);
        branch.to = number(branch.to);
    }
    branches.nodes = static_cast<std::int32_t>(numbers.size());
}

}  // namespace

std::vector<bool> nodes_above(const RiverBranches& branches, std::int32_t node) {
    const BranchesByNode ending(branches, &RiverBranch::to);
    std::vector<bool> is_above(static_cast<std::size_t>(branches.nodes), false);
    std::vector<std::int32_t> open = {node};
    is_above[node] = true;
    while (!open.empty()) {
        const std::int32_t at = open.back();
        open.pop_back();
        for (const std::int32_t place : ending.at(at)) {
            const std::int32_t above = branches.channels[place].from;
            if (is_above[above]) continue;
            is_above[above] = true;
            open.push_back(above);
        }
    }
    return is_above;
}

bool flows_to(const RiverBranches& branches, std::int32_t from, std::int32_t to) {
    return nodes_above(branches, to)[from];
}

void share_water(RiverBranches& branches) {
    const auto nodes = static_cast<std::size_t>(branches.nodes);
    std::vector<double> water(nodes, 0.0);
    std::vector<double> weights(nodes, 0.0);
    std::vector<int> open_above(nodes, 0);
    for (const RiverBranch& branch : branches.channels) {
        weights[branch.from] += branch.weight;
        ++open_above[branch.to];
    }
    water[kHeadNode] = 1.0;
    const BranchesByNode beginning(branches, &RiverBranch::from);
    // Each node once all that ends there is known.
    std::vector<std::int32_t> ready = {kHeadNode};
    while (!ready.empty()) {
        const std::int32_t node = ready.back();
        ready.pop_back();
        for (const std::int32_t place : beginning.at(node)) {
            RiverBranch& branch = branches.channels[place];
            branch.weight /= weights[node];
            branch.share = branch.weight * water[node];
            water[branch.to] += branch.share;
            if (--open_above[branch.to] == 0) ready.push_back(branch.to);
        }
    }
}

std::int32_t split_branch(RiverBranches& branches, std::size_t place, std::size_t point, std::int64_t id) {
    RiverBranch& upper = branches.channels[place];
    if (upper.line.size() == 2) add_middle(upper.line);
    point = std::clamp<std::size_t>(point, 1, upper.line.size() - 2);
    const std::int32_t node = branches.nodes++;
    RiverBranch lower{.id = id,
                      .from = node,
                      .to = upper.to,
                      .weight = 1.0,
                      .share = upper.share,
                      .line = part_of(upper.line, point, upper.line.size() - 1)};
    upper.to = node;
    upper.line = part_of(upper.line, 0, point);
    branches.channels.push_back(std::move(lower));
    return node;
}

bool can_be_left(const RiverBranches& branches, std::size_t place) {
    return std::ranges::count(branches.channels, branches.channels[place].from, &RiverBranch::from) > 1;
}

std::vector<RiverBranch> leave_dry_branches(RiverBranches& branches) {
    std::vector<RiverBranch> left;
    std::vector<int> ending(static_cast<std::size_t>(branches.nodes), 0);
    for (const RiverBranch& branch : branches.channels) ++ending[branch.to];
    ending[kHeadNode] = 1;
    const auto is_dry = [&](const RiverBranch& branch) { return ending[branch.from] == 0; };
    for (auto dry = std::ranges::find_if(branches.channels, is_dry); dry != branches.channels.end();
         dry = std::ranges::find_if(branches.channels, is_dry)) {
        --ending[dry->to];
        left.push_back(std::move(*dry));
        branches.channels.erase(dry);
    }
    return left;
}

std::vector<RiverBranch> leave_branch(RiverBranches& branches, std::size_t place) {
    std::vector<RiverBranch> left = {std::move(branches.channels[place])};
    branches.channels.erase(branches.channels.begin() + static_cast<std::ptrdiff_t>(place));
    std::ranges::move(leave_dry_branches(branches), std::back_inserter(left));
    return left;
}

void merge_branches(RiverBranches& branches) {
    std::vector<RiverBranch>& channels = branches.channels;
    const auto nodes = static_cast<std::size_t>(branches.nodes);
    std::vector<int> ending(nodes, 0);
    std::vector<int> beginning(nodes, 0);
    std::vector<std::size_t> below(nodes, 0);  // place of the last branch that begins there
    for (std::size_t i = 0; i < channels.size(); ++i) {
        ++ending[channels[i].to];
        ++beginning[channels[i].from];
        below[channels[i].from] = i;
    }
    std::vector<bool> is_merged(channels.size(), false);
    for (std::size_t i = 0; i < channels.size(); ++i) {
        if (is_merged[i]) continue;
        RiverBranch& upper = channels[i];
        while (ending[upper.to] == 1 && beginning[upper.to] == 1) {
            const std::size_t lower = below[upper.to];
            append(upper.line, channels[lower].line);
            upper.to = channels[lower].to;
            is_merged[lower] = true;
        }
    }
    std::vector<RiverBranch> kept;
    for (std::size_t i = 0; i < channels.size(); ++i)
        if (!is_merged[i]) kept.push_back(std::move(channels[i]));
    channels = std::move(kept);
    number_anew(branches);
}

}  // namespace thalweg
