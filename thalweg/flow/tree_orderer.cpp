#include "thalweg/flow/tree_orderer.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/donor_rows.hpp"
#include "thalweg/flow/waiting_states.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr std::int64_t kStripsAtOnce = kMostWalkers;
constexpr std::int64_t kLeastRows = 16;   // in a strip; shorter ones leave too much to the trunk (empirical)
constexpr std::int64_t kMostStrips = 64;  // empirical
constexpr std::size_t kStripMargin = 1 + kSourceMargin;  // places around a strip's cells
constexpr std::int64_t kCellsPerTask = 1 << 13;
constexpr std::size_t kCellsPerPoll = 1 << 20;

/// Index steps of all directions; out of every grid for those that lead nowhere.
std::array<std::int32_t, 16> receiver_steps(const Grid& grid) {
    std::array<std::int32_t, 16> steps{};
    steps.fill(-(std::int32_t{1} << 30));
    for (std::size_t d = 0; d < 8; ++d) steps[d] = kRowStep[d] * grid.columns + kColumnStep[d];
    return steps;
}

/// A row of directions and those above and below it, from the last row up, with kOutside around.
class DirectionRows {
  public:
    DirectionRows(const FlowTree& tree, std::int64_t last_row)
        : tree_(tree), stride_(at(tree.grid.columns) + 2 * at(kDonorMargin)), values_(3 * stride_, kOutside) {
        read(last_row + 1, below_);
        read(last_row, here_);
        read(last_row - 1, above_);
    }

    [[nodiscard]] DonorRow donor_row(std::int64_t row) {
        const std::int32_t columns = tree_.grid.columns;
        return {first(above_), first(here_), first(below_), static_cast<std::int32_t>(row * columns),
                columns};
    }

    /// `row`: the one after the step.
    void step_up(std::int64_t row) {
        const std::size_t free = below_;
        below_ = here_;
        here_ = above_;
        above_ = free;
        read(row - 1, above_);
    }

  private:
    [[nodiscard]] std::uint8_t* first(std::size_t slot) {
        return values_.data() + slot * stride_ + kDonorMargin;
    }

    void read(std::int64_t row, std::size_t slot) {
        const Grid& grid = tree_.grid;
        if (row < 0 || row >= grid.rows) {
            std::fill_n(first(slot), grid.columns, kOutside);
        } else {
            std::copy_n(tree_.direction.data() + row * grid.columns, grid.columns, first(slot));
        }
    }

    const FlowTree& tree_;
    std::size_t stride_;
    std::vector<std::uint8_t> values_;
    std::size_t above_ = 0, here_ = 1, below_ = 2;  // slots
};

std::int32_t* list_sources(const DonorRow& row, std::uint32_t* state, std::int32_t* sources) {
    return in_lanes(
        [&](auto lanes) { return list_sources_in_lanes<lanes()>(row, kStateShift, state, sources); });
}

}  // namespace

/// Rows that are walked together. Points into the orderer's memory.
struct TreeOrderer::Strip {
    std::int32_t first_cell = 0;
    std::uint32_t cells = 0;
    std::int32_t cell = 0;  // the present one

    // Its part of visited_: a place for each cell; one before it and kSourceMargin behind it are written too.
    std::int32_t* begin = nullptr;
    std::int32_t* visited = nullptr;  // what has been walked, the last cell first, fills the end from here
    const std::int32_t* source = nullptr;  // the present source; those still to come fill the part before it
    std::int32_t* leaving = nullptr;       // where the next cell that drains into another strip is written

    [[nodiscard]] bool walks() const { return source >= begin; }
    [[nodiscard]] std::int32_t* end() const { return begin + cells; }
};

namespace {

/// Sets the states of a strip's cells and lists its sources. The walk will fill the part of `visited` from
/// the end: what has been walked and the sources that are left never need more than there is.
template <class Strip>
void prepare(const FlowTree& tree, Strip& strip, std::uint32_t* state) {
    const std::int64_t columns = tree.grid.columns;
    const std::int64_t first_row = strip.first_cell / columns;
    const std::int64_t end_row = first_row + strip.cells / columns;
    std::int32_t* sources = strip.begin;
    DirectionRows rows(tree, end_row - 1);
    for (std::int64_t row = end_row; row-- > first_row; rows.step_up(row - 1))
        sources = list_sources(rows.donor_row(row), state + row * columns, sources);
    strip.begin[-1] = strip.first_cell;  // looked at behind the last source
    strip.visited = strip.end();
    strip.source = sources - 1;
    strip.cell = *strip.source;
}

/// One cell further: to the receiver if this was the last donor that it awaited, else to the next source.
/// Without branches that depend on the terrain, for they would be guessed wrong.
template <class Strip>
[[gnu::always_inline]] inline void step(Strip& strip, const std::uint8_t* direction,
                                        const std::array<std::int32_t, 16>& steps, std::uint32_t* state) {
    const std::int32_t cell = strip.cell;
    *--strip.visited = cell;
    const std::uint8_t d = direction[cell];
    const std::int32_t receiver = cell + steps[d];
    if (static_cast<std::uint32_t>(receiver - strip.first_cell) >= strip.cells) [[unlikely]] {
        if (d < kRoot) *strip.leaving++ = cell;
        strip.cell = *--strip.source;
        return;
    }
    const std::uint32_t sum = state[receiver] + state[cell] - kAwaited;
    state[receiver] = sum;
    const std::int32_t next_source = strip.source[-1];
    const std::int64_t waits = waiting_mask(sum);
    strip.source += waits;
    strip.cell = chosen(waits, next_source, receiver);
}

}  // namespace

