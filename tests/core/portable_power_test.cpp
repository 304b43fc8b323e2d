#include "thalweg/core/portable_power.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// How far a value is from one of more digits, in units of its last place.
double last_places(double value, long double exact) {
    const double rounded = std::abs(static_cast<double>(exact));
    const double unit = std::nextafter(rounded, std::numeric_limits<double>::infinity()) - rounded;
    return static_cast<double>(std::abs(static_cast<long double>(value) - exact)) / unit;
}

TEST(PortablePower, is_within_one_unit_in_the_last_place_of_more_digits) {
    constexpr std::uint64_t kTrials = 200000;
    for (std::uint64_t i = 0; i < kTrials; ++i) {
        const double exponent = -30.0 + 60.0 * (static_cast<double>(i) + 0.37) / kTrials;
        const double power = -3.0 + 6.0 * static_cast<double>((i * 7919) % kTrials) / kTrials;
        const double x = std::exp(exponent);
        ASSERT_LE(last_places(portable_log(x), std::log(static_cast<long double>(x))), 1.0) << x;
        const double wide = 20.0 * exponent;
        ASSERT_LE(last_places(portable_exp(wide), std::exp(static_cast<long double>(wide))), 1.0) << wide;
        ASSERT_LE(last_places(portable_power(x, power), std::pow(static_cast<long double>(x), power)), 1.0)
            << x << "^" << power;
    }
}

TEST(PortablePower, has_the_bits_that_it_had_on_the_machine_where_it_was_written) {
    EXPECT_EQ(portable_log(7.3), 0x1.fce55551e156ep+0);
    EXPECT_EQ(portable_exp(7.3), 0x1.7213320377b28p+10);
    EXPECT_EQ(portable_power(7.3, 0.45), 0x1.391db20156b3dp+1);
    EXPECT_EQ(portable_power(1.234e9, -0.45), 0x1.5411df45b89f3p-14);
}

TEST(PortablePower, is_exact_where_the_answer_is_a_number) {
    EXPECT_EQ(portable_power(1e6, 0.5), 1e3);
    EXPECT_EQ(portable_power(3.0, 2.0), 9.0);
    EXPECT_EQ(portable_power(7.3, 1.0), 7.3);
    EXPECT_EQ(portable_log(1.0), 0.0);
    EXPECT_EQ(portable_exp(0.0), 1.0);
}

TEST(PortablePower, knows_zero_infinity_and_what_is_no_number) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(portable_log(0.0), -kInfinity);
    EXPECT_TRUE(std::isnan(portable_log(-1.0)));
    EXPECT_EQ(portable_power(0.0, 0.4), 0.0);
    EXPECT_EQ(portable_power(0.0, -0.4), kInfinity);
    EXPECT_EQ(portable_power(0.0, 0.0), 1.0);
    EXPECT_TRUE(std::isnan(portable_power(-1.0, 0.4)));
    EXPECT_TRUE(std::isnan(portable_power(std::nan(""), 0.4)));
    EXPECT_EQ(portable_power(kInfinity, 0.4), kInfinity);
    EXPECT_EQ(portable_power(kInfinity, -0.4), 0.0);
    EXPECT_EQ(portable_exp(1e9), kInfinity);
    EXPECT_EQ(portable_exp(-1e9), 0.0);
    EXPECT_EQ(portable_exp(-kInfinity), 0.0);
}

}  // namespace
}  // namespace thalweg
