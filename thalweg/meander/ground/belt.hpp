// How near channels have ever come.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/meander/meander_history.hpp"

namespace thalweg {

/// How far from its middle, in widths of the channel, the ground is levelled at all.
inline constexpr float kBeltReach = 1.0F;

/// Share of cells that channels have levelled: 1 where one has been, within half a width of its middle, from
/// there a smooth step to 0 at kBeltReach. O(cells + cells within strips).
Field<float> levelled_share(const MeanderHistory& history, const Grid& grid, Progress& progress);

}  // namespace thalweg
