// The way of water through lakes.
#pragma once

#include "thalweg/flow/depression_hierarchy.hpp"
#include "thalweg/flow/fill_spill_merge.hpp"
#include "thalweg/flow/spill_tree.hpp"

namespace thalweg {

/// `tree` with the basins under each lake led to its sill, over which the water spills; in one that does not
/// spill, to the basin of its lowest pit, which spills into none. Dry basins spill into none either.
/// Following the spills ends at kDrained or in such a basin. `order` stays that of `tree`. O(basins).
SpillTree spills_through(const Lakes& lakes, const Basins& basins, const DepressionHierarchy& hierarchy,
                         const SpillTree& tree);

}  // namespace thalweg
