// Lakes that stand in terrain whose rivers are carved.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"

#include <optional>

namespace thalweg {

/// The lakes of a terrain, if there are any where `level` has data above it; else nothing.
std::optional<StandingWater> standing_water(const Field<float>& terrain, const Field<float>& level);

/// Lets lakes of level L stand in a carved window with ground e and water w in beds. The ground below them is
/// that of the terrain t again, so that no bank goes across a lake, and rivers come down to it: over the
/// first 2 m of depth (empirical),
///
///   E = e + q (t - e),   W = max(L, w + q (L - w)),   q = 3 x^2 - 2 x^3,   x = (L - t) / 2 m from 0 to 1
///
/// Between cells of which some are dry, a lake reaches as far as the ground lies below it; where dry ones are
/// lower than the lake, which spills there, half a cell far, and q goes down to 0 until there. O(cells),
/// parallel; the same bits on any number of threads; polls `progress`.
///
/// Example:
///     const Field<float> level(elevation.grid(), 410.0F);  // m
///     const BedTree tree(elevation, {}, {}, seed);
///     CarvedWindow carved = tree.carve(grid, progress);
///     if (const auto lakes = standing_water(elevation, level)) let_stand(*lakes, carved, progress);
void let_stand(const StandingWater& water, CarvedWindow& carved, Progress& progress);

/// The same courses, of which sections under lakes have no discharge: BedTree::flow_errors leaves those out.
BedCourses without_flow_in(const StandingWater& water, BedCourses courses);

}  // namespace thalweg
