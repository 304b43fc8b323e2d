#include "thalweg/flow/tree_orderer.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <memory>
#include <span>

#include <fmt/format.h>

namespace thalweg {
namespace {

// Strips that one thread walks in turns: one step waits for memory while others go on.
constexpr int kStripsAtOnce = 4;
constexpr std::int64_t kLeastRows = 16;   // in a strip; shorter ones leave too much to the trunk (empirical)
constexpr std::int64_t kMostStrips = 64;  // empirical
constexpr std::int64_t kLeastCountedCells = 1 << 16;  // in a strip, where cells are counted alone (empirical)
constexpr std::uint32_t kAwaited = std::uint32_t{1} << 28;  // one donor in a state
constexpr std::int64_t kCellsPerPoll = 1 << 20;
constexpr std::int64_t kCellsPerTask = 1 << 14;

/// Index steps of all directions; out of every grid for those that lead nowhere.
std::array<std::int32_t, 16> receiver_steps(const Grid& grid) {
    std::array<std::int32_t, 16> steps{};
    steps.fill(-(std::int32_t{1} << 30));
    for (std::size_t d = 0; d < 8; ++d) steps[d] = kRowStep[d] * grid.columns + kColumnStep[d];
    return steps;
}

/// How many donors each cell of a row has.
void count_donors(const FlowTree& tree, std::int64_t row, std::span<std::uint8_t> donors) {
    std::fill(donors.begin(), donors.end(), std::uint8_t{0});
    const Grid& grid = tree.grid;
    for (std::size_t d = 0; d < 8; ++d) {
        const std::int64_t other_row = row + kRowStep[d];
        if (other_row < 0 || other_row >= grid.rows) continue;
        const std::int64_t first = std::max(0, -kColumnStep[d]);
        const std::int64_t end = grid.columns - std::max(0, kColumnStep[d]);
        const std::uint8_t* const from = tree.direction.data() + other_row * grid.columns + kColumnStep[d];
        const std::uint8_t towards = static_cast<std::uint8_t>(opposite(static_cast<int>(d)));
        for (std::int64_t column = first; column < end; ++column)
            donors[at(column)] =
                static_cast<std::uint8_t>(donors[at(column)] + (from[column] == towards ? 1 : 0));
    }
}

}  // namespace

/// Rows that are walked together. Points into the orderer's memory.
struct TreeOrderer::Strip {
    std::int32_t first_cell = 0;
    std::uint32_t cells = 0;
    std::int32_t cell = 0;                 // the present one
    std::int32_t* begin = nullptr;         // its part of visited_: a place for each cell and one more
    std::int32_t* visited = nullptr;       // where the next cell is written
    const std::int32_t* source = nullptr;  // the present source; they fill the end of its part of visited_
    const std::int32_t* end_source = nullptr;
    std::int32_t* leaving = nullptr;  // where the next cell whose receiver lies in another strip is written

