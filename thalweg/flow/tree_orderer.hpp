// An order of a flow tree's cells, and how many cells drain through each.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Fills `order`, `run_starts`, `crossing` and `upstream_cells` of flow trees. The grid is cut into strips
/// of rows; in each strip walkers follow the water down from its sources until a cell waits for water from
/// elsewhere. What water of several strips passes through is walked last, on one thread. O(cells), near 2 ns
/// a cell and thread; the same bits on any number of threads; keeps 8 bytes a cell from call to call.
class TreeOrderer {
  public:
    /// Orders `tree`, whose directions must not form a cycle (assertion).
    void order(FlowTree& tree, Progress& progress);

    static constexpr std::uint32_t kCount = (std::uint32_t{1} << 28) - 1;  // mask of the count in a state
    static constexpr std::int64_t kMostCells = kCount;                     // in a grid that can be ordered

  private:
    struct Strip;

    std::vector<Strip> divide(const Grid& grid, std::int64_t count);
    std::int32_t* leaving_of(std::int64_t strip, const Grid& grid);
    void walk_strips(const FlowTree& tree, std::vector<Strip>& strips, Progress& progress);
    void walk_trunk(FlowTree& tree, const std::vector<Strip>& strips, Progress& progress);
    void write_order(FlowTree& tree, const std::vector<Strip>& strips);
    void take_counts(FlowTree& tree);

    std::vector<std::uint32_t> state_;   // per cell: donors still awaited, above the cells upstream so far
    std::vector<std::int32_t> visited_;  // per strip: cells against the order of the walk
    std::vector<std::int32_t> leaving_;  // per strip: cells whose receiver lies in another one
    std::vector<std::int32_t> trunk_;    // cells in the order of the walk
};

/// Throws Error::input on a grid of more than TreeOrderer::kMostCells.
void check_cells_to_order(const Grid& grid);

}  // namespace thalweg
