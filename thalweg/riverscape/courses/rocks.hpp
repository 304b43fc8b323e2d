// Rocks in beds and on banks.
#pragma once

#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/courses/course_draws.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace thalweg {

/// Rocks along a course, as densely as its types have them times `density`, and along the crests of its
/// drops, which lie among `features`. None covers the thalweg.
std::vector<BedRock> rocks_along(const std::vector<BedCoursePoint>& points,
                                 std::span<const BedFeature> features, std::size_t course, double density,
                                 const ReachDraws& draws);

/// Takes away rocks of other courses that cover the thalweg of a course within a few widths of its ends,
/// where rivers meet: none of them knows of the others.
void clear_confluences(BedCourses& courses);

}  // namespace thalweg