    [[nodiscard]] bool walks() const { return source != end_source; }
};

namespace {

/// Sets the states of a strip's cells and lists its sources. The walk will fill the part of `visited` from
/// the front: what has been walked and the sources that are left never need more than there is.
template <class Strip>
void prepare(const FlowTree& tree, Strip& strip, std::uint32_t* state, std::vector<std::uint8_t>& donors) {
    const std::int64_t columns = tree.grid.columns;
    std::int32_t* source = strip.begin + strip.cells;
    strip.end_source = source;
    const std::int64_t first_row = strip.first_cell / columns;
    for (std::int64_t row = first_row + strip.cells / columns; row-- > first_row;) {
        count_donors(tree, row, donors);
        const std::uint8_t* const direction = tree.direction.data() + row * columns;
        std::uint32_t* const states = state + row * columns;
        for (std::int64_t column = 0; column < columns; ++column)
            states[column] = donors[at(column)] * kAwaited + (direction[column] != kOutside ? 1U : 0U);
        const std::int32_t first = static_cast<std::int32_t>(row * columns);
        for (std::int32_t column = static_cast<std::int32_t>(columns); column-- > 0;) {
            source[-1] = first + column;
            // 1 where the state is 1, without a branch.
            source -= static_cast<std::ptrdiff_t>(((std::uint64_t{states[column]} ^ 1) - 1) >> 63);
        }
    }
    strip.visited = strip.begin;
    strip.source = source;
    if (strip.walks()) strip.cell = *source;
}

/// One cell further: to the receiver if this was the last donor that it awaited, else to the next source.
/// Without branches that depend on the terrain, for they would be guessed wrong.
template <bool IsListed, class Strip>
[[gnu::always_inline]] inline void step(Strip& strip, const std::uint8_t* direction,
                                        const std::array<std::int32_t, 16>& steps, std::uint32_t* state) {
    const std::int32_t cell = strip.cell;
    if constexpr (IsListed) *strip.visited++ = cell;
    const std::uint8_t d = direction[cell];
    const std::int32_t receiver = cell + steps[d];
    if (static_cast<std::uint32_t>(receiver - strip.first_cell) >= strip.cells) [[unlikely]] {
        if (d < 8) *strip.leaving++ = cell;
        strip.cell = *++strip.source;
        return;
    }
    const std::uint32_t sum = state[receiver] + state[cell] - kAwaited;
    state[receiver] = sum;
    std::int32_t waits = -static_cast<std::int32_t>(sum >= kAwaited);
    asm("" : "+r"(waits));  // or compilers make a branch of it, which is guessed wrong every other time
    strip.source += waits & 1;
    strip.cell = receiver ^ ((receiver ^ *strip.source) & waits);
}

/// Gives the strips of a group places for their sources alone.
template <class Strip>
std::unique_ptr<std::int32_t[]> room_for_sources(std::span<Strip> group) {
    std::size_t cells = 0;
    for (const Strip& strip : group) cells += strip.cells;
    auto room = std::make_unique_for_overwrite<std::int32_t[]>(cells + group.size());
    std::int32_t* begin = room.get();
    for (Strip& strip : group) {
        strip.begin = begin;
        begin += strip.cells + 1;
    }
    return room;
}

}  // namespace

void TreeOrderer::order(FlowTree& tree, Progress& progress) {
    const Grid& grid = tree.grid;
    std::vector<Strip> strips =
        divide(grid, std::clamp<std::int64_t>(grid.rows / kLeastRows, 1, kMostStrips));
    visited_.resize(at(grid.cells()) + strips.size());
    for (std::size_t i = 0; i < strips.size(); ++i)
        strips[i].begin = visited_.data() + at(strips[i].first_cell) + i;
    walk_strips<true>(tree, strips, progress);
    walk_trunk(tree, strips, progress);
    write_order(tree, strips);
    take_counts(tree);
}

void TreeOrderer::count(FlowTree& tree, Progress& progress) {
    const Grid& grid = tree.grid;
    std::vector<Strip> strips =
        divide(grid, std::clamp<std::int64_t>(grid.cells() / kLeastCountedCells, 1, std::max(1, grid.rows)));
    walk_strips<false>(tree, strips, progress);
    walk_trunk(tree, strips, progress);
    tree.order.clear();
    tree.run_starts.clear();
    take_counts(tree);
}

/// Cuts a grid into `count` strips, none of them with a place for its list yet.
std::vector<TreeOrderer::Strip> TreeOrderer::divide(const Grid& grid, std::int64_t count) {
    if (grid.cells() > kMostCells)
        throw Error::input(
            fmt::format("a grid of {} x {} cells is too large to route: at most {} cells are allowed",
                        grid.columns, grid.rows, kMostCells));
    state_.resize(at(grid.cells()));
    // A strip's cells leave it over its first and last row.
    leaving_.resize(at(count) * (2 * at(grid.columns) + 1));
    std::vector<Strip> strips(at(count));
    for (std::int64_t i = 0; i < count; ++i) {
        strips[at(i)].first_cell = static_cast<std::int32_t>(grid.rows * i / count * grid.columns);
        strips[at(i)].cells =
            static_cast<std::uint32_t>((grid.rows * (i + 1) / count - grid.rows * i / count) * grid.columns);
        strips[at(i)].leaving = leaving_of(i, grid);
    }
    return strips;
}

std::int32_t* TreeOrderer::leaving_of(std::int64_t strip, const Grid& grid) {
    return leaving_.data() + strip * (2 * std::int64_t{grid.columns} + 1);
}

template <bool IsListed>
void TreeOrderer::walk_strips(const FlowTree& tree, std::vector<Strip>& strips, Progress& progress) {
    const std::array<std::int32_t, 16> steps = receiver_steps(tree.grid);
    const std::uint8_t* const direction = tree.direction.data();
    std::uint32_t* const state = state_.data();
    const auto walk = [&](std::span<Strip> group) {
        std::vector<std::uint8_t> donors(at(tree.grid.columns));
        std::unique_ptr<std::int32_t[]> sources;
        if constexpr (!IsListed) sources = room_for_sources(group);
        for (Strip& strip : group) prepare(tree, strip, state, donors);
        if (group.size() == kStripsAtOnce) {
            Strip a = group[0], b = group[1], c = group[2], d = group[3];
            while (a.walks() & b.walks() & c.walks() & d.walks()) {
                step<IsListed>(a, direction, steps, state);
                step<IsListed>(b, direction, steps, state);
                step<IsListed>(c, direction, steps, state);
                step<IsListed>(d, direction, steps, state);
            }
            group[0] = a;
            group[1] = b;
            group[2] = c;
            group[3] = d;
        }
        for (Strip& strip : group)
            while (strip.walks()) step<IsListed>(strip, direction, steps, state);
    };
    const std::int64_t count = static_cast<std::int64_t>(strips.size());
    const std::int64_t cells_per_strip = std::max<std::int64_t>(1, tree.grid.cells() / count);
    const std::int64_t groups = std::max<std::int64_t>(1, kCellsPerTask / cells_per_strip / kStripsAtOnce);
    parallel_for(0, count, groups * kStripsAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; i += kStripsAtOnce) {
            progress.poll();
            walk(std::span(strips).subspan(at(i), at(std::min<std::int64_t>(kStripsAtOnce, last - i))));
        }
    });
}

