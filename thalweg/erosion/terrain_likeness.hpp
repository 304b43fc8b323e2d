// How much of one build's rivers and mountains another one shows: the same terrain at two sizes.
#pragma once

#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// Cells of `coarse` that hold a river: 1 where any cell of `drainage_area` [m^2] inside exceeds `least_area`
/// m^2. The grid of `drainage_area` is `coarse`, or has a whole number of times its columns and rows over the
/// same place.
Field<std::uint8_t> river_cells(const Field<float>& drainage_area, const Grid& coarse, double least_area);

/// Intersection over union of two sets of cells of one grid, both ways, where a cell within one cell of the
/// other set (diagonals count) lies in the intersection: 1 for the same rivers. NaN where both are empty.
double agreement_within_one_cell(const Field<std::uint8_t>& a, const Field<std::uint8_t>& b);

/// The lesser of two shares: of the cells of `a` within one cell of `b` (diagonals count), and of those of
/// `b` within one of `a`. 1 for the same rivers. NaN where one is empty.
double share_within_one_cell(const Field<std::uint8_t>& a, const Field<std::uint8_t>& b);

/// Pearson's correlation of two fields of one grid; cells without data in either do not count. NaN where one
/// of them is even.
double correlation(const Field<float>& a, const Field<float>& b);

}  // namespace thalweg
