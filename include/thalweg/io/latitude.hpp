// How far north a grid lies.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <optional>

namespace thalweg {

/// Latitude on WGS 84 of the grid's centre, degrees, to a thousandth; nothing for a grid without a coordinate
/// system, or where PROJ can't tell.
///
/// Example:
///     const double latitude = latitude_of(grid).value_or(45.0);
std::optional<double> latitude_of(const Grid& grid);

}  // namespace thalweg
