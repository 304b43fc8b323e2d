// Leaves that drift on the rivers of a window.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/water/drift.hpp"
#include "thalweg/water/water_surface.hpp"

#include <cstdint>

namespace thalweg {

/// Leaves on the water of a carved window: they come in across each channel where that comes into the window
/// or begins within it, `rate` [1/s] of them for all water of a river and by its share in a channel of
/// several, and go with `water`. Banks and rocks are all that stands higher than 4 cm below the still water,
/// as cells; leaves keep one and a half cells away from the middles of those (distance_to). O(cells + ways);
/// the same bits on any number of threads. Throws Error::input as Drift.
///
/// Example:
///     const BedTree bed(elevation, {}, {}, seed);
///     const CarvedWindow still = bed.carve(grid, progress);
///     const Drift leaves = river_drift(still, {}, WaterSurface(BlendFlowTree(), progress), 0.5, seed,
///     progress);
Drift river_drift(const CarvedWindow& still, const BedCourses& beds, const WaterSurface& water, double rate,
                  std::uint64_t seed, Progress& progress);

}  // namespace thalweg
