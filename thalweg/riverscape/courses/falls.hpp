// The long profile of a course: level water between falls.
#pragma once

#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/courses/course_draws.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// Gives the water of a course its falls, and the bed its depths (bed_course.hpp). `points` come with level
/// water along the valley, types, widths and mean depths; `lowest` is the lowest bed at a fall upstream, and
/// becomes that of this course. Returns falls and pools.
std::vector<BedFeature> shape_profile(std::vector<BedCoursePoint>& points, std::size_t course,
                                      const ReachDraws& draws, double& lowest);

}  // namespace thalweg
