// The long profile of a course: level water between falls.
#pragma once

#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/courses/course_draws.hpp"

#include <cstddef>
#include <vector>

namespace thalweg {

/// Between the middles of two pools: water that is level, falls, and is level again.
struct Fall {
    double first = 0.0;  // m along the course, middle of the pool above
    double crest = 0.0;  // m
    double foot = 0.0;   // m
    double last = 0.0;   // m, middle of the pool below
    double upper = 0.0;  // m, level above
    double lower = 0.0;  // m, level below
};

/// How far the water of a course is level from its begin, and up to its end, m.
struct LevelEnds {
    double first = 0.0;
    double last = 0.0;
};

/// A part of a course.
struct CoursePart {
    double from = 0.0;  // m along the course
    double to = 0.0;    // m
};

/// The falls of a course, whose `points` come with level water along the valley, types and widths. They keep
/// off the ends that are level, where the course is long enough, and off lakes. At least one.
std::vector<Fall> falls_along(const std::vector<BedCoursePoint>& points, std::size_t course,
                              const LevelEnds& level, const std::vector<CoursePart>& lakes,
                              const ReachDraws& draws);

/// The same falls on another channel of the river, whose points lie on the same sections.
std::vector<Fall> falls_beside(std::vector<Fall> falls, const std::vector<BedCoursePoint>& from,
                               const std::vector<BedCoursePoint>& to);

/// Gives the water of a course its falls, and the bed its depths (bed_course.hpp). `points` come with widths
/// and mean depths too; `lowest` is the lowest bed at a fall upstream, and becomes that of this course.
/// Returns falls and pools.
std::vector<BedFeature> shape_profile(std::vector<BedCoursePoint>& points, std::size_t course,
                                      const std::vector<Fall>& falls, double& lowest);

}  // namespace thalweg
