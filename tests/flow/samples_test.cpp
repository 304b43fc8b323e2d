#include "thalweg/flow/survey/samples.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Samples, have_the_moments_that_follow_by_hand) {
    // Mean 2; deviations -2, -1, 0, 3: squares 14, cubes 18, fourth powers 98.
    const Moments found = moments_of(std::array{0.0F, 1.0F, 2.0F, 5.0F});
    EXPECT_DOUBLE_EQ(found.mean, 2.0);
    EXPECT_DOUBLE_EQ(found.deviation, std::sqrt(3.5));
    EXPECT_DOUBLE_EQ(found.skew, 4.5 / (3.5 * std::sqrt(3.5)));
    EXPECT_DOUBLE_EQ(found.kurtosis, 24.5 / (3.5 * 3.5));
    EXPECT_DOUBLE_EQ(found.variation(), std::sqrt(3.5) / 2.0);
}

TEST(Samples, lie_straight_between_ranks) {
    const std::vector<float> values = {4.0F, 1.0F, 3.0F, 2.0F, 5.0F};
    EXPECT_EQ(median_of(values), 3.0);
    EXPECT_EQ(median_of(std::array{1.0F, 2.0F}), 1.5);
    const std::vector<double> found = quantiles_of(values, std::array{1.0, 0.0, 0.125});
    EXPECT_EQ(found, (std::vector<double>{5.0, 1.0, 1.5}));
}

TEST(Samples, of_nothing_have_neither_moments_nor_quantiles) {
    EXPECT_TRUE(std::isnan(moments_of({}).mean));
    EXPECT_TRUE(std::isnan(median_of({})));
    EXPECT_TRUE(std::isnan(moments_of(std::array{2.0F, 2.0F}).skew));
}

TEST(Samples, are_told_in_decades) {
    EXPECT_NEAR(decades_of(1000.0), 3.0, 1e-15);
    EXPECT_NEAR(decades_of(0.05), std::log10(0.05), 1e-15);
}

}  // namespace
}  // namespace thalweg
