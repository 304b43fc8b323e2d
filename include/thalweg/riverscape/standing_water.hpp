// Lakes that stand in terrain whose rivers are carved.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"

#include <optional>

namespace thalweg {

/// Lakes as they stand before beds are carved.
struct StandingWater {
    Field<float> terrain;  // m
    Field<float> level;    // m, no data where none stands
};

/// The lakes of a terrain, if there are any where `level` has data above it; else nothing.
std::optional<StandingWater> standing_water(const Field<float>& terrain, const Field<float>& level);

/// Lets lakes stand in a carved window. The ground below them is that of the terrain t again, so that no bank
/// goes across a lake: over the first 2 m of depth D (empirical), beds go over into it,
///
///   E = e + q(D / 2 m) (t - e),   q(x) = 3 x^2 - 2 x^3 up to 1,   D = max(0, level - t)
///
/// and the water is the higher one of the lake and the bed, where that is above E. Between cells, level and D
/// are bilinear, and the lake lies no higher than t + D, so that it ends where its cells end. O(cells),
/// parallel; the same bits on any number of threads; polls `progress`.
///
/// Example:
///     CarvedWindow carved = tree.carve(grid, progress);
///     if (const auto lakes = standing_water(elevation, lake_levels)) let_stand(*lakes, carved, progress);
void let_stand(const StandingWater& water, CarvedWindow& carved, Progress& progress);

/// The same courses, of which sections under lakes have no discharge: BedTree::flow_errors leaves those out.
BedCourses without_flow_in(const StandingWater& water, BedCourses courses);

}  // namespace thalweg
