#include "thalweg/riverscape/flow/water_sites.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

BedCourses courses_in(RiverType type) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[static_cast<std::size_t>(type)]);
    return bed_courses(valley.network, classify_reaches(valley.network, valley.elevation, {}),
                       valley.elevation, {}, 5, progress);
}

/// What all pieces of all courses say of a place.
struct FoundByAll {
    double edge = std::numeric_limits<double>::infinity();     // m from the water's edge
    double weighed = std::numeric_limits<double>::infinity();  // widths from the line
};

FoundByAll found_by_all(const BedCourses& beds, Position p) {
    FoundByAll found;
    for (const BedCourse& course : beds.courses)
        for (std::size_t i = 0; i + 1 < course.points.size(); ++i) {
            const BedCoursePoint& a = course.points[i];
            const BedCoursePoint& b = course.points[i + 1];
            const double dx = b.x - a.x;
            const double dy = b.y - a.y;
            const double t =
                std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / (dx * dx + dy * dy), 0.0, 1.0);
            const double distance = std::hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
            found.edge = std::min(found.edge, distance - kWettedHalf * std::max(a.width, b.width));
            found.weighed = std::min(found.weighed, distance / a.width);
        }
    return found;
}

TEST(WaterSites, find_by_few_pieces_what_all_say) {
    for (const RiverType type : {RiverType::A, RiverType::C, RiverType::D}) {
        const BedCourses beds = courses_in(type);
        const Rectangle extent{.west = 20.0, .south = -60.0, .east = 100.0, .north = 60.0};
        const WaterSites sites(beds, extent, 1.0);
        int near = 0;
        for (std::uint64_t i = 0; i < 1500; ++i) {
            const Position p{20.0 + 80.0 * unit_double(mix64(2 * i)),
                             120.0 * unit_double(mix64(2 * i + 1)) - 60.0};
            const FoundByAll all = found_by_all(beds, p);
            EXPECT_NEAR(sites.distance_to_water(p), std::min(all.edge, WaterSites::kReach), 1e-9);
            WaterSite site;
            if (all.edge > WaterSites::kReach) continue;
            ++near;
            ASSERT_TRUE(sites.nearest(p, site));
            const BedCoursePoint& on = beds.courses[site.course].points[site.point];
            EXPECT_NEAR(site.distance / on.width, all.weighed, 1e-9);
        }
        EXPECT_GT(near, 100);
    }
}

/// A straight channel along x, at y.
BedCourse straight_course(double y, double width, double velocity, double slope) {
    BedCourse course;
    for (int i = 0; i <= 60; ++i)
        course.points.push_back({.x = 2.0 * i,
                                 .y = y,
                                 .distance = 2.0 * i,
                                 .water = -2.0 * i * slope,
                                 .width = width,
                                 .depth = 1.0,
                                 .velocity = velocity});
    return course;
}

TEST(WaterSites, keep_what_decides_edge_radius_or_nearness_alone) {
    // A slow brook, whose edge is nearest; a narrow steep one, whose primitives are the smallest; a river,
    // which is the nearest by its width. Each decides something where the others decide the rest.
    BedCourses beds;
    beds.courses = {straight_course(0.0, 1.0, 0.1, 0.0), straight_course(11.5, 0.5, 3.0, 0.3),
                    straight_course(22.5, 20.0, 0.1, 0.0)};
    const Rectangle extent{.west = 20.0, .south = -20.0, .east = 100.0, .north = 40.0};
    constexpr double kSparse = 0.0025;
    const WaterSites sites(beds, extent, kSparse);
    std::vector<double> radii;  // m, of each course on its line
    for (const BedCourse& course : beds.courses) {
        BedCourses alone;
        alone.courses = {course};
        radii.push_back(WaterSites(alone, extent, kSparse).radius({60.0, course.points[0].y}));
    }
    for (std::uint64_t i = 0; i < 2000; ++i) {
        const Position p{30.0 + 60.0 * unit_double(mix64(2 * i)), 36.0 * unit_double(mix64(2 * i + 1)) - 3.0};
        const FoundByAll all = found_by_all(beds, p);
        EXPECT_NEAR(sites.distance_to_water(p), std::min(all.edge, WaterSites::kReach), 1e-9);
        if (all.edge > WaterSites::kReach) continue;
        double radius = kLargestWaterRadius;
        for (std::size_t c = 0; c < radii.size(); ++c)
            radius = std::min(radius, radii[c] + kRadiusChange * std::abs(p.y - beds.courses[c].points[0].y));
        EXPECT_NEAR(sites.radius(p), radius, 1e-9) << p.y;
        WaterSite site;
        ASSERT_TRUE(sites.nearest(p, site));
        EXPECT_NEAR(site.distance / site.width, all.weighed, 1e-9) << p.y;
    }
}

TEST(WaterSites, radii_change_by_half_a_metre_a_metre_at_most) {
    const BedCourses beds = courses_in(RiverType::C);
    const Rectangle extent{.west = 20.0, .south = -60.0, .east = 100.0, .north = 60.0};
    const WaterSites sites(beds, extent, 1.0);
    constexpr double kStep = 0.05;  // m
    for (double x = 30.0; x < 90.0; x += 7.3)
        for (double y = -50.0; y < 50.0; y += kStep) {
            if (sites.distance_to_water({x, y}) >= WaterSites::kReach - 1.0) continue;
            EXPECT_NEAR(sites.radius({x, y}), sites.radius({x, y + kStep}), kRadiusChange * kStep + 1e-9);
        }
    EXPECT_LT(WaterSites(beds, extent, 4.0).radius({50.0, 0.0}), sites.radius({50.0, 0.0}) + 1e-9);
}

}  // namespace
}  // namespace thalweg