void TreeOrderer::walk_trunk(const FlowTree& tree, const std::vector<Strip>& strips, Progress& progress) {
    trunk_.clear();
    for (std::size_t i = 0; i < strips.size(); ++i) {
        const std::int32_t* const leaving = leaving_of(static_cast<std::int64_t>(i), tree.grid);
        for (const std::int32_t source : std::span(leaving, strips[i].leaving)) {
            for (std::int32_t cell = source;;) {
                if (static_cast<std::int64_t>(trunk_.size()) % kCellsPerPoll == 0) progress.poll();
                const std::int32_t receiver = tree.receiver(cell);
                if (receiver < 0) break;
                std::uint32_t& state = state_[at(receiver)];
                state += (state_[at(cell)] & kCount) - kAwaited;
                if (state >= kAwaited) break;
                trunk_.push_back(receiver);
                cell = receiver;
            }
        }
    }
}

void TreeOrderer::write_order(FlowTree& tree, const std::vector<Strip>& strips) {
    tree.run_starts.assign(1, static_cast<std::int64_t>(trunk_.size()));
    for (const Strip& strip : strips)
        tree.run_starts.push_back(tree.run_starts.back() + (strip.visited - strip.begin));
    tree.order.resize(at(tree.run_starts.back()));
    std::reverse_copy(trunk_.begin(), trunk_.end(), tree.order.begin());
    parallel_for(0, static_cast<std::int64_t>(strips.size()), 1, [&](std::int64_t first, std::int64_t) {
        const Strip& strip = strips[at(first)];
        std::reverse_copy(strip.begin, strip.visited, tree.order.data() + tree.run_starts[at(first)]);
    });
}

void TreeOrderer::take_counts(FlowTree& tree) {
    tree.upstream_cells.swap(state_);
    assert(std::none_of(tree.upstream_cells.begin(), tree.upstream_cells.end(),
                        [](std::uint32_t s) { return s >= kAwaited; }) &&
           "the directions form a cycle");
}

}  // namespace thalweg
