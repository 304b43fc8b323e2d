#include "thalweg/flow/survey/river_pieces.hpp"

#include "thalweg/core/cancelling.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr double kLeastStem = 20.0;  // steps
constexpr double kConcavity = 0.45;  // of chi, which is not looked at

StreamTree rivers_of(const Survey& survey, Progress& progress) {
    Field<std::uint8_t> heads(survey.elevation.grid());
    for_each_polled(0, heads.size(),
                    [&](std::int64_t cell) { heads[cell] = survey.upstream(cell) >= kHeadArea ? 1 : 0; });
    return stream_tree(survey.flow.tree, survey.lattice, survey.flow.drainage_area, survey.flow.elevation,
                       heads, kConcavity, progress);
}

void count_donors_and_orders(RiverPieces& rivers) {
    const StreamTree& tree = rivers.tree;
    rivers.donors.assign(at(tree.size()), 0);
    // While donors arrive, twice their highest order, plus 1 once two of them have it.
    rivers.order.assign(at(tree.size()), 0);
    for_each_polled(0, tree.size(), [&](std::int64_t number) {
        const std::size_t entry = at(tree.size() - 1 - number);
        std::int32_t& order = rivers.order[entry];
        order = std::max(order / 2 + order % 2, 1);
        if (tree.below[entry] < 0) return;
        ++rivers.donors[at(tree.below[entry])];
        std::int32_t& below = rivers.order[at(tree.below[entry])];
        if (order > below / 2) {
            below = 2 * order;
        } else if (order == below / 2) {
            below = 2 * order + 1;
        }
    });
}

/// From `entry` down to the first cell that is an end, and to the outlet where none is.
template <class IsEnd>
River way_down(const StreamTree& tree, std::int32_t entry, const IsEnd& is_end) {
    River river = {entry};
    while ((entry = tree.below[at(entry)]) >= 0) {
        river.push_back(entry);
        if (is_end(entry)) break;
    }
    return river;
}

void cut_into_links(RiverPieces& rivers) {
    for_each_polled(0, rivers.tree.size(), [&](std::int64_t number) {
        const auto entry = static_cast<std::int32_t>(number);
        if (rivers.donors[at(entry)] == 1) return;
        River link = way_down(rivers.tree, entry, [&](std::int32_t end) { return rivers.is_junction(end); });
        if (link.size() > 1) rivers.links.push_back(std::move(link));
    });
    std::ranges::stable_sort(rivers.links, {}, [](const River& link) { return link.back(); });
}

void cut_into_streams(RiverPieces& rivers) {
    const StreamTree& tree = rivers.tree;
    std::vector<std::uint8_t> has_donor_of_its_order(at(tree.size()), 0);
    for (std::int32_t entry = 0; entry < tree.size(); ++entry)
        if (const std::int32_t below = tree.below[at(entry)]; below >= 0)
            if (rivers.order[at(entry)] == rivers.order[at(below)]) has_donor_of_its_order[at(below)] = 1;
    for_each_polled(0, tree.size(), [&](std::int64_t number) {
        if (has_donor_of_its_order[at(number)] != 0) return;
        const std::int32_t order = rivers.order[at(number)];
        River stream = way_down(tree, static_cast<std::int32_t>(number),
                                [&](std::int32_t end) { return rivers.order[at(end)] != order; });
        if (stream.size() > 1) rivers.streams.push_back(std::move(stream));
    });
}

/// The head upstream of each entry that lies farthest from the outlet.
std::vector<std::int32_t> farthest_heads(const StreamTree& tree) {
    std::vector<std::int32_t> head(at(tree.size()), -1);
    for_each_polled(0, tree.size(), [&](std::int64_t number) {
        const std::int64_t entry = tree.size() - 1 - number;
        if (head[at(entry)] < 0) head[at(entry)] = static_cast<std::int32_t>(entry);
        if (tree.below[at(entry)] < 0) return;
        std::int32_t& below = head[at(tree.below[at(entry)])];
        if (below < 0 || tree.distance[at(head[at(entry)])] >= tree.distance[at(below)])
            below = head[at(entry)];
    });
    return head;
}

void cut_into_stems(const Survey& survey, RiverPieces& rivers) {
    const StreamTree& tree = rivers.tree;
    const std::vector<std::int32_t> farthest = farthest_heads(tree);
    const auto least = at(survey.scale.whole_cells(kLeastStem));
    for_each_polled(0, tree.size(), [&](std::int64_t number) {
        const auto head = static_cast<std::int32_t>(number);
        if (rivers.donors[at(head)] != 0) return;
        River stem = way_down(tree, head, [&](std::int32_t end) { return farthest[at(end)] != head; });
        if (stem.size() >= least) rivers.stems.push_back(std::move(stem));
    });
}

}  // namespace

std::span<const River> RiverPieces::links_into(std::int32_t entry) const {
    return std::ranges::equal_range(links, entry, {}, [](const River& link) { return link.back(); });
}

RiverPieces river_pieces(const Survey& survey, Progress& progress) {
    RiverPieces rivers;
    rivers.tree = rivers_of(survey, progress);
    count_donors_and_orders(rivers);
    cut_into_links(rivers);
    cut_into_streams(rivers);
    cut_into_stems(survey, rivers);
    return rivers;
}

double ground_share(const Survey& survey, const StreamTree& tree, std::span<const std::int32_t> river) {
    const auto on_ground = std::ranges::count_if(
        river, [&](std::int32_t entry) { return survey.ground[tree.cell[at(entry)]] != 0; });
    return static_cast<double>(on_ground) / static_cast<double>(river.size());
}

}  // namespace thalweg
