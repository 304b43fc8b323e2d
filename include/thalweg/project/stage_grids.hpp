// On which grids the landscape of a project lies, told before anything runs.
#pragma once

#include "thalweg/project/project.hpp"

#include <vector>

namespace thalweg {

/// The grid after the stage, of a landscape that lies on `grid` before it: the same unless the stage changes
/// it (Stage::grid_after). Throws Error::input where the parameters do not go with that grid.
Grid grid_after(const StageUse& use, const Grid& grid);

/// The grids before each stage and after the last, one more than there are stages. Throws as grid_after, with
/// the stage's label before the message.
///
/// Example:
///     const std::vector<Grid> grids = grids_of(project);
///     std::printf("outputs have %d x %d cells\n", grids.back().columns, grids.back().rows);
std::vector<Grid> grids_of(const Project& project);

}  // namespace thalweg
