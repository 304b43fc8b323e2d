// Courses of rivers that are given as cells, and water led along them on a routed terrain.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/route.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// A cell whose receiver is given.
struct CourseCell {
    std::int32_t cell;
    std::uint8_t direction;  // 0..7
};

/// What rivers ask of the water on one lattice. Following the given directions never leads in a circle.
struct RiverCourses {
    std::vector<CourseCell> cells;   // each cell once, ascending
    std::vector<std::int32_t> ends;  // where courses end inside: drained by the terrain; ascending

    [[nodiscard]] bool empty() const { return cells.empty(); }
};

/// Makes the water of `flow`, routed to one of 8 neighbours, run along `courses` whatever the terrain says.
/// All else keeps its way: where that comes upon a course it joins it, also from one side of a diagonal to
/// the other.
///
/// Where a course ends, water goes on as before; unless this leads back to the course, when it goes on by
/// the lowest path, as water that fills the ground would find it, to the nearest cell from which it does
/// not. Such a way crosses a course only where there is no other, and where there is none at all water ends.
/// Returns at how many ends water stays that went on before.
///
/// Drainage areas and the order of the tree are those of the new ways, and elevation is cut down to the
/// lowest upstream wherever it would rise. O(cells + flooded cells log flooded cells), 2 bytes per cell;
/// serial but for the order; polls `progress`.
///
/// Example:
///     const CourseCell eastward = {.cell = 1000, .direction = direction_of_step(1, 0)};
///     const RiverCourses canal = {.cells = {eastward}, .ends = {1001}};
///     FlowResult led = flow;
///     lead_along(canal, led, progress);
std::int64_t lead_along(const RiverCourses& courses, FlowResult& flow, Progress& progress);

}  // namespace thalweg
