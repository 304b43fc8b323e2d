// The largest basins of a drainage.
#pragma once

#include "thalweg/flow/flow_tree.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Basins by area, and which cells lie in them.
struct LargestBasins {
    std::vector<std::int32_t> outlets;  // cells, the largest basin first; of equal ones by rows
    std::vector<std::int16_t> basin;    // per cell: its number in `outlets`, -1 in others and outside
};

/// The `most` basins of the largest area, sources included, of those of at least `least_area` (m^2). most: to
/// 1000. O(cells), serial.
///
/// Example:
///     const LargestBasins largest = largest_basins(flow.tree, 10, 1e6);
LargestBasins largest_basins(const FlowTree& tree, int most, double least_area);

}  // namespace thalweg
