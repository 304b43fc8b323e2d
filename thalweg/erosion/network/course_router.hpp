// Water made to follow drawn rivers on a terrain.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/drawn_river.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Gives the cells of `courses` their directions, and leads every end of a course on over the terrain: by the
/// lowest way, as water that fills the ground would find it, to a root or to a course that does not lead back
/// to it. Only an end that its own river encloses crosses that river, and one that can reach no root becomes
/// a root. From every cell whose direction was given these directions lead to a root.
/// Returns those cells. elevation and direction: on `lattice`'s grid. O(flooded cells log flooded cells);
/// serial; polls `progress`.
std::vector<std::int32_t> follow_courses(const RiverCourses& courses, const Field<float>& elevation,
                                         const Lattice& lattice, std::vector<std::uint8_t>& direction,
                                         Progress& progress);

}  // namespace thalweg
