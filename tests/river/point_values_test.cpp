#include "thalweg/river/point_values.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

std::vector<RiverPoint> straight_line(const std::vector<double>& places) {
    std::vector<RiverPoint> line;
    for (const double x : places) line.push_back({x, 0.0, 0.0});
    return line;
}

TEST(PointValues, on_a_finer_line_lie_between_those_of_the_line) {
    const PointValues values{
        .width = {1.0F, 3.0F, 4.0F}, .depth = {1.0F, 1.0F, 0.5F}, .discharge = {0, 8, 9}};
    const std::vector<RiverPoint> from = straight_line({0.0, 4.0, 8.0});
    const std::vector<RiverPoint> to = straight_line({0.0, 1.0, 2.0, 4.0, 6.0, 8.0});
    const PointValues fine = resampled_values(values, from, to);
    EXPECT_EQ(fine.width, (std::vector<float>{1.0F, 1.5F, 2.0F, 3.0F, 3.5F, 4.0F}));
    EXPECT_EQ(fine.depth, (std::vector<float>{1.0F, 1.0F, 1.0F, 1.0F, 0.75F, 0.5F}));
    EXPECT_EQ(fine.discharge, (std::vector<float>{0.0F, 2.0F, 4.0F, 8.0F, 8.5F, 9.0F}));
}

TEST(PointValues, that_never_fall_never_fall_on_any_other_line) {
    std::uint64_t draw = 0;
    const auto random = [&] { return unit_double(random_bits(7, Stream::Noise, draw++)); };
    const auto random_line = [&](std::size_t points) {
        std::vector<RiverPoint> line;
        for (std::size_t i = 0; i < points; ++i) line.push_back({random() * 100.0, random() * 100.0, 0.0});
        return line;
    };
    for (std::size_t points = 2; points < 40; ++points) {
        const std::vector<RiverPoint> from = random_line(points);
        PointValues values;
        for (std::size_t i = 0; i < points; ++i) values.width.push_back(static_cast<float>(random()));
        std::ranges::sort(values.width);
        values.depth = values.discharge = values.width;
        const std::vector<RiverPoint> to = random_line(1 + draw % 50 + 1);
        const PointValues other = resampled_values(values, from, to);
        ASSERT_EQ(other.width.size(), to.size());
        EXPECT_TRUE(std::ranges::is_sorted(other.width));
        EXPECT_EQ(other.width.front(), values.width.front());
        EXPECT_EQ(other.width.back(), values.width.back());
        EXPECT_TRUE(resampled_values(values, from, from) == values);
    }
}

TEST(PointValues, of_a_line_at_one_place_and_of_none_are_defined) {
    const PointValues values{.width = {1.0F, 2.0F}, .depth = {1.0F, 2.0F}, .discharge = {1.0F, 2.0F}};
    const std::vector<RiverPoint> still = straight_line({5.0, 5.0});
    EXPECT_EQ(resampled_values(values, still, straight_line({5.0, 5.0, 5.0})).width.size(), 3U);
    EXPECT_TRUE(resampled_values({}, still, still).empty());
}

}  // namespace
}  // namespace thalweg
