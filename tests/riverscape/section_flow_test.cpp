#include "thalweg/core/execution.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"
#include "thalweg/riverscape/courses/section_profile.hpp"
#include "thalweg/riverscape/river_beds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "tests/riverscape/valleys.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(SectionFlow, errors_are_small_and_grow_with_a_discharge_that_is_not_that_of_the_bed) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[3]);  // C
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 5, progress);
    const BedTree tree(valley.elevation, beds, {}, 5);
    const FlowErrors errors = tree.flow_errors(beds);
    std::int64_t sections = 0;  // but for those at both ends
    for (const BedValley& each : beds.valleys) sections += std::ssize(each.points) - 2;
    EXPECT_EQ(errors.sections + errors.shared, sections);
    EXPECT_NEAR(errors.mean, 0.0, 0.002);
    EXPECT_GT(errors.largest, 0.0);
    EXPECT_LT(errors.largest, 0.01);
    EXPECT_EQ(errors.off, 0.0);
    for (BedValley& each : beds.valleys)
        for (ValleyPoint& point : each.points) point.discharge *= 2.0;
    EXPECT_NEAR(tree.flow_errors(beds).mean, 0.5 * (1.0 + errors.mean) - 1.0, 1e-3);
    EXPECT_EQ(tree.flow_errors(beds).off, 1.0);
    EXPECT_EQ(tree.flow_errors({}).sections, 0);
}

TEST(SectionFlow, to_the_right_rises_as_the_depth_of_the_section_says) {
    for (const float flatness : {0.0F, 0.6F, 1.0F, 1.7F, 2.0F, 2.9F}) {
        constexpr float kThalweg = 0.3F;
        constexpr float kRight = 1.2F;  // flatness of that side
        const auto run = [&](double y) {
            return static_cast<double>(flow_to_the_right(kThalweg, flatness, kRight, static_cast<float>(y)));
        };
        EXPECT_NEAR(run(-1.0), -0.5, 1e-6);
        EXPECT_NEAR(run(1.0), 0.5, 1e-6);
        // Sum up the same by hand.
        constexpr int kSteps = 4000;
        const auto flow = [&](int step) {
            const float h = section_profile(kThalweg, flatness, kRight,
                                            static_cast<float>(2.0 * (step + 0.5) / kSteps - 1.0));
            return static_cast<double>(h * (1.0F + 2.0F * h));
        };
        double all = 0.0;
        for (int step = 0; step < kSteps; ++step) all += flow(step);
        double sum = 0.0;
        for (int step = 0; step < kSteps; ++step) {
            sum += flow(step);
            EXPECT_NEAR(run(2.0 * (step + 1.0) / kSteps - 1.0), sum / all - 0.5, 1e-4);
        }
    }
}

TEST(SectionFlow, finds_its_way_through_rocks_that_lie_from_bank_to_bank) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[2]);  // B
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 5, progress);
    const BedCoursePoint& at = beds.courses[0].points[beds.courses[0].points.size() / 2];
    beds.rocks.clear();
    for (int k = -5; k <= 5; ++k)
        beds.rocks.push_back({.distance = at.distance,
                              .x = at.x,
                              .y = at.y + 0.11 * k * at.width,
                              .radius = 0.1 * at.width,
                              .height = 3.0 * at.depth});
    const BedTree tree(valley.elevation, beds, {}, 5);
    EXPECT_GT(tree.parts().primitives.deflectors.size(), 8U);
    const FlowErrors errors = tree.flow_errors(beds);
    EXPECT_GT(errors.sections, 100);
    EXPECT_EQ(errors.shared, 0);
    EXPECT_LT(errors.largest, 0.01);
    int emergent = 0;
    for (const BedRock& rock : beds.rocks) emergent += is_no_data(tree.at({rock.x, rock.y}).water) ? 1 : 0;
    EXPECT_GE(emergent, 6);  // of 11
    // Nowhere is it faster than 16 Q / (w D).
    double fastest = 0.0;
    for (const BedCoursePoint& point : beds.courses[0].points)
        if (std::abs(point.distance - at.distance) < at.width)
            fastest = std::max(fastest, 16.1 * point.discharge / (point.width * (point.water - point.bed)));
    double speed = 0.0;
    for (double x = -0.3; x < 0.3; x += 0.01)
        for (double y = -0.7; y < 0.7; y += 0.01) {
            const BedSample sample = tree.at({at.x + x * at.width, at.y + y * at.width});
            speed = std::max(speed, static_cast<double>(std::hypot(sample.velocity_x, sample.velocity_y)));
        }
    EXPECT_GT(speed, 2.0 * at.velocity);
    EXPECT_LT(speed, fastest);
}

