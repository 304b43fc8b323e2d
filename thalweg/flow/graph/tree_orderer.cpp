#include "thalweg/flow/graph/tree_orderer.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/graph/donor_rows.hpp"
#include "thalweg/flow/graph/waiting_states.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastRows = 64;  // in a strip; shorter ones leave too much to the trunk (empirical)
constexpr std::int64_t kLargestStrip = 1 << 22;  // cells, on grids of few long rows: some ms
constexpr std::int64_t kMostStrips = 64;         // empirical
constexpr std::size_t kTrunkWalkers = 8;         // in turns (empirical)
constexpr std::int64_t kCellsPerPoll = 1 << 20;
static_assert(TreeOrderer::kMostCells < kAwaited);

}  // namespace

void check_cells_to_order(const Grid& grid) {
    constexpr std::int64_t kMostCells = TreeOrderer::kMostCells;
    if (grid.cells() > kMostCells)
        throw Error::input(
            fmt::format("a grid of {} x {} cells is too large to route: at most {} cells are allowed",
                        grid.columns, grid.rows, kMostCells));
}

void TreeOrderer::order(FlowTree& tree, Progress& progress) {
    check_cells_to_order(tree.grid);
    divide(tree.grid);
    walk_strips(tree, progress);
    walk_trunk(tree, progress);
    write_order(tree);
    assert(std::none_of(tree.upstream_cells.begin(), tree.upstream_cells.end(),
                        [](std::uint32_t s) { return s >= kAwaited; }) &&
           "the directions form a cycle");
}

void TreeOrderer::divide(const Grid& grid) {
    const std::int64_t rows = grid.rows;
    const std::int64_t wanted = std::max(rows / kLeastRows, std::min(rows, grid.cells() / kLargestStrip));
    const std::int64_t count = std::clamp<std::int64_t>(wanted, 1, kMostStrips);
    const std::int64_t most_sources = grid.cells() + count * kSourceMargin;
    if (room_cells_ < most_sources) room_ = std::make_unique_for_overwrite<std::int32_t[]>(at(most_sources));
    room_cells_ = std::max(room_cells_, most_sources);
    strips_.resize(at(count));
    std::int32_t* room = room_.get();
    for (std::int64_t i = 0; i < count; ++i) {
        Strip& strip = strips_[at(i)];
        strip.first_row = static_cast<std::int32_t>(grid.rows * i / count);
        strip.rows = static_cast<std::int32_t>(grid.rows * (i + 1) / count) - strip.first_row;
        strip.room = {room, at(std::int64_t{strip.rows} * grid.columns + kSourceMargin)};
        room += strip.room.size();
    }
}

void TreeOrderer::walk_strips(FlowTree& tree, Progress& progress) {
    tree.upstream_cells.resize(tree.direction.size());
    parallel_for(0, std::ssize(strips_), 1, [&](std::int64_t strip, std::int64_t) {
        progress.poll();
        walkers_.with(
            [&](StripWalker& walker) { walker.walk(tree, strips_[at(strip)], tree.upstream_cells.data()); });
    });
}

/// Goes on from the cells that drain into another strip.
void TreeOrderer::walk_trunk(FlowTree& tree, Progress& progress) {
    tree.crossing.clear();
    std::int64_t visited = 0;
    for (const Strip& strip : strips_) {
        const std::int32_t first = strip.first_row * tree.grid.columns;
        for (const std::int32_t cell : strip.leaving) tree.crossing.push_back(first + cell);
        visited += std::ssize(strip.order);
    }
    const std::int64_t most_left = tree.grid.cells() - visited + 1;  // the last place is written in vain
    if (trunk_room_ < most_left) trunk_ = std::make_unique_for_overwrite<std::int32_t[]>(at(most_left));
    trunk_room_ = std::max(trunk_room_, most_left);
    const std::array<std::int32_t, 8> steps = index_steps(tree.grid.columns);
    const std::uint8_t* const direction = tree.direction.data();
    std::uint32_t* const state = tree.upstream_cells.data();
    std::int32_t* trunk = trunk_.get();
    const std::int32_t* polled = trunk;
    progress.poll();
    walk_in_turns<kTrunkWalkers>(
        tree.crossing.data(), tree.crossing.data() + tree.crossing.size(),
        [&, direction, state](std::int32_t& cell, std::int32_t next) -> std::int64_t {
            const std::uint8_t d = direction[cell];
            if (d >= kRoot) [[unlikely]] {
                cell = next;
                return -1;
            }
            const std::int32_t receiver = cell + steps[d];
            const std::uint32_t sum = state[receiver] + state[cell] - kAwaited;
            state[receiver] = sum;
            const std::int64_t waits = waiting_mask(sum);
            *trunk = receiver;
            trunk += waits + 1;
            if (trunk - polled > kCellsPerPoll) [[unlikely]] {
                progress.poll();
                polled = trunk;
            }
            cell = chosen(waits, next, receiver);
            return waits;
        });
    trunk_cells_ = trunk - trunk_.get();
}

void TreeOrderer::write_order(FlowTree& tree) {
    tree.run_starts.assign(1, trunk_cells_);
    for (const Strip& strip : strips_)
        tree.run_starts.push_back(tree.run_starts.back() + std::ssize(strip.order));
    tree.order.resize(at(tree.run_starts.back()));
    std::reverse_copy(trunk_.get(), trunk_.get() + trunk_cells_, tree.order.begin());
    parallel_for(0, std::ssize(strips_), 1, [&](std::int64_t i, std::int64_t) {
        const Strip& strip = strips_[at(i)];
        const std::int32_t first = strip.first_row * tree.grid.columns;
        std::transform(strip.order.begin(), strip.order.end(), tree.order.data() + tree.run_starts[at(i)],
                       [=](std::int32_t cell) { return first + cell; });
    });
}

}  // namespace thalweg
