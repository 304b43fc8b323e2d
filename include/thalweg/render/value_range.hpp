// The least and the greatest value of a layer.
#pragma once

#include "thalweg/grid/field.hpp"

#include <string>

namespace thalweg {

/// A span of values and places on it: 0 at `low`, 1 at `high`.
struct ValueRange {
    double low = 0.0;
    double high = 0.0;

    [[nodiscard]] double at(double place) const { return low + (high - low) * place; }
    [[nodiscard]] double place(double value) const { return high > low ? (value - low) / (high - low) : 0.5; }
};

/// Range of the cells with data. Throws Error::input naming `name` when there is none. O(cells).
///
/// Example:
///     const ValueRange heights = value_range(elevation, "elevation");
///     const double tree_line = heights.place(1800.0);  // m
ValueRange value_range(const Field<float>& values, const std::string& name);

}  // namespace thalweg
