// Courses of channels in the world, as maps and metrics look at them.
#pragma once

#include "thalweg/meander/meander_history.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace thalweg {

/// The course of one channel in a year, in world coordinates, with its normals.
struct Course {
    std::int64_t reach = 0;  // id
    double year = 0.0;
    std::int64_t delta_branch = -1;     // id of the branch of a delta, which does not migrate; -1: others
    std::vector<double> x = {};         // m
    std::vector<double> y = {};         // m
    std::vector<double> width = {};     // m
    std::vector<double> normal_x = {};  // unit vector to the left, halfway between those of both segments
    std::vector<double> normal_y = {};

    [[nodiscard]] std::size_t size() const { return x.size(); }
};

/// What is left out: courses of fewer than two points that differ, and points at the place of the one before.
std::vector<Course> courses_of(const MeanderHistory& history, const RecordedNetwork& network);

/// Of a course that was left.
Course course_of(const AbandonedCourse& abandoned);

/// Sets the normals from the points.
void measure_normals(Course& course);

/// w kappa at each point, the curvature (left is positive) smoothed over two widths.
std::vector<double> bends_of(const Course& course);

/// How many networks a history has up to a year.
std::size_t networks_until(const MeanderHistory& history, double year);

/// Throws Error::input with one sentence where years descend, columns differ in length, or a width or place
/// is none.
void check_history(const MeanderHistory& history);

}  // namespace thalweg
