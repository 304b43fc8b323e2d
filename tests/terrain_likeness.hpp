// How much of one build's rivers and mountains another one shows: the same terrain at two sizes.
#pragma once

#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace thalweg::tests {

inline bool any_within_one_cell(const Field<std::uint8_t>& cells, int column, int row) {
    for (int y = row - 1; y <= row + 1; ++y)
        for (int x = column - 1; x <= column + 1; ++x)
            if (cells.grid().contains(x, y) && cells(x, y) != 0) return true;
    return false;
}

struct Matched {
    double near = 0.0;  // cells within one cell of the other set
    double all = 0.0;   // cells
};

inline Matched match(const Field<std::uint8_t>& cells, const Field<std::uint8_t>& other) {
    Matched found;
    for (int row = 0; row < cells.rows(); ++row)
        for (int column = 0; column < cells.columns(); ++column) {
            if (cells(column, row) == 0) continue;
            ++found.all;
            if (any_within_one_cell(other, column, row)) ++found.near;
        }
    return found;
}

/// Cells of `coarse` that hold a river: 1 where any cell of `drainage_area` [m^2] inside exceeds `least_area`
/// m^2. The grid of `drainage_area` is `coarse`, or has a whole number of times its columns and rows over the
/// same place.
inline Field<std::uint8_t> river_cells(const Field<float>& drainage_area, const Grid& coarse,
                                       double least_area) {
    const int ratio = drainage_area.columns() / coarse.columns;
    Field<std::uint8_t> rivers(coarse);
    for (int row = 0; row < drainage_area.rows(); ++row)
        for (int column = 0; column < drainage_area.columns(); ++column)
            if (static_cast<double>(drainage_area(column, row)) > least_area)
                rivers(column / ratio, row / ratio) = 1;
    return rivers;
}

/// Intersection over union of two sets of cells of one grid, both ways, where a cell within one cell of the
/// other set (diagonals count) lies in the intersection: 1 for the same rivers. NaN where both are empty.
inline double agreement_within_one_cell(const Field<std::uint8_t>& a, const Field<std::uint8_t>& b) {
    const Matched of_a = match(a, b);
    const Matched of_b = match(b, a);
    const double intersection = 0.5 * (of_a.near + of_b.near);
    return intersection / (of_a.all + of_b.all - intersection);
}

/// The lesser of two shares: of the cells of `a` within one cell of `b` (diagonals count), and of those of
/// `b` within one of `a`. 1 for the same rivers. NaN where one is empty.
inline double share_within_one_cell(const Field<std::uint8_t>& a, const Field<std::uint8_t>& b) {
    const Matched of_a = match(a, b);
    const Matched of_b = match(b, a);
    return std::min(of_a.near / of_a.all, of_b.near / of_b.all);
}

/// Pearson's correlation of two fields of one grid; cells without data in either do not count. NaN where one
/// of them is even.
inline double correlation(const Field<float>& a, const Field<float>& b) {
    double count = 0.0, sum_a = 0.0, sum_b = 0.0, sum_aa = 0.0, sum_bb = 0.0, sum_ab = 0.0;
    for (std::int64_t cell = 0; cell < a.size(); ++cell) {
        if (is_no_data(a[cell]) || is_no_data(b[cell])) continue;
        const double x = a[cell];
        const double y = b[cell];
        ++count;
        sum_a += x;
        sum_b += y;
        sum_aa += x * x;
        sum_bb += y * y;
        sum_ab += x * y;
    }
    return (sum_ab - sum_a * sum_b / count) /
           std::sqrt((sum_aa - sum_a * sum_a / count) * (sum_bb - sum_b * sum_b / count));
}

}  // namespace thalweg::tests
