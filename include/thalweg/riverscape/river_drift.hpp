// Leaves and foam that drift on the rivers of a window.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/water/drift.hpp"
#include "thalweg/water/water_surface.hpp"

#include <cstdint>

namespace thalweg {

/// How much drifts.
struct RiverDriftRates {
    double leaves = 0.0;        // 1/s, for all water of a river
    double foam_patches = 0.0;  // 1/(s m^2), of water that is all foam

    static void declare(Declaration<RiverDriftRates>& declaration);
};

/// What drifts on the water of a carved window, and goes with `water`. Leaves come in across each channel
/// where that comes into the window or begins within it, by its share in a channel of several. Patches of
/// foam come off wherever the mean foam over the loop is above 0.2, in proportion to it, and fade in 12 to
/// 36 s (empirical). Banks and rocks are all that stands higher than 4 cm below the still water,
/// as cells; what drifts keeps one and a half cells away from the middles of those (distance_to). O(cells +
/// ways); the same bits on any number of threads. Throws Error::input as Drift, and for more than a million
/// patches.
///
/// Example:
///     const BedTree bed(elevation, {}, {}, seed);
///     const CarvedWindow still = bed.carve(grid, progress);
///     const WaterSurface water(BlendFlowTree(), progress);
///     const Drift drift = river_drift(still, {}, water, {.leaves = 0.5}, seed, progress);
Drift river_drift(const CarvedWindow& still, const BedCourses& beds, const WaterSurface& water,
                  const RiverDriftRates& rates, std::uint64_t seed, Progress& progress);

}  // namespace thalweg
