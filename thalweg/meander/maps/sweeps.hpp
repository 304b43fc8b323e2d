// How courses of one year came from those of an earlier one.
#pragma once

#include "thalweg/meander/maps/courses.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// Where on a set of courses a point lies nearest.
struct CoursePlace {
    std::int32_t course = -1;  // -1: nowhere near
    std::int32_t segment = 0;
    double share = 0.0;     // of the segment, from its first point
    double distance = 0.0;  // m
    double x = 0.0;         // m
    double y = 0.0;         // m
};

/// One piece of a course that moved: two points that follow each other, and where they came from.
struct SweptPiece {
    std::int32_t course = 0;  // of those after
    std::int32_t point = 0;   // the second is the next one
    CoursePlace first;        // on those before
    CoursePlace second;
};

/// The courses of two years: the earlier ones, and those of the later year with all that were left in
/// between, as they were then. Each point of these came from the nearest place of the earlier ones that heads
/// the same way and lies within four of its widths. A loop that was cut off has its own course; so the
/// channel that goes on without it has no part in it.
struct Sweep {
    std::vector<Course> before;
    std::vector<Course> after;
    std::size_t channels = 0;                            // of `after`, which come first
    std::vector<std::vector<CoursePlace>> origins = {};  // of the points of `after`, on `before`

    /// All neighbours whose origins lie on one course and not much further apart along it than both are from
    /// them.
    [[nodiscard]] std::vector<SweptPiece> pieces() const;
};

/// From the network at `place` of the history to the next one.
Sweep sweep_to_next(const MeanderHistory& history, std::size_t place);

}  // namespace thalweg
