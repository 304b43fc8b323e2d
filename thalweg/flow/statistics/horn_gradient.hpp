// How ground rises, smoothed over three rows and columns.
#pragma once

#include "thalweg/grid/gradient.hpp"

namespace thalweg {

/// Rise of `elevation` per metre to the east and the north, each the mean of three central differences of
/// which the middle one counts twice (Horn 1981, Proceedings of the IEEE 69, 14-47). No data where one of
/// the 9 cells is missing. O(cells); the same bits on any number of threads.
Gradient horn_gradient(const Field<float>& elevation);

}  // namespace thalweg
