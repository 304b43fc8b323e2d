// Depths between two surfaces: layers `wear` and `deposit`.
#pragma once

#include "thalweg/grid/field.hpp"

namespace thalweg {

/// How far `upper` lies above `lower`, m; 0 where it does not, no data where either has none.
Field<float> depth_between(const Field<float>& upper, const Field<float>& lower);

}  // namespace thalweg
