#include "thalweg/riverscape/flow/water_sites.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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
            EXPECT_NEAR(sites.distance_to_water(p), std::clamp(all.edge, 0.0, WaterSites::kReach), 1e-9);
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