/// A torrent whose rocks are these: points behind its middle, widths to the left, radii in widths.
FlowErrors errors_around(const std::vector<std::array<double, 3>>& rocks) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[0]);  // A+
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 5, progress);
    const std::vector<BedCoursePoint>& points = beds.courses[0].points;
    beds.rocks.clear();
    for (const auto& [behind, left, radius] : rocks) {
        const BedCoursePoint& at = points[points.size() / 2 + static_cast<std::size_t>(behind)];
        beds.rocks.push_back({.distance = at.distance,
                              .x = at.x,
                              .y = at.y + left * at.width,
                              .radius = radius * at.width,
                              .height = 3.0 * at.depth});
    }
    return BedTree(valley.elevation, beds, {}, 5).flow_errors(beds);
}

TEST(SectionFlow, is_that_of_the_reach_where_rocks_bend_it_through_narrow_gaps) {
    const FlowErrors errors = errors_around({{2, 0.332, 0.141}, {2, 0.098, 0.151}, {3, -0.216, 0.141}});
    EXPECT_GT(errors.sections, 200);
    EXPECT_LT(errors.largest, 0.005);
}

TEST(SectionFlow, is_not_lost_beside_the_edge_of_the_water_where_a_rock_presses_it_there) {
    EXPECT_LT(errors_around({{3, -0.095, 0.150}}).largest, 0.0015);
}

TEST(SectionFlow, goes_over_the_lower_bank_of_another_river) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[2]);  // B
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    BedCourses beds =
        bed_courses(valley.network, stretches, valley.elevation, {.rock_density = 0.0}, 5, progress);
    // A second river beside the first one, on its bank.
    constexpr double kHigher = 1.5;  // m
    const double aside = 0.65 * beds.courses[0].points[0].width;
    beds.courses.push_back(beds.courses[0]);
    beds.courses[1].valley = 1;
    for (BedCoursePoint& point : beds.courses[1].points) {
        point.y += aside;
        point.water += kHigher;
        point.bed += kHigher;
    }
    beds.valleys.push_back(beds.valleys[0]);
    for (ValleyPoint& point : beds.valleys[1].points) {
        point.y += aside;
        point.bank += kHigher;
    }
    beds.features.clear();
    const BedTree tree(valley.elevation, beds, {.roughness = 0.0}, 5);
    int wet = 0;
    int all = 0;
    const std::vector<BedCoursePoint>& points = beds.courses[1].points;
    for (std::size_t i = 10; i + 10 < points.size(); ++i) {
        const BedSample sample = tree.at({points[i].x, points[i].y});
        ++all;
        if (is_no_data(sample.water)) continue;
        ++wet;
        EXPECT_LE(sample.water, points[i].water + 0.01);
        EXPECT_GT(sample.velocity_x, 0.5F);
    }
    EXPECT_EQ(wet, all);
}

TEST(SectionFlow, of_a_section_on_which_two_rivers_stand_is_not_judged) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[3]);  // C
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 5, progress);
    beds.courses.push_back(beds.courses[0]);
    beds.courses[1].valley = 1;
    beds.valleys.push_back(beds.valleys[0]);
    for (BedCoursePoint& point : beds.courses[1].points) point.y += 0.9 * point.width;
    for (ValleyPoint& point : beds.valleys[1].points) point.y += 0.9 * beds.courses[0].points[0].width;
    const FlowErrors errors = BedTree(valley.elevation, beds, {}, 5).flow_errors(beds);
    EXPECT_GT(errors.shared, 10);
    EXPECT_LT(errors.sections, errors.shared);
}

TEST(SectionFlow, goes_around_rocks_that_come_up_and_not_over_them) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[2]);  // B
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    const BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 6, progress);
    const BedTree tree(valley.elevation, beds, {}, 6);
    const BedPrimitives& primitives = tree.parts().primitives;
    ASSERT_GT(primitives.deflectors.size(), 20U);
    int wet = 0;
    for (const BedDeflector& rock : primitives.deflectors) {
        EXPECT_GT(rock.reach, rock.core);
        if (rock.part < 1.0F) continue;
        // Water on the rock's rim, where no other rock bends it.
        for (int k = 0; k < 12; ++k) {
            const float x = rock.x + 0.7F * rock.core * std::cos(0.5F * static_cast<float>(k));
            const float y = rock.y + 0.7F * rock.core * std::sin(0.5F * static_cast<float>(k));
            const Position place{primitives.origin.x + static_cast<double>(x),
                                 primitives.origin.y + static_cast<double>(y)};
            const bool is_alone =
                std::ranges::count_if(primitives.deflectors, [&](const BedDeflector& other) {
                    return std::hypot(other.x - x, other.y - y) < other.reach + 0.2F;
                }) == 1;
            const BedSample sample = tree.at(place);
            if (is_no_data(sample.water) || sample.water - sample.elevation < 0.02F || !is_alone) continue;
            EXPECT_LT(std::hypot(sample.velocity_x, sample.velocity_y), 0.05F);
            ++wet;
        }
    }
    EXPECT_GT(wet, 20);
}

}  // namespace
}  // namespace thalweg
