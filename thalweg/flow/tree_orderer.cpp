#include "thalweg/flow/tree_orderer.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <span>

#include <fmt/format.h>

namespace thalweg {
namespace {

// Strips that one thread walks in turns: one step waits for memory while others go on.
constexpr int kStripsAtOnce = 4;
constexpr std::int64_t kLeastRows = 16;   // in a strip; shorter ones leave too much to the trunk (empirical)
constexpr std::int64_t kMostStrips = 64;  // empirical
constexpr std::uint32_t kAwaited = std::uint32_t{1} << 28;  // one donor in a state
constexpr std::int64_t kCellsPerPoll = 1 << 20;
constexpr std::int64_t kCellsPerTask = 1 << 16;

/// Index steps of all directions; 0 for those that lead nowhere.
std::array<std::int32_t, 16> receiver_steps(const Grid& grid) {
    std::array<std::int32_t, 16> steps{};
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

/// Rows that are walked together. All that it points to belongs to the orderer and the tree.
class TreeOrderer::Strip {
  public:
    std::int64_t first_cell = 0;
    std::int64_t end_cell = 0;
    std::vector<std::int32_t> leaving;  // cells whose receiver lies in another strip

    [[nodiscard]] std::int64_t visited() const { return next_ - first_cell; }

    /// Sets the states of its cells and lists its sources.
    void prepare(const FlowTree& tree, std::vector<std::uint32_t>& state,
                 std::vector<std::int32_t>& visited) {
        const std::int64_t columns = tree.grid.columns;
        std::vector<std::uint8_t> donors(at(columns));
        next_ = first_cell;
        source_ = end_cell;
        // From the back: the sources fill the end of the strip's part of `visited`, and the walk its
        // beginning. What has been walked and the sources that are left never need more than there is.
        for (std::int64_t row = end_cell / columns; row-- > first_cell / columns;) {
            count_donors(tree, row, donors);
            for (std::int64_t column = columns; column-- > 0;) {
                const std::int64_t cell = row * columns + column;
                const bool inside = tree.direction[at(cell)] != kOutside;
                state[at(cell)] = donors[at(column)] * kAwaited + (inside ? 1 : 0);
                visited[at(source_ - 1)] = static_cast<std::int32_t>(cell);
                source_ -= inside && donors[at(column)] == 0 ? 1 : 0;
            }
        }
        walking_ = source_ < end_cell;
        if (walking_) cell_ = visited[at(source_)];
    }

    [[nodiscard]] bool walking() const { return walking_; }

    /// One cell further: to the receiver if this was its last donor, else to the next source. Without
    /// branches that depend on the terrain, for they would be guessed wrong.
    void step(const std::uint8_t* direction, const std::array<std::int32_t, 16>& steps, std::uint32_t* state,
              std::int32_t* visited) {
        visited[next_++] = static_cast<std::int32_t>(cell_);
        const std::uint8_t d = direction[cell_];
        const std::int64_t receiver = cell_ + steps[d];
        const bool drains = d < 8;
        const bool stays = drains & (receiver >= first_cell) & (receiver < end_cell);
        std::uint32_t* const target = stays ? state + receiver : &sink_;
        const std::uint32_t sum = *target + state[cell_] - kAwaited;
        *target = sum;
        if (drains & !stays) leaving.push_back(static_cast<std::int32_t>(cell_));
        const bool goes_on = stays & (sum < kAwaited);
        source_ += goes_on ? 0 : 1;
        if (source_ == end_cell) {
            walking_ = false;
            return;
        }
        const std::int64_t source = visited[source_];
        cell_ = goes_on ? receiver : source;
    }

  private:
    std::int64_t next_ = 0;    // where the next cell is written
    std::int64_t source_ = 0;  // where the next source is read
    std::int64_t cell_ = 0;    // present cell
    bool walking_ = false;
    std::uint32_t sink_ = 0;  // takes the sums that stay nowhere
};

void TreeOrderer::order(FlowTree& tree, Progress& progress) {
    const Grid& grid = tree.grid;
    if (grid.cells() > kMostCells)
        throw Error::input(
            fmt::format("a grid of {} x {} cells is too large to route: at most {} cells are allowed",
                        grid.columns, grid.rows, kMostCells));
    state_.resize(at(grid.cells()));
    visited_.resize(at(grid.cells()));
    const std::int64_t count = std::clamp<std::int64_t>(grid.rows / kLeastRows, 1, kMostStrips);
    std::vector<Strip> strips(at(count));
    for (std::int64_t i = 0; i < count; ++i) {
        strips[at(i)].first_cell = grid.rows * i / count * grid.columns;
        strips[at(i)].end_cell = grid.rows * (i + 1) / count * grid.columns;
    }
    walk_strips(tree, strips, progress);
    walk_trunk(tree, strips, progress);
    write_order(tree, strips);
}

void TreeOrderer::walk_strips(const FlowTree& tree, std::vector<Strip>& strips, Progress& progress) {
    const std::array<std::int32_t, 16> steps = receiver_steps(tree.grid);
    const auto walk = [&](std::span<Strip> group) {
        for (Strip& strip : group) strip.prepare(tree, state_, visited_);
        const auto step = [&](Strip& strip) {
            strip.step(tree.direction.data(), steps, state_.data(), visited_.data());
        };
        if (group.size() == kStripsAtOnce) {
            Strip a = std::move(group[0]), b = std::move(group[1]), c = std::move(group[2]),
                  d = std::move(group[3]);
            while (a.walking() & b.walking() & c.walking() & d.walking()) {
                step(a);
                step(b);
                step(c);
                step(d);
            }
            group[0] = std::move(a);
            group[1] = std::move(b);
            group[2] = std::move(c);
            group[3] = std::move(d);
        }
        for (Strip& strip : group)
            while (strip.walking()) step(strip);
    };
    const std::int64_t cells_per_strip = tree.grid.cells() / static_cast<std::int64_t>(strips.size());
    const std::int64_t least =
        std::max<std::int64_t>(1, kCellsPerTask / std::max<std::int64_t>(1, cells_per_strip));
    const std::int64_t grain = (least + kStripsAtOnce - 1) / kStripsAtOnce * kStripsAtOnce;
    parallel_for(
        0, static_cast<std::int64_t>(strips.size()), grain, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t i = first; i < last; i += kStripsAtOnce) {
                progress.poll();
                walk(std::span(strips).subspan(at(i), at(std::min<std::int64_t>(kStripsAtOnce, last - i))));
            }
        });
}

void TreeOrderer::walk_trunk(const FlowTree& tree, const std::vector<Strip>& strips, Progress& progress) {
    trunk_.clear();
    for (const Strip& strip : strips) {
        for (const std::int32_t source : strip.leaving) {
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
    for (const Strip& strip : strips) tree.run_starts.push_back(tree.run_starts.back() + strip.visited());
    tree.order.resize(at(tree.run_starts.back()));
    std::reverse_copy(trunk_.begin(), trunk_.end(), tree.order.begin());
    parallel_for(0, static_cast<std::int64_t>(strips.size()), 1, [&](std::int64_t first, std::int64_t) {
        const Strip& strip = strips[at(first)];
        const auto begin = visited_.begin() + static_cast<std::ptrdiff_t>(strip.first_cell);
        std::reverse_copy(begin, begin + static_cast<std::ptrdiff_t>(strip.visited()),
                          tree.order.begin() + static_cast<std::ptrdiff_t>(tree.run_starts[at(first)]));
    });
    assert(std::none_of(state_.begin(), state_.end(), [](std::uint32_t s) { return s >= kAwaited; }) &&
           "the directions form a cycle");
}

}  // namespace thalweg
