#include "thalweg/erosion/network/subtree_runs.hpp"

namespace thalweg {
namespace {

constexpr std::int64_t kRuns = 64;             // wanted, on small grids (empirical)
constexpr std::int64_t kLeastRun = 256;        // cells
constexpr std::int64_t kLargestRun = 1 << 14;  // cells: four of them fit a core's cache (empirical)
constexpr std::int32_t kTrunk = -1;            // the run of a cell that is in none

}  // namespace

SubtreeRuns::SubtreeRuns(const FlowTree& tree) : tree_(tree), inner_direction_(tree.direction) {
    steps_ = index_steps(tree.grid.columns);
    const std::int64_t cells = static_cast<std::int64_t>(tree.order.size());
    const std::int64_t largest = std::clamp(cells / kRuns, kLeastRun, kLargestRun);

    // Give every subtree that is small enough to a run, one run after another.
    std::vector<std::int32_t> run_of(tree.direction.size(), kTrunk);
    std::vector<std::int64_t> sizes = {0};
    std::int64_t in_trunk = 0;
    for (const std::int32_t cell : tree.order) {
        const std::int32_t receiver = tree.receiver(cell);
        std::int32_t run = receiver < 0 ? kTrunk : run_of[at(receiver)];
        if (run == kTrunk) {
            const std::int64_t upstream = tree.upstream_cells[at(cell)];
            if (upstream > largest) {
                ++in_trunk;
                continue;
            }
            if (sizes.back() + upstream > largest) sizes.push_back(0);
            run = static_cast<std::int32_t>(sizes.size()) - 1;
            sizes.back() += upstream;
            inner_direction_[at(cell)] = kRoot;
            if (receiver >= 0) leaving_.push_back(cell);
        }
        run_of[at(cell)] = run;
    }

    // Write them one after another.
    starts_ = {in_trunk};
    for (const std::int64_t size : sizes) starts_.push_back(starts_.back() + size);
    std::vector<std::int64_t> next(starts_.begin(), starts_.end());
    std::int64_t next_in_trunk = 0;
    order_.resize(tree.order.size());
    for (const std::int32_t cell : tree.order) {
        const std::int32_t run = run_of[at(cell)];
        order_[at(run == kTrunk ? next_in_trunk++ : next[at(run)]++)] = cell;
    }
}

}  // namespace thalweg
