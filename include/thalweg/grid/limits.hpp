// The sizes and heights that a landscape may have. What is beyond is no landscape but a wrong unit or a
// broken file, and squares of its slopes and areas overflow or vanish.
#pragma once

#include "thalweg/grid/field.hpp"

#include <string>

namespace thalweg {

/// The longest side of a landscape, and the farthest that it may lie from the origin; the circumference of
/// Jupiter is 4.5e8 m.
inline constexpr double kMostExtent = 1e9;  // m

/// The smallest cell; cells of degrees that are taken as metres are larger.
inline constexpr double kLeastCellSize = 1e-6;  // m

/// The highest and, below 0, the lowest elevation.
inline constexpr double kMostElevation = 1e9;  // m

/// Throws Error::input for elevation, m, beyond kMostElevation; `name` says whose it is. No data passes.
/// O(cells).
///
/// Example:
///     check_elevation(elevation, "dem.tif");
void check_elevation(const Field<float>& elevation, const std::string& name);

}  // namespace thalweg
