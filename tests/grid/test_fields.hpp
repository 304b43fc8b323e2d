// Fields that the grid's tests share.
#pragma once

#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thalweg {

/// The values of `f(x, y)` [m, m] at the cells' centres.
inline Field<float> field_of(const Grid& grid, const std::function<double(double, double)>& f) {
    Field<float> field(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column)
            field(column, row) = static_cast<float>(f(grid.x(column), grid.y(row)));
    return field;
}

/// Whether both hold the same bits, no data included.
inline bool same_bits(const Field<float>& a, const Field<float>& b) {
    return a.grid() == b.grid() && std::equal(a.begin(), a.end(), b.begin(), [](float left, float right) {
               return left == right || (std::isnan(left) && std::isnan(right));
           });
}

}  // namespace thalweg
