// Positions that users give, and the cells they lie in.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <string>

namespace thalweg {

/// The cell that holds (x, y), m. Throws Error::input, with `name` for the place, where that lies outside
/// the grid of `elevation` or on a cell without data. O(1).
///
/// Example:
///     const std::int64_t cell = cell_with_data_at(1250.0, 300.0, elevation, "pour point 1");
std::int64_t cell_with_data_at(double x, double y, const Field<float>& elevation, const std::string& name);

}  // namespace thalweg
