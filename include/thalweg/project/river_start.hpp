// The place of a river file, for rivers that wander without terrain.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <filesystem>

namespace thalweg {

/// Name of a stage's parameter that holds the file of rivers with which it begins.
inline constexpr const char* kRiverFile = "network";

/// A grid of 512 cells along its longer side around all rivers of a file (those of the stage meander), with a
/// tenth of that side and at least 20 channel widths to spare. Throws Error::input where it can't be read.
///
/// Example:
///     const Grid grid = grid_around_rivers("rivers.gpkg");
Grid grid_around_rivers(const std::filesystem::path& file);

}  // namespace thalweg
