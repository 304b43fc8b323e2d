// Rocks that water goes around.
#pragma once

#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"

#include <vector>

namespace thalweg {

/// The rocks that take away much of the depth over them, in their order. `parts` has its other primitives and
/// lists. The stream function goes over to one value at each (Bridson et al. 2007, Curl-noise for procedural
/// fluid flow, eq. 3); the numbers are empirical.
std::vector<BedDeflector> make_deflectors(const std::vector<BedRock>& rocks, const BedTree::Parts& parts);

}  // namespace thalweg
