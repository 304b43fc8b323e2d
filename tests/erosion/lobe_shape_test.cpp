// Where the lobes of a fan go.
#include "thalweg/erosion/fans/lobe_shape.hpp"

#include "thalweg/flow/flow_tree.hpp"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// The bearing (radians) from the apex in which ways are shortest, of those within a right angle of east.
double course_of(const LobeShape& shape) {
    constexpr int kBearings = 360;
    double best = 0.0, least = 1e9;
    for (int i = 0; i <= kBearings; ++i) {
        const double bearing = std::numbers::pi * (static_cast<double>(i) / kBearings - 0.5);
        const double cost = shape.cost(
            {shape.apex().x + 1000.0 * std::cos(bearing), shape.apex().y + 1000.0 * std::sin(bearing)});
        if (cost >= least) continue;
        least = cost;
        best = bearing;
    }
    return best;
}

struct LobesOf {
    explicit LobesOf(Position place) : apex{.place = place, .area = 1e6, .slope = 0.1} {}
    [[nodiscard]] LobeShape lobe(int number) const { return {inputs, apex, number}; }

    Field<float> elevation{Grid{.columns = 2, .rows = 2}};
    FlowTree tree;
    FlowBoundary boundary;
    FanInputs inputs{.elevation = elevation, .tree = tree, .boundary = boundary, .seed = 3};
    FanApex apex;
};

TEST(LobeShape, lobes_go_to_both_sides_of_the_valley_wherever_the_apex_lies) {
    for (int place = 0; place < 40; ++place) {
        const LobesOf fan({.x = 777.0 * place, .y = 431.0 * place});
        int left = 0;
        for (int number = 0; number < 8; ++number) left += course_of(fan.lobe(number)) > 0.0 ? 1 : 0;
        EXPECT_GE(left, 3) << "of 8, at place " << place;
        EXPECT_LE(left, 5) << "of 8, at place " << place;
    }
}

TEST(LobeShape, ways_are_as_long_above_the_apex_as_below_it) {
    const LobesOf fan({.x = 500.0, .y = 900.0});
    const LobeShape shape = fan.lobe(1);
    for (int i = 0; i < 12; ++i) {
        const double bearing = std::numbers::pi * i / 6.0;
        const double x = 400.0 * std::cos(bearing), y = 400.0 * std::sin(bearing);
        EXPECT_NEAR(shape.cost({500.0 + x, 900.0 + y}), shape.cost({500.0 - x, 900.0 - y}), 1e-12);
        EXPECT_LE(shape.cost({500.0 + x, 900.0 + y}), 3.5);
    }
}

}  // namespace
}  // namespace thalweg
