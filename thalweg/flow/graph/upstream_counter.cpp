#include "thalweg/flow/graph/upstream_counter.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/graph/donor_rows.hpp"
#include "thalweg/flow/graph/tree_orderer.hpp"
#include "thalweg/flow/graph/waiting_states.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <memory>

namespace thalweg {
namespace {

constexpr std::int32_t kSide = 256;              // of a block, in cells (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 17;  // empirical
constexpr std::int64_t kCellsPerPoll = 1 << 20;

constexpr std::int32_t kMargin = static_cast<std::int32_t>(kDonorMargin);
constexpr std::int32_t kStride = kSide + kMargin;  // of a block's rows: a margin stands between two
constexpr std::size_t kWalkers = 8;                // in turns (empirical)
constexpr std::int32_t kPlaces = (kSide + 2) * kStride + 2 * kMargin;

constexpr std::array<std::int32_t, 8> kBlockSteps = index_steps(kStride);

/// Cells of the grid that are walked together.
struct Block {
    std::int32_t first_column = 0;
    std::int32_t first_row = 0;
    std::int32_t columns = 0;
    std::int32_t rows = 0;
};

/// Counts within blocks, in memory that stays in the cache.
class BlockCounter {
  public:
    /// `upstream`: of the whole grid.
    BlockCounter(const FlowTree& tree, std::uint32_t* upstream)
        : tree_(tree), upstream_(upstream), direction_(at(kPlaces), kOutside) {}

    /// Writes the states of the block's cells, and adds those to `leaving` whose water goes elsewhere and
    /// that wait for none.
    void count(const Block& block, std::vector<std::int32_t>& leaving) {
        read(block);
        const std::int32_t sources = list_sources(block);
        walk(sources);
        for (std::int32_t row = 0; row < block.rows; ++row) {
            std::uint32_t* const upstream = upstream_ + cell(block, 0, row);
            std::copy_n(state_.get() + place(0, row), block.columns, upstream);
            // What list_sources added.
            for_each_end(direction_.data() + place(0, row), block.columns,
                         [=](std::int32_t column) { upstream[column] -= kAwaited; });
        }
        list_leaving(block, leaving);
    }

  private:
    static std::int32_t place(std::int32_t column, std::int32_t row) {
        return kMargin + (row + 1) * kStride + column;
    }

    [[nodiscard]] std::int64_t cell(const Block& block, std::int32_t column, std::int32_t row) const {
        return tree_.grid.index(block.first_column + column, block.first_row + row);
    }

    /// Copies directions of the block and of the cells around it; beyond the grid they are kOutside.
    void read(const Block& block) {
        const Grid& grid = tree_.grid;
        const std::int32_t west = block.first_column > 0 ? 1 : 0;
        const std::int32_t east = block.first_column + block.columns < grid.columns ? 1 : 0;
        for (std::int32_t row = -1; row <= block.rows; ++row) {
            std::uint8_t* const here = direction_.data() + place(0, row);
            const bool is_inside = block.first_row + row >= 0 && block.first_row + row < grid.rows;
            std::fill_n(here - 1, kStride, kOutside);
            if (is_inside)
                std::copy_n(tree_.direction.data() + cell(block, -west, row), west + block.columns + east,
                            here - west);
        }
    }

    /// Sets states, and returns how many sources there are.
    std::int32_t list_sources(const Block& block) {
        std::fill_n(state_.get() + place(-1, -1), block.columns + 2, kNeverReady);
        std::fill_n(state_.get() + place(-1, block.rows), block.columns + 2, kNeverReady);
        std::int32_t* const first = sources_.get();
        std::int32_t* end = first;
        for (std::int32_t row = block.rows; row-- > 0;) {
            const std::uint8_t* const here = direction_.data() + place(0, row);
            const DonorRow donors{here - kStride, here, here + kStride, place(0, row), block.columns};
            end = in_lanes([&](auto lanes) {
                return list_sources_in_lanes<lanes()>(donors, kStateShift, state_.get() + place(0, row), end);
            });
            state_[at(place(-1, row))] = state_[at(place(block.columns, row))] = kNeverReady;
        }
        return static_cast<std::int32_t>(end - first);
    }

    void walk(std::int32_t sources) {
        const std::int32_t* const first = sources_.get();
        walk_down<kWalkers>(first, first + sources, direction_.data(), kBlockSteps, state_.get(),
                            [](std::int32_t) {});
    }

