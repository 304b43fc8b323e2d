// The range and mean of a field.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// What the cells with data hold, in the field's unit. All zero where no cell has data.
struct FieldSummary {
    std::int64_t cells_with_data = 0;
    double minimum = 0.0;
    double maximum = 0.0;
    double mean = 0.0;
};

/// Counts, compares and averages every cell with data; sums in double, in a fixed order: the same bits on any
/// number of threads. O(cells), parallel over rows.
///
/// Example:
///     const auto [cells_with_data, lowest, highest, mean] = summary_of(elevation);
FieldSummary summary_of(const Field<float>& field);

}  // namespace thalweg
