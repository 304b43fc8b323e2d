// Means of a cell and those around it.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Of the 3 x 3 cells around an inner cell, with weights 1, `middle`, 1 along rows and columns; NaN beside no
/// data.
inline float mean_around(const Field<float>& elevation, int column, int row, float middle) {
    const auto along_row = [&](int at_row) {
        return elevation(column - 1, at_row) + middle * elevation(column, at_row) +
               elevation(column + 1, at_row);
    };
    const float weights = (middle + 2.0F) * (middle + 2.0F);
    return (along_row(row - 1) + middle * along_row(row) + along_row(row + 1)) / weights;
}

}  // namespace thalweg
