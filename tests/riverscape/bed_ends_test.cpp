#include "thalweg/riverscape/bed_tree.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// The greatest step between neighbouring cells, and the greatest depth.
struct Steepness {
    double step = 0.0;   // m
    double depth = 0.0;  // m
};

Steepness steepness_of(const Field<float>& elevation, const Field<float>& depth) {
    Steepness found;
    for (int row = 1; row < elevation.rows(); ++row)
        for (int column = 1; column < elevation.columns(); ++column) {
            const double here = elevation(column, row);
            found.step = std::max({found.step, std::abs(here - elevation(column - 1, row)),
                                   std::abs(here - elevation(column, row - 1))});
            found.depth = std::max(found.depth, static_cast<double>(depth(column, row)));
        }
    return found;
}

TEST(BedEnds, have_no_slots_where_rivers_begin_meet_and_end) {
    QuietProgress progress;
    const tests::Valley valley = tests::confluence(tests::valley_forms()[3]);  // C
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    const BedCourses beds =
        bed_courses(valley.network, stretches, valley.elevation, {.rock_density = 0.0}, 5, progress);
    ASSERT_EQ(beds.courses.size(), 3U);
    const BedTree tree(valley.elevation, beds, {}, 5);
    constexpr double kHalf = 10.0;          // m, of windows
    constexpr double kCell = 0.05;          // m
    constexpr double kGreatestStep = 0.15;  // m: cut banks rise by a tenth of a metre on a cell
    for (const BedCourse& course : beds.courses)
        for (const BedCoursePoint& end : {course.points.front(), course.points.back()}) {
            Grid window = make_grid(2.0 * kHalf, 2.0 * kHalf, static_cast<int>(2.0 * kHalf / kCell));
            window.west = end.x - kHalf;
            window.north = end.y + kHalf;
            const CarvedWindow carved = tree.carve(window, progress);
            double channel = 0.0;
            for (const BedCourse& other : beds.courses)
                for (const BedCoursePoint& point : other.points)
                    if (std::hypot(point.x - end.x, point.y - end.y) < 1.5 * kHalf)
                        channel = std::max(channel, point.water - point.bed);
            const Steepness found = steepness_of(carved.elevation, carved.water_depth);
            EXPECT_LT(found.step, kGreatestStep) << course.reach << " at " << end.x;
            EXPECT_LT(found.depth, 1.5 * channel) << course.reach << " at " << end.x;
            EXPECT_GT(found.depth, 0.5 * channel);
        }
}

}  // namespace
}  // namespace thalweg
