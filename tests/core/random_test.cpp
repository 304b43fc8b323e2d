#include "thalweg/core/random.hpp"

#include <array>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Random, draws_are_spread_evenly_over_the_unit_interval) {
    constexpr int kDraws = 160000;
    std::array<int, 16> bins{};
    double sum = 0.0;
    for (std::uint64_t i = 0; i < kDraws; ++i) {
        const double draw = unit_double(random_bits(7, Stream::Noise, i));
        ++bins[static_cast<std::size_t>(draw * 16.0)];
        sum += draw;
    }
    EXPECT_NEAR(sum / kDraws, 0.5, 0.003);
    for (const int count : bins) EXPECT_NEAR(count, kDraws / 16, 500);
}

TEST(Random, every_part_of_the_key_changes_the_draw) {
    const std::uint64_t draw = random_bits(1, Stream::Noise, 2, 3, 4);
    EXPECT_NE(draw, random_bits(2, Stream::Noise, 2, 3, 4));
    EXPECT_NE(draw, random_bits(1, Stream::Receiver, 2, 3, 4));
    EXPECT_NE(draw, random_bits(1, Stream::Noise, 3, 3, 4));
    EXPECT_NE(draw, random_bits(1, Stream::Noise, 2, 4, 4));
    EXPECT_NE(draw, random_bits(1, Stream::Noise, 2, 3, 5));
    EXPECT_NE(random_bits(1, Stream::Noise, 2, 3), random_bits(1, Stream::Noise, 3, 2));
}

TEST(Random, all_bits_set_stay_below_one) {
    EXPECT_LT(unit_float(~0ULL), 1.0F);
    EXPECT_LT(unit_double(~0ULL), 1.0);
    EXPECT_EQ(unit_float(0), 0.0F);
}

}  // namespace
}  // namespace thalweg
