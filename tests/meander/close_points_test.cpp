#include "thalweg/meander/channel/close_points.hpp"

#include "thalweg/meander/channel/crossings.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

double spacing_of(const ChannelLine& line) {
    return length_of(line) / static_cast<double>(line.size() - 1);
}

/// All pairs, each point against each.
std::vector<ClosePair> pairs_by_search(std::span<const ChannelLine* const> lines) {
    std::vector<ClosePair> pairs;
    std::vector<double> spacings;
    for (const ChannelLine* const line : lines) spacings.push_back(spacing_of(*line));
    // As wide as points are apart, at least.
    const auto seen_width = [&](std::int32_t line, std::int32_t point) {
        return std::max(static_cast<double>(lines[line]->values.width[point]), spacings[line]);
    };
    for (std::int32_t a = 0; a < static_cast<std::int32_t>(lines.size()); ++a) {
        const double widest = *std::max_element(lines[a]->values.width.begin(), lines[a]->values.width.end());
        const std::int32_t between = least_points_between(widest, spacings[a]);
        for (std::int32_t i = 0; i < static_cast<std::int32_t>(lines[a]->size()); ++i)
            for (std::int32_t b = a; b < static_cast<std::int32_t>(lines.size()); ++b)
                for (std::int32_t j = b == a ? i + between : 0;
                     j < static_cast<std::int32_t>(lines[b]->size()); ++j) {
                    const double distance =
                        std::hypot(lines[b]->x[j] - lines[a]->x[i], lines[b]->y[j] - lines[a]->y[i]);
                    const double width = 0.5 * (seen_width(a, i) + seen_width(b, j));
                    if (distance <= width) pairs.push_back({{a, i}, {b, j}, distance / width});
                }
    }
    return pairs;
}

/// A line that wanders at random, even, of a width that changes along it.
ChannelLine wandering_line(std::uint64_t seed, double width) {
    std::vector<RiverPoint> points = {{unit_double(random_bits(seed, Stream::WhiteNoise, 0)) * 2000.0,
                                       unit_double(random_bits(seed, Stream::WhiteNoise, 1)) * 2000.0, 0.0}};
    double direction = 0.0;
    for (std::uint64_t i = 2; i < 400; ++i) {
        direction += 1.2 * (unit_double(random_bits(seed, Stream::WhiteNoise, i)) - 0.5);
        points.push_back({points.back().x + 0.5 * width * std::cos(direction),
                          points.back().y + 0.5 * width * std::sin(direction), 0.0});
    }
    ChannelLine line = channel_line(points, width, 1.0, 1.0);
    for (std::size_t i = 0; i < line.size(); ++i)
        line.values.width[i] *= 1.0F + 0.001F * static_cast<float>(i);
    return line;
}

TEST(ClosePairs, are_those_that_a_search_of_all_points_finds) {
    std::size_t found = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        std::vector<ChannelLine> lines;
        for (std::uint64_t line = 0; line < 5; ++line)
            lines.push_back(wandering_line(100 * seed + line, line == 4 ? 150.0 : 20.0));
        std::vector<const ChannelLine*> pointers;
        for (const ChannelLine& line : lines) pointers.push_back(&line);
        const std::vector<ClosePair> pairs = close_pairs(pointers);
        const std::vector<ClosePair> expected = pairs_by_search(pointers);
        ASSERT_EQ(pairs.size(), expected.size()) << seed;
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            ASSERT_EQ(pairs[i].first, expected[i].first);
            ASSERT_EQ(pairs[i].second, expected[i].second);
            ASSERT_DOUBLE_EQ(pairs[i].closeness, expected[i].closeness);
        }
        found += pairs.size();
    }
    EXPECT_GT(found, 10000U);
}

TEST(ClosePairs, are_none_of_a_bend_as_tight_as_a_channels_can_be) {
    std::vector<RiverPoint> points;
    for (double angle = 0.0; angle < 3.15; angle += 0.1)
        points.push_back({100.0 * std::cos(angle), 100.0 * std::sin(angle), 0.0});
    const ChannelLine line = resampled(channel_line(points, 100.0, 3.0, 1.0), 50.0);
    const std::vector<const ChannelLine*> lines = {&line};
    EXPECT_TRUE(close_pairs(lines).empty());
    EXPECT_TRUE(close_pairs({}).empty());
}

TEST(ClosePairs, are_seen_where_lines_that_are_narrower_than_their_points_are_apart_cross) {
    const ChannelLine east = sine_line(2000.0, 50.0, 2000.0, 0.0, 4.0);
    ChannelLine north = east;
    for (std::size_t i = 0; i < north.size(); ++i) {
        north.x[i] = 1025.0;
        north.y[i] = east.x[i] - 1025.0;
    }
    const std::vector<const ChannelLine*> lines = {&east, &north};
    EXPECT_EQ(crossings_of(lines).size(), 1U);
    EXPECT_EQ(close_pairs(lines).size(), 4U);
}

}  // namespace
}  // namespace thalweg