    void list_leaving(const Block& block, std::vector<std::int32_t>& leaving) const {
        const auto look_at = [&](std::int32_t column, std::int32_t row) {
            const std::uint8_t d = direction_[at(place(column, row))];
            if (d >= kRoot || state_[at(place(column, row))] >= kAwaited) return;
            const std::int32_t to_column = column + kColumnStep[d], to_row = row + kRowStep[d];
            if (to_column < 0 || to_column >= block.columns || to_row < 0 || to_row >= block.rows)
                leaving.push_back(static_cast<std::int32_t>(cell(block, column, row)));
        };
        for (std::int32_t row = 0; row < block.rows; ++row) {
            const bool is_edge = row == 0 || row + 1 == block.rows;
            const std::int32_t step = is_edge ? 1 : std::max(1, block.columns - 1);
            for (std::int32_t column = 0; column < block.columns; column += step) look_at(column, row);
        }
    }

    const FlowTree& tree_;
    std::uint32_t* upstream_;
    std::vector<std::uint8_t> direction_;  // by place
    // By place.
    std::unique_ptr<std::uint32_t[]> state_ = std::make_unique_for_overwrite<std::uint32_t[]>(at(kPlaces));
    std::unique_ptr<std::int32_t[]> sources_ =
        std::make_unique_for_overwrite<std::int32_t[]>(at(kSide) * kSide + kSourceMargin);
};

/// The blocks of a grid, row by row of blocks.
class Blocks {
  public:
    explicit Blocks(const Grid& grid)
        : grid_(grid), across_((grid.columns + kSide - 1) / kSide), down_((grid.rows + kSide - 1) / kSide) {}

    [[nodiscard]] std::int64_t count() const { return std::int64_t{across_} * down_; }

    [[nodiscard]] Block operator[](std::int64_t number) const {
        const auto column = static_cast<std::int32_t>(number % across_) * kSide;
        const auto row = static_cast<std::int32_t>(number / across_) * kSide;
        return {column, row, std::min(kSide, grid_.columns - column), std::min(kSide, grid_.rows - row)};
    }

  private:
    const Grid& grid_;
    std::int32_t across_;
    std::int32_t down_;
};

/// Goes on from cells that wait for nothing, through all blocks.
void count_trunk(FlowTree& tree, const std::vector<std::vector<std::int32_t>>& leaving, Progress& progress) {
    const std::array<std::int32_t, 8> steps = index_steps(tree.grid.columns);
    const std::uint8_t* const direction = tree.direction.data();
    std::uint32_t* const state = tree.upstream_cells.data();
    std::int64_t walked = 0, polled = -1;
    for (const std::vector<std::int32_t>& cells : leaving)
        for (std::int32_t cell : cells) {
            if (std::exchange(polled, walked / kCellsPerPoll) != polled) progress.poll();
            std::uint32_t upstream = state[cell];
            while (direction[cell] < kRoot) {
                cell += steps[direction[cell]];
                upstream += state[cell] - kAwaited;
                state[cell] = upstream;
                ++walked;
                if (upstream >= kAwaited) break;
            }
        }
}

}  // namespace

void count_upstream(FlowTree& tree, Progress& progress) {
    check_cells_to_order(tree.grid);
    tree.order.clear();
    tree.run_starts.clear();
    tree.crossing.clear();
    tree.upstream_cells.resize(tree.direction.size());
    const Blocks blocks(tree.grid);
    const std::int64_t cells_of_block =
        std::max<std::int64_t>(1, tree.grid.cells() / std::max<std::int64_t>(1, blocks.count()));
    const std::int64_t blocks_of_task = std::max<std::int64_t>(1, kCellsPerTask / cells_of_block);
    std::vector<std::vector<std::int32_t>> leaving(
        at((blocks.count() + blocks_of_task - 1) / blocks_of_task));
    parallel_for(0, blocks.count(), blocks_of_task, [&](std::int64_t first, std::int64_t end) {
        BlockCounter counter(tree, tree.upstream_cells.data());
        for (std::int64_t block = first; block < end; ++block) {
            progress.poll();
            counter.count(blocks[block], leaving[at(first / blocks_of_task)]);
        }
    });
    count_trunk(tree, leaving, progress);
    assert(std::none_of(tree.upstream_cells.begin(), tree.upstream_cells.end(),
                        [](std::uint32_t s) { return s >= kAwaited; }) &&
           "the directions form a cycle");
}

}  // namespace thalweg
