// An order of a flow tree's cells, and how many cells drain through each.
#pragma once

#include "thalweg/core/pool.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/graph/strip_walker.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace thalweg {

/// Fills `order`, `run_starts`, `crossing` and `upstream_cells` of flow trees. The grid is cut into strips
/// of rows; in each strip walkers follow the water down from its sources until a cell waits for water from
/// elsewhere. What water of several strips passes through is walked last, on one thread. O(cells), near 2 ns
/// a cell and thread; the same bits on any number of threads. Keeps 4 bytes a cell from call to call, 4 of
/// those that strips have left, and 5 of each strip that is walked at the same time.
class TreeOrderer {
  public:
    /// Orders `tree`, whose directions must not form a cycle (assertion) nor lead off the grid. Once
    /// `progress` has thrown, only the directions are of further use.
    void order(FlowTree& tree, Progress& progress);

    static constexpr std::int64_t kMostCells = (std::int64_t{1} << 28) - 1;  // in a grid that can be ordered

  private:
    void divide(const Grid& grid);
    void walk_strips(FlowTree& tree, Progress& progress);
    void walk_trunk(FlowTree& tree, Progress& progress);
    void write_order(FlowTree& tree);

    std::vector<Strip> strips_;
    std::unique_ptr<std::int32_t[]> room_;   // of all strips
    std::int64_t room_cells_ = 0;            // how many it has room for
    std::unique_ptr<std::int32_t[]> trunk_;  // cells in the order of the walk; most of its room is never used
    std::int64_t trunk_room_ = 0;            // cells
    std::int64_t trunk_cells_ = 0;
    Pool<StripWalker> walkers_;
};

/// Throws Error::input on a grid of more than TreeOrderer::kMostCells.
void check_cells_to_order(const Grid& grid);

}  // namespace thalweg
