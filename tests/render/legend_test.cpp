#include "thalweg/render/drawing/legend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using ::testing::Pointwise;

TEST(Legend, scale_bars_take_the_largest_of_one_two_and_five_that_fits) {
    EXPECT_DOUBLE_EQ(round_number_below(10300.0), 10000.0);
    EXPECT_DOUBLE_EQ(round_number_below(9999.0), 5000.0);
    EXPECT_DOUBLE_EQ(round_number_below(4999.0), 2000.0);
    EXPECT_DOUBLE_EQ(round_number_below(1.9), 1.0);
    EXPECT_DOUBLE_EQ(round_number_below(0.3), 0.2);
    EXPECT_DOUBLE_EQ(round_number_below(5000.0), 5000.0);
}

TEST(Legend, linear_ticks_are_round_and_inside_the_range) {
    EXPECT_THAT(linear_ticks(315.0, 2295.0, 6), Pointwise(DoubleEq(), {500.0, 1000.0, 1500.0, 2000.0}));
    EXPECT_THAT(linear_ticks(-120.0, 410.0, 6),
                Pointwise(DoubleEq(), {-100.0, 0.0, 100.0, 200.0, 300.0, 400.0}));
    EXPECT_THAT(linear_ticks(0.0, 1.0, 6), Pointwise(DoubleEq(), {0.0, 0.2, 0.4, 0.6, 0.8, 1.0}));
}

TEST(Legend, of_one_value_has_one_tick) {
    EXPECT_THAT(linear_ticks(7.5, 7.5, 6), ElementsAre(7.5));
    EXPECT_THAT(logarithmic_ticks(7.5, 7.5, 6), ElementsAre(7.5));
}

TEST(Legend, has_two_to_six_ticks_for_any_range) {
    for (double low = -3.7e4; low < 4e4; low += 977.0) {
        for (double span = 1e-3; span < 1e6; span *= 1.7) {
            const std::vector<double> ticks = linear_ticks(low, low + span, 6);
            EXPECT_GE(ticks.size(), 2U) << low << ' ' << span;
            EXPECT_LE(ticks.size(), 6U) << low << ' ' << span;
        }
    }
}

TEST(Legend, logarithmic_ticks_are_powers_of_ten_or_closer_in_a_short_range) {
    EXPECT_THAT(logarithmic_ticks(900.0, 3e6, 6), Pointwise(DoubleEq(), {1e3, 1e4, 1e5, 1e6}));
    EXPECT_THAT(logarithmic_ticks(1.0, 30.0, 6), Pointwise(DoubleEq(), {1.0, 2.0, 5.0, 10.0, 20.0}));
    EXPECT_THAT(logarithmic_ticks(1.0, 1e12, 6), Pointwise(DoubleEq(), {1.0, 1e3, 1e6, 1e9, 1e12}));
}

TEST(Legend, writes_numbers_as_people_do) {
    EXPECT_EQ(number_in_words(0.0), "0");
    EXPECT_EQ(number_in_words(250.0), "250");
    EXPECT_EQ(number_in_words(2500.0), "2500");
    EXPECT_EQ(number_in_words(25000.0), "25\u2009000");
    EXPECT_EQ(number_in_words(-40.0), "\u221240");
    EXPECT_EQ(number_in_words(0.05), "0.05");
    EXPECT_EQ(number_in_words(1e6), "10⁶");
    EXPECT_EQ(number_in_words(2e-5), "2·10⁻⁵");
    EXPECT_EQ(distance_in_words(500.0), "500 m");
    EXPECT_EQ(distance_in_words(20000.0), "20 km");
}

}  // namespace
}  // namespace thalweg
