// Cells that stand above their receivers, kept so when elevations change.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Raises cells of `elevation` [m] that stood above their receiver in `before` [m] and do not any more, to
/// the next float above it, from the roots up: a change that is not the same everywhere makes no pits. Cells
/// of closed basins, below their receivers, stay. All on `tree`'s grid. O(cells); parallel over the tree's
/// runs; same bits on any number of threads; polls `progress`.
void keep_descent(const FlowTree& tree, const Field<float>& before, Field<float>& elevation,
                  const Progress& progress);

}  // namespace thalweg
