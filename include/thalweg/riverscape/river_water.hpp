// Water over carved beds: primitives of a blend-flow tree, placed by bed, flow, type and obstacles.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"
#include "thalweg/water/blend_flow_tree.hpp"
#include "thalweg/water/disc_seeding.hpp"
#include "thalweg/water/water_surface.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace thalweg {

/// How water is placed.
struct RiverWaterParameters {
    double loop_period = 20.0;  // s, after which the water moves as before
    double density = 1.0;       // 1, times as many primitives on the same water
    double agitation = 1.0;     // 1, times the heights of waves, and foam

    static void declare(Declaration<RiverWaterParameters>& declaration);
};

/// A river's water and what it was made of.
struct RiverWaterTree {
    BlendFlowTree tree;
    std::array<std::int64_t, 7> primitives = {};  // by WaterKind
};

/// The water of all beds within `extent`, its mean level that of the beds.
///
/// Discs cover the water (seed_discs), smaller where it is narrow, steep or fast. The kind of a disc's water
/// follows its agitation, from 0 to 1,
///
///   F^2 / (F^2 + 1), F = u / sqrt(g h) the Froude number at its middle,
///   or exp(-s / l) min(1, (H / 0.4 h)^(1/2)) below falls of height H, s away, if that is more
///
/// where l is three widths below drops and one below riffles, and h the depth: calm below 0.12, ripples up to
/// 0.4, turbulent water above. So basins of A are level and decay from turbulent to calm, riffles of C are
/// rapids between calm pools, and channels of D are agitated where they are deep (Peytavie et al. 2019,
/// sec. 5.3). Beside banks that fast water strikes, every other disc is one of waves that they throw back.
/// Over these, in this order, replace cascades the water at drops; standing waves that over rocks under
/// water; wakes and pairs of whirlpools that behind rocks which come near the surface; single whirlpools that
/// in pools of bends, some by hash. Wakes and whirlpools are as large as their rocks; rocks smaller than a
/// quarter of the discs around have none, and so have those behind which the water falls: discs at one level
/// stood there as pillars. Cascades go from the level above their drop to that below it.
///
/// Differs in: the paper gives no numbers; those here are empirical. Draws are hashes of seed and place, so
/// that a place has the same water whatever the extent, but for where it ends: waves hang on the middle of
/// the terrain. O(primitives); the same bits on any number of threads; polls `progress`. Throws Error::input
/// as seed_discs.
///
/// Example:
///     const std::vector<RiverStretch> stretches = classify_reaches(network, elevation, {});
///     const BedCourses beds = bed_courses(network, stretches, elevation, {}, seed, progress);
///     const BedTree bed(elevation, beds, {}, seed);
///     const Rectangle window = {.west = 0.0, .south = 0.0, .east = 200.0, .north = 100.0};
///     const RiverWaterTree water = river_water(bed, beds, window, {}, seed, progress);
RiverWaterTree river_water(const BedTree& bed, const BedCourses& beds, const Rectangle& extent,
                           const RiverWaterParameters& parameters, std::uint64_t seed, Progress& progress);

/// Depths of moving water over its bed at many points [m] and a time [s], m: 0 where the bed is dry, or lies
/// above the water; `depths` has as many places. Together with WaterSurface::evaluate these are level,
/// velocity, foam and depth. O(points); parallel, same bits on any number of threads.
///
/// Example:
///     const std::vector<Position> points = {{10.0, 5.0}, {11.0, 5.0}};
///     std::vector<float> depths(points.size());
///     const BedTree bed(elevation, {}, {}, seed);
///     const WaterSurface surface(BlendFlowTree(), progress);
///     water_depths(bed, surface, points, 2.5, depths);
void water_depths(const BedTree& bed, const WaterSurface& surface, std::span<const Position> points,
                  double time, std::span<float> depths);

/// How many of `count` random places along the courses within the extent are wet and covered by no primitive
/// of the surface. They are as dense everywhere from bank to bank, so that most are wet. O(courses + count);
/// the same bits on any number of threads.
std::int64_t coverage_holes(const BedTree& bed, const BedCourses& beds, const WaterSurface& surface,
                            const Rectangle& extent, std::int64_t count, std::uint64_t seed);

}  // namespace thalweg