void check_cells_to_order(const Grid& grid) {
    constexpr std::int64_t kMostCells = TreeOrderer::kMostCells;
    if (grid.cells() > kMostCells)
        throw Error::input(
            fmt::format("a grid of {} x {} cells is too large to route: at most {} cells are allowed",
                        grid.columns, grid.rows, kMostCells));
}

void TreeOrderer::order(FlowTree& tree, Progress& progress) {
    const Grid& grid = tree.grid;
    std::vector<Strip> strips =
        divide(grid, std::clamp<std::int64_t>(grid.rows / kLeastRows, 1, kMostStrips));
    visited_.resize(at(grid.cells()) + strips.size() * kStripMargin);
    for (std::size_t i = 0; i < strips.size(); ++i)
        strips[i].begin = visited_.data() + at(strips[i].first_cell) + i * kStripMargin + 1;
    walk_strips(tree, strips, progress);
    walk_trunk(tree, strips, progress);
    write_order(tree, strips);
    take_counts(tree);
}

/// Cuts a grid into `count` strips, none of them with a place for its list yet.
std::vector<TreeOrderer::Strip> TreeOrderer::divide(const Grid& grid, std::int64_t count) {
    check_cells_to_order(grid);
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

void TreeOrderer::walk_strips(const FlowTree& tree, std::vector<Strip>& strips, Progress& progress) {
    const std::array<std::int32_t, 16> steps = receiver_steps(tree.grid);
    const auto walk = [&](std::span<Strip> group) {
        std::vector<Strip*> walking;
        for (Strip& strip : group) {
            prepare(tree, strip, state_.data());
            if (strip.walks()) walking.push_back(&strip);
        }
        walk_in_turns(walking, [&, direction = tree.direction.data(), state = state_.data()](Strip& strip) {
            step(strip, direction, steps, state);
        });
    };
    const std::int64_t count = static_cast<std::int64_t>(strips.size());
    const std::int64_t cells_per_strip = std::max<std::int64_t>(1, tree.grid.cells() / count);
    const std::int64_t groups = std::max<std::int64_t>(1, kCellsPerTask / cells_per_strip / kStripsAtOnce);
    parallel_for(0, count, groups * kStripsAtOnce, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t i = first; i < last; i += kStripsAtOnce) {
            progress.poll();
            walk(std::span(strips).subspan(at(i), at(std::min(kStripsAtOnce, last - i))));
        }
    });
}

void TreeOrderer::walk_trunk(FlowTree& tree, const std::vector<Strip>& strips, Progress& progress) {
    const std::array<std::int32_t, 16> steps = receiver_steps(tree.grid);
    const std::uint8_t* const direction = tree.direction.data();
    std::uint32_t* const state = state_.data();
    trunk_.clear();
    tree.crossing.clear();
    std::size_t polled = 0;  // how many times
    progress.poll();
    for (std::size_t i = 0; i < strips.size(); ++i) {
        const std::int32_t* const leaving = leaving_of(static_cast<std::int64_t>(i), tree.grid);
        tree.crossing.insert(tree.crossing.end(), leaving,
                             static_cast<const std::int32_t*>(strips[i].leaving));
        for (const std::int32_t source : std::span(leaving, strips[i].leaving)) {
            if (std::exchange(polled, trunk_.size() / kCellsPerPoll) != trunk_.size() / kCellsPerPoll)
                progress.poll();
            std::int32_t receiver = source + steps[direction[source]];
            std::uint32_t upstream = state[source] & kCount;
            while (receiver >= 0) {
                upstream += state[receiver] - kAwaited;
                state[receiver] = upstream;
                if (upstream >= kAwaited) break;
                trunk_.push_back(receiver);
                receiver += steps[direction[receiver]];
            }
        }
    }
}

void TreeOrderer::write_order(FlowTree& tree, const std::vector<Strip>& strips) {
    tree.run_starts.assign(1, static_cast<std::int64_t>(trunk_.size()));
    for (const Strip& strip : strips)
        tree.run_starts.push_back(tree.run_starts.back() + (strip.end() - strip.visited));
    tree.order.resize(at(tree.run_starts.back()));
    std::reverse_copy(trunk_.begin(), trunk_.end(), tree.order.begin());
    parallel_for(0, static_cast<std::int64_t>(strips.size()), 1, [&](std::int64_t first, std::int64_t) {
        const Strip& strip = strips[at(first)];
        std::copy(strip.visited, strip.end(), tree.order.data() + tree.run_starts[at(first)]);
    });
}

void TreeOrderer::take_counts(FlowTree& tree) {
    tree.upstream_cells.swap(state_);
    assert(std::none_of(tree.upstream_cells.begin(), tree.upstream_cells.end(),
                        [](std::uint32_t s) { return s >= kAwaited; }) &&
           "the directions form a cycle");
}

}  // namespace thalweg
