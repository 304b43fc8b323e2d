// A flow tree cut into runs of whole subtrees, for sums up and down its rivers on many threads.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg {

/// An order of a tree's cells, every receiver before its donors, for many sums over one tree. First the
/// trunk: cells that drain more than a run may hold. Then runs of whole subtrees, of nearly equal size, whose
/// cells have their receivers in the same run, but for those at which a subtree begins. Unlike FlowTree's
/// runs, cut by rows, these leave hardly anything to the trunk, which one thread must walk. Depends on the
/// tree alone. O(cells), serial; 5 bytes a cell.
class SubtreeRuns {
  public:
    /// `tree` must stay.
    explicit SubtreeRuns(const FlowTree& tree);

    /// Makes every cell's value visit(cell, value of its receiver), from the roots up; roots keep theirs.
    template <class Visit>
    void go_upstream(float* values, const Progress& progress, const Visit& visit) const {
        const std::array<std::int32_t, 8> steps = steps_;
        const std::uint8_t* const directions = tree_.direction.data();
        const auto visit_cell = [=](std::int32_t cell) {
            const std::uint8_t direction = directions[cell];
            if (direction < kRoot) values[cell] = visit(cell, values[cell + steps[direction]]);
        };
        for (std::int64_t i = 0; i < starts_.front(); ++i) visit_cell(order_[at(i)]);
        in_turns<1>(progress, visit_cell);
    }

    /// Adds to every cell's value those of all cells upstream. Always in the same order.
    void gather(float* values, const Progress& progress) const {
        const std::array<std::int32_t, 8> steps = steps_;
        const std::uint8_t* const directions = inner_direction_.data();
        in_turns<-1>(progress, [=](std::int32_t cell) {
            const std::uint8_t direction = directions[cell];
            if (direction < kRoot) values[cell + steps[direction]] += values[cell];
        });
        for (const std::int32_t cell : leaving_) values[tree_.receiver(cell)] += values[cell];
        for (std::int64_t i = starts_.front(); i-- > 0;) {
            const std::int32_t cell = order_[at(i)];
            if (const std::int32_t receiver = tree_.receiver(cell); receiver >= 0)
                values[receiver] += values[cell];
        }
    }

  private:
    static constexpr std::int64_t kRunsAtOnce = 8;

    /// Calls visit(cell) for the cells of every run, upstream (Step 1) or downstream (-1), some runs in
    /// turns: while one waits for the cell that it has just visited, others go on.
    template <int Step, class Visit>
    void in_turns(const Progress& progress, const Visit& visit) const {
        const auto visit_together = [&](std::int64_t first, std::int64_t last) {
            progress.poll();
            std::array<const std::int32_t*, kRunsAtOnce> next{};
            std::int64_t together = std::numeric_limits<std::int64_t>::max();
            for (std::int64_t run = first; run < last; ++run) {
                const std::int64_t begin = starts_[at(run)], end = starts_[at(run + 1)];
                next[at(run - first)] = order_.data() + (Step > 0 ? begin : end - 1);
                together = std::min(together, end - begin);
            }
            if (last - first < kRunsAtOnce) together = 0;
            for (std::int64_t i = 0; i < together; ++i)
                for (const std::int32_t*& cell : next) {
                    visit(*cell);
                    cell += Step;
                }
            for (std::int64_t run = first; run < last; ++run)
                for (std::int64_t left = starts_[at(run + 1)] - starts_[at(run)] - together; left > 0;
                     --left) {
                    visit(*next[at(run - first)]);
                    next[at(run - first)] += Step;
                }
        };
        parallel_for(0, static_cast<std::int64_t>(starts_.size()) - 1, kRunsAtOnce, visit_together);
    }

    const FlowTree& tree_;
    std::array<std::int32_t, 8> steps_;  // change of index in each direction
    std::vector<std::int32_t> order_;    // trunk, then run by run
    std::vector<std::int64_t> starts_;   // in order_: of every run, and its end
    std::vector<std::uint8_t>
        inner_direction_;                // per cell: as in the tree, but kRoot where it leaves its run
    std::vector<std::int32_t> leaving_;  // cells whose receiver lies in the trunk
};

}  // namespace thalweg
