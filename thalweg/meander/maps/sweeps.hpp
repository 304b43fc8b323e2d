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

/// One piece of a course that moved: two points that follow each other, and where they came from (or went
/// to).
struct SweptPiece {
    std::int32_t course = 0;
    std::int32_t point = 0;  // the second is the next one
    CoursePlace first;
    CoursePlace second;
};

/// The courses of two years, the earlier ones, and those of the later year with all that were left in between
/// as they were then. Each point of one side is matched with the nearest place of the other side that heads
/// the same way and lies within four of its widths; where a loop was cut off, no points but its own have one.
struct Sweep {
    std::vector<Course> before;
    std::vector<Course> after;
    std::size_t channels = 0;                            // of `after`, which come first
    std::vector<std::vector<CoursePlace>> origins = {};  // of the points of `after`, on `before`
    std::vector<std::vector<CoursePlace>> targets = {};  // of the points of `before`, on `after`

    /// Pieces of `after` with their origins, or of `before` with their targets: neighbours whose places lie
    /// on one course and not much further apart along it than both are from them.
    [[nodiscard]] std::vector<SweptPiece> pieces_of_after() const;
    [[nodiscard]] std::vector<SweptPiece> pieces_of_before() const;
};

/// From the network at `place` of the history to the next one.
Sweep sweep_to_next(const MeanderHistory& history, std::size_t place);

}  // namespace thalweg
