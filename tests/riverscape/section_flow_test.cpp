#include "thalweg/core/execution.hpp"
#include "thalweg/riverscape/beds/bed_tree_parts.hpp"
#include "thalweg/riverscape/courses/section_profile.hpp"
#include "thalweg/riverscape/river_beds.hpp"

#include <algorithm>
#include <cmath>

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
    EXPECT_GT(errors.sections, 3);
    EXPECT_NEAR(errors.mean, 0.0, 0.002);
    EXPECT_GT(errors.largest, 0.0);
    EXPECT_LT(errors.largest, 0.01);
    EXPECT_EQ(errors.off, 0.0);
    for (BedValley& each : beds.valleys)
        for (ValleyPoint& point : each.points) point.discharge *= 2.0;
    EXPECT_NEAR(tree.flow_errors(beds).mean, 0.5 * (1.0 + errors.mean) - 1.0, 1e-12);
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

TEST(SectionFlow, goes_around_rocks_that_come_up_and_not_over_them) {
    QuietProgress progress;
    const tests::Valley valley = tests::make_valley(tests::valley_forms()[2]);  // B
    const std::vector<RiverStretch> stretches = classify_reaches(valley.network, valley.elevation, {});
    const BedCourses beds = bed_courses(valley.network, stretches, valley.elevation, {}, 5, progress);
    const BedTree tree(valley.elevation, beds, {}, 5);
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
