#include "thalweg/flow/graph/depth_first_order.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/sparse_loops.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 14;
constexpr std::int64_t kAhead = 24;  // cells ahead for which memory is asked (empirical)

}  // namespace

void DepthFirstOrder::find(const FlowTree& tree, const Progress& progress) {
    count_ = static_cast<std::int64_t>(tree.order.size());
    places_.resize(std::max(places_.size(), tree.direction.size()));
    visits_.resize(std::max(visits_.size(), tree.order.size() + kMargin));
    std::fill_n(visits_.begin() + count_, kMargin, TreeVisit{});
    place_roots(tree);
    progress.poll();
    const std::vector<std::int64_t>& starts = tree.run_starts;
    const std::int32_t most_in_trunk = visit_entries(tree, 0, starts.front());
    place_crossing(tree);
    most_links_ = parallel_reduce(
        0, static_cast<std::int64_t>(starts.size()) - 1, 1, most_in_trunk,
        [&](std::int64_t run, std::int64_t) {
            progress.poll();
            return visit_entries(tree, starts[at(run)], starts[at(run + 1)]);
        },
        [](std::int32_t a, std::int32_t b) { return std::max(a, b); });
}

/// Gives roots their places, one tree behind the other, and all other cells their sizes.
void DepthFirstOrder::place_roots(const FlowTree& tree) {
    const std::int64_t cells = static_cast<std::int64_t>(tree.direction.size());
    const std::uint8_t* const direction = tree.direction.data();
    const std::uint32_t* const upstream = tree.upstream_cells.data();
    // Cells outside too: none drains through them.
    const auto is_root = [=](std::int64_t cell) { return direction[cell] >= kRoot; };
    std::vector<std::int32_t> starts(at((cells + kCellsPerTask - 1) / kCellsPerTask) + 1, 0);
    parallel_for(0, cells, kCellsPerTask, [&](std::int64_t first, std::int64_t end) {
        std::uint32_t sum = 0;
        for_each_where(first, end, is_root, [&](std::int64_t cell) { sum += upstream[cell]; });
        starts[at(first / kCellsPerTask) + 1] = static_cast<std::int32_t>(sum);
    });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    parallel_for(0, cells, kCellsPerTask, [&](std::int64_t first, std::int64_t end) {
        Place* const places = places_.data();
        for (std::int64_t cell = first; cell < end; ++cell)
            places[cell] = {-static_cast<std::int32_t>(upstream[cell]), 0};
        std::int32_t next = starts[at(first / kCellsPerTask)];
        for_each_where(first, end, is_root, [&](std::int64_t cell) {
            places[cell].next = next;
            next += static_cast<std::int32_t>(upstream[cell]);
        });
    });
}

/// Gives cells of runs places next to donors of other runs, in one order; so runs do not depend on each
/// other.
void DepthFirstOrder::place_crossing(const FlowTree& tree) {
    for (const std::int32_t cell : tree.crossing) {
        Place& below = places_[at(tree.receiver(cell))];
        places_[at(cell)] = {below.next, below.links + 1};
        below.next += static_cast<std::int32_t>(tree.upstream_cells[at(cell)]);
    }
}

/// Visits entries [first, end) of the tree's order; returns the most links.
std::int32_t DepthFirstOrder::visit_entries(const FlowTree& tree, std::int64_t first, std::int64_t end) {
    const std::array<std::int32_t, 8> steps = eight_neighbours(tree.grid).index_steps();
    const std::int32_t* const order = tree.order.data();
    const std::uint8_t* const direction = tree.direction.data();
    Place* const places = places_.data();
    TreeVisit* const visits = visits_.data();
    std::int32_t most = 0;
    for (std::int64_t i = first; i < end; ++i) {
        if (i + kAhead < end) __builtin_prefetch(places + order[i + kAhead], 1);
        const std::int32_t cell = order[i];
        Place place = places[cell];
        if (place.next < 0) {
            const std::int32_t size = -place.next;
            Place& below = places[cell + steps[direction[cell]]];
            place = {below.next, below.links + 1};
            below.next += size;
        }
        most = std::max(most, place.links);
        visits[place.next] = {cell, place.links};
        places[cell] = {place.next + 1, place.links};
    }
    return most;
}

}  // namespace thalweg
