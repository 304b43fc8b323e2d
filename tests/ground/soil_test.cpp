#include "thalweg/ground/soil.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr SoilLaw kLaw{.production = 2e-4F, .decay_depth = 0.4F, .diffusivity = 0.01F, .age = 20000.0F};
constexpr float kGentle = 0.01F;  // m/m
constexpr float kCritical = 1.0F;

/// Lowering at 1e-4 m/yr, by creep over a ridge.
constexpr float kRidge = -0.01F;  // 1/m

TEST(Soil, comes_in_time_to_where_production_is_what_the_ground_loses) {
    SoilLaw old = kLaw;
    old.age = 1e6F;
    EXPECT_NEAR(soil_depth(old, kRidge, 0.0F, kCritical), 0.4 * std::log(2e-4 / 1e-4), 1e-4);
}

TEST(Soil, on_even_ground_grows_with_the_logarithm_of_time) {
    EXPECT_NEAR(soil_depth(kLaw, 0.0F, 0.0F, kCritical), 0.4 * std::log1p(2e-4 * 20000.0 / 0.4), 1e-4);
}

TEST(Soil, is_what_small_steps_of_the_equation_give) {
    for (const double laplacian : {-0.018, -0.01, -0.001, 0.0, 0.002, 0.01}) {
        double depth = 0.0;
        constexpr int kSteps = 200000;
        for (int step = 0; step < kSteps; ++step)
            depth += 20000.0 / kSteps * (2e-4 * std::exp(-depth / 0.4) + 0.01 * laplacian);
        EXPECT_NEAR(soil_depth(kLaw, static_cast<float>(laplacian), 0.0F, kCritical), depth, 2e-3)
            << laplacian;
    }
}

TEST(Soil, is_none_where_more_is_lost_than_rock_gives) {
    EXPECT_EQ(soil_depth(kLaw, -0.021F, kGentle, kCritical), 0.0F);
    EXPECT_GT(soil_depth(kLaw, -0.019F, kGentle, kCritical), 0.0F);
}

TEST(Soil, is_deeper_in_hollows_and_thinner_on_ridges) {
    float before = -1.0F;
    for (float laplacian = -0.02F; laplacian < 0.05F; laplacian += 0.001F) {
        const float depth = soil_depth(kLaw, laplacian, 0.3F, kCritical);
        EXPECT_GE(depth, before);
        before = depth;
    }
    EXPECT_GT(before, 3.0F);
}

TEST(Soil, thins_out_towards_the_critical_slope_without_a_step) {
    float before = std::numeric_limits<float>::infinity();
    for (float slope = 0.0F; slope < 1.2F; slope += 0.01F) {
        const float depth = soil_depth(kLaw, 0.0F, slope, kCritical);
        EXPECT_LE(depth, before);
        if (slope > 0.0F) EXPECT_LT(before - depth, 0.08F) << slope;
        before = depth;
    }
    EXPECT_EQ(before, 0.0F);
}

TEST(Soil, of_sediment_is_as_deep_as_it_was_laid_but_on_steep_ground) {
    EXPECT_FLOAT_EQ(sediment_depth(2.0F, 0.0F, kCritical), 2.0F);
    EXPECT_FLOAT_EQ(sediment_depth(90.0F, 0.0F, kCritical), 5.0F);
    EXPECT_FLOAT_EQ(sediment_depth(2.0F, 1.1F, kCritical), 0.0F);
}

}  // namespace
}  // namespace thalweg
