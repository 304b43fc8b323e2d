#include "thalweg/core/execution.hpp"
#include "thalweg/riverscape/river_beds.hpp"

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

}  // namespace
}  // namespace thalweg
