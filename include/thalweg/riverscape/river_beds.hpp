// Beds of rivers as they were carved, for whoever goes on with them.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/grid/rectangle.hpp"
#include "thalweg/riverscape/bed_course.hpp"
#include "thalweg/riverscape/bed_tree.hpp"

#include <cstdint>
#include <optional>

namespace thalweg {

/// All that carved terrain and its water come from.
struct RiverBeds {
    Field<float> terrain;  // m, before beds were carved
    BedCourses courses;
    BedTreeParameters parameters;
    std::uint64_t seed = 0;
    std::optional<BedTree> tree = {};  // of all, where it is made already: files do not keep it
    Field<float> lakes = {};  // m, levels of lakes as they stood before, else no data; empty: none did
};

/// The courses of valleys that come within `reach` metres of `extent`, whole, with their features and rocks,
/// in their order: a tree of them is that of all, there. O(points).
BedCourses courses_near(const BedCourses& courses, const Rectangle& extent, double reach);

/// The tree of all beds that reach into `extent`; its samples there are those of the tree of all.
///
/// Example:
///     const RiverBeds beds = {.terrain = elevation, .courses = {}, .parameters = {}, .seed = seed};
///     const BedTree close = beds_near(beds, {.west = 0.0, .south = 0.0, .east = 100.0, .north = 50.0});
BedTree beds_near(const RiverBeds& beds, const Rectangle& extent);

}  // namespace thalweg
