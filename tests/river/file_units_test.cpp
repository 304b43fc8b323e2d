#include "thalweg/river/file_units.hpp"

#include "thalweg/core/random.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// Values of every mantissa over twelve orders of magnitude.
double drawn_value(std::uint64_t draw) {
    const double mantissa = unit_double(random_bits(11, Stream::Noise, 2 * draw));
    return std::exp2(40.0 * unit_double(random_bits(11, Stream::Noise, 2 * draw + 1)) - 10.0) * mantissa;
}

TEST(FileUnits, move_a_value_by_its_last_bit_at_most) {
    for (const double unit : {kKilometre, kSquareKilometre})
        for (std::uint64_t draw = 0; draw < 20000; ++draw) {
            const double value = drawn_value(draw);
            EXPECT_DOUBLE_EQ(as_in_file(value, unit), value);
            EXPECT_LE(std::abs(as_in_file(value, unit) - value), std::nextafter(value, 1e300) - value);
        }
}

TEST(FileUnits, give_a_value_that_was_in_a_file_the_same_number_again) {
    for (const double unit : {kKilometre, kSquareKilometre})
        for (std::uint64_t draw = 0; draw < 20000; ++draw) {
            const double read = as_in_file(drawn_value(draw), unit);
            ASSERT_EQ(as_in_file(read, unit), read);
            ASSERT_EQ(read / unit, drawn_value(draw) / unit);
        }
}

TEST(FileUnits, keep_nothing_and_round_numbers_as_they_are) {
    EXPECT_EQ(as_in_file(0.0, kKilometre), 0.0);
    EXPECT_EQ(as_in_file(256.0, kKilometre), 256.0);
    EXPECT_EQ(as_in_file(900.0, kSquareKilometre), 900.0);
}

}  // namespace
}  // namespace thalweg
