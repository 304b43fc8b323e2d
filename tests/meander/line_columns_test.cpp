#include "thalweg/meander/channel/line_columns.hpp"

#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"
#include "thalweg/meander/channel/close_points.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/channel/line_edits.hpp"
#include "thalweg/meander/channel/loops.hpp"

#include <array>
#include <cmath>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::array<int, 3> kVectors = {4, 8, 16};

/// What `work` returns with vectors of each width at most, which must be the same.
template <class Work>
auto at_any_width(const Work& work) {
    limit_vector_lanes(kVectors.front());
    auto narrow = work();
    for (const int lanes : kVectors) {
        limit_vector_lanes(lanes);
        EXPECT_EQ(work(), narrow) << lanes;
    }
    limit_vector_lanes(0);
    return narrow;
}

std::vector<float> draws(std::uint64_t seed, std::int64_t count) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < count; ++i)
        values.push_back(static_cast<float>(
            unit_double(random_bits(seed, Stream::WhiteNoise, static_cast<std::uint64_t>(i)))));
    return values;
}

TEST(LineColumns, recur_as_one_step_after_another_does_from_either_end) {
    for (const std::int64_t points : {1, 2, 3, 7, 8, 9, 17, 63, 64, 65, 250, 255, 256}) {
        const std::vector<float> decay = draws(1, points);
        const std::vector<float> source = draws(2, points);
        const auto recur = [&](bool back) {
            std::vector<float> value = source;
            const float last = in_lanes([&](auto lanes) {
                return back ? recur_back_in_lanes<lanes()>(decay.data(), value.data(), value.data(), points,
                                                           0.7F)
                            : recur_in_lanes<lanes()>(decay.data(), value.data(), value.data(), points, 0.7F);
            });
            EXPECT_EQ(last, back ? value.front() : value.back());
            return value;
        };
        for (const bool back : {false, true}) {
            const std::vector<float> value = at_any_width([&] { return recur(back); });
            double expected = 0.7;
            for (std::int64_t k = 0; k < points; ++k) {
                const std::int64_t i = back ? points - 1 - k : k;
                expected = static_cast<double>(decay[i]) * expected + static_cast<double>(source[i]);
                ASSERT_NEAR(value[i], expected, 2e-6 * (1.0 + expected)) << points << " " << i;
            }
        }
    }
}

TEST(LineColumns, recur_evenly_to_the_bits_of_columns_of_that_step) {
    constexpr EvenSteps kSteps{.decay = 0.3F, .gain = 0.7F};
    for (const std::int64_t points : {1, 2, 7, 8, 9, 63, 250, 256}) {
        const std::vector<float> decay(static_cast<std::size_t>(points), kSteps.decay);
        const std::vector<float> source = draws(3, points);
        std::vector<float> gained = source;
        for (float& value : gained) value *= kSteps.gain;
        const auto recur = [&](bool back, bool evenly) {
            std::vector<float> value(source.size());
            const float* const s = evenly ? source.data() : gained.data();
            in_lanes([&](auto lanes) {
                if (evenly)
                    return back ? recur_evenly_back_in_lanes<lanes()>(kSteps, s, value.data(), points, 0.9F)
                                : recur_evenly_in_lanes<lanes()>(kSteps, s, value.data(), points, 0.9F);
                return back ? recur_back_in_lanes<lanes()>(decay.data(), s, value.data(), points, 0.9F)
                            : recur_in_lanes<lanes()>(decay.data(), s, value.data(), points, 0.9F);
            });
            return value;
        };
        for (const bool back : {false, true})
            ASSERT_EQ(at_any_width([&] { return recur(back, true); }), recur(back, false)) << points;
    }
}

TEST(LineColumns, give_steps_the_same_bits_at_any_width_of_vectors) {
    for (const std::size_t points : {3U, 40U, 1000U}) {
        const ChannelLine start =
            nearly_straight_line(50.0 * static_cast<double>(points - 1), 50.0, 100.0, 5);
        at_any_width([&] {
            ChannelLine line = start;
            ChannelMigration migration({});
            for (int step = 0; step < 4; ++step) migration.step(line, mobile(line.size()), 0.3, 0.5);
            return line;
        });
    }
}

/// A line with kinks, at some of which it meets itself.
ChannelLine kinked_line(std::uint64_t seed, double sharpest) {
    std::vector<RiverPoint> points = {{0.0, 0.0, 0.0}};
    double direction = 0.0;
    for (std::uint64_t i = 0; i < 300; ++i) {
        const bool is_kink = unit_double(random_bits(seed, Stream::WhiteNoise, i / 9, 1)) < 0.15;
        const double draw = unit_double(random_bits(seed, Stream::WhiteNoise, i, 2)) - 0.3;
        direction += (is_kink ? sharpest : 0.1) * draw;
        points.push_back({points.back().x + 50.0 * std::cos(direction),
                          points.back().y + 50.0 * std::sin(direction), 0.0});
    }
    return channel_line(points, 100.0, 3.0, 1.0);
}

/// Whether two segments of a line cross of which the one comes at most so many points after the other.
bool has_loop(const ChannelLine& line, std::size_t most) {
    for (std::size_t i = 0; i + 3 < line.size(); ++i)
        for (std::size_t j = i + 2; j < std::min(i + most + 1, line.size() - 1); ++j)
            if (segments_cross(line, i, line, j)) return true;
    return false;
}

TEST(Loops, are_found_where_a_search_of_all_segments_finds_them_and_are_gone_after_the_last) {
    int with_loops = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        ChannelLine line = kinked_line(seed, 0.04 * static_cast<double>(seed));
        const ChannelLine before = line;
        const auto most = static_cast<std::size_t>(least_points_between(100.0, 50.0));
        const bool expected = has_loop(line, most);
        ASSERT_EQ(remove_loops(line), expected) << seed;
        ASSERT_EQ(line == before, !expected) << seed;
        if (!expected) continue;
        ++with_loops;
        // Where a loop was, the line is smoothed, which can make another one upstream.
        while (remove_loops(line)) {
        }
        ASSERT_FALSE(has_loop(line, most)) << seed;
    }
    EXPECT_GT(with_loops, 20);
    EXPECT_LT(with_loops, 80);
}

/// A point of an even line, found from the head on: a place on Hermite's cubic in its segment.
RiverPoint even_point(const ChannelLine& line, double distance) {
    const auto segment = [&](std::size_t i) {
        return std::hypot(line.x[i + 1] - line.x[i], line.y[i + 1] - line.y[i]);
    };
    std::size_t at = 0;
    double before = 0.0;
    while (at + 2 < line.size() && before + segment(at) < distance) before += segment(at++);
    const double h = segment(at);
    const double u = std::min(1.0, (distance - before) / h);
    const auto place = [&](const std::vector<double>& v) {
        const auto slope = [&](std::size_t i) { return (v[i + 1] - v[i]) / segment(i); };
        const auto inner = [&](std::size_t i) {
            return (segment(i) * slope(i - 1) + segment(i - 1) * slope(i)) / (segment(i - 1) + segment(i));
        };
        const auto tangent = [&](std::size_t i) {
            if (line.size() == 2) return slope(0);
            if (i == 0) return 2.0 * slope(0) - inner(1);
            return i + 1 == line.size() ? 2.0 * slope(i - 1) - inner(i - 1) : inner(i);
        };
        const double rest = 1.0 - u;
        return rest * rest * (1.0 + 2.0 * u) * v[at] + u * u * (3.0 - 2.0 * u) * v[at + 1] +
               h * u * rest * (rest * tangent(at) - u * tangent(at + 1));
    };
    return {.x = place(line.x), .y = place(line.y), .z = line.z[at] + u * (line.z[at + 1] - line.z[at])};
}

TEST(Resampled, lies_on_the_cubic_through_the_old_points_to_the_same_bits_at_any_width_of_vectors) {
    for (const std::size_t points : {2U, 3U, 4U, 12U, 301U})
        for (const double spacing : {7.0, 51.0, 400.0}) {
            ChannelLine line = part_of(kinked_line(3, 2.0), 0, points - 1);
            const std::vector<float> draw = draws(7, std::ssize(line.x));
            for (std::size_t i = 0; i < points; ++i) {
                line.x[i] += 20.0 * draw[i];
                line.z[i] = 100.0 - static_cast<double>(i) - draw[i];
                line.values.width[i] += draw[i];
            }
            const ChannelLine even = at_any_width([&] { return resampled(line, spacing); });
            const double step = length_of(line) / static_cast<double>(even.size() - 1);
            ASSERT_EQ(even.values.width.front(), line.values.width.front());
            ASSERT_EQ(even.values.width.back(), line.values.width.back());
            for (std::size_t i = 0; i < even.size(); ++i) {
                const RiverPoint expected = even_point(line, step * static_cast<double>(i));
                ASSERT_NEAR(even.x[i], expected.x, 1e-3) << points << " " << spacing << " " << i;
                ASSERT_NEAR(even.y[i], expected.y, 1e-3) << points << " " << spacing << " " << i;
                ASSERT_NEAR(even.z[i], expected.z, 1e-4) << points << " " << spacing << " " << i;
            }
        }
}

TEST(ClosePairs, of_boxes_that_follow_each_other_are_the_same_at_any_width_of_vectors) {
    int near = 0;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const ChannelLine line = kinked_line(seed, 3.0);
        const std::vector<const ChannelLine*> lines = {&line};
        const auto distances = at_any_width([&] {
            std::vector<double> closeness;
            for (const ClosePair& pair : close_pairs(lines)) closeness.push_back(pair.closeness);
            return closeness;
        });
        ASSERT_EQ(distances.size(), close_pairs(lines).size());
        for (const ClosePair& pair : close_pairs(lines))
            near += pair.second.point - pair.first.point < 2 * kPointsInBox ? 1 : 0;
    }
    EXPECT_GT(near, 50);
}

TEST(Moves, tell_the_furthest_in_widths_where_these_are_one_and_where_they_change) {
    for (const std::int64_t points : {1, 15, 16, 40, 256})
        for (const bool is_even : {true, false}) {
            const std::vector<float> normal_x = draws(1, points);
            const std::vector<float> normal_y = draws(2, points);
            const std::vector<float> displacement = draws(3, points);
            std::vector<float> width = draws(4, points);
            for (float& value : width) value = is_even ? 3.0F : 3.0F + value;
            const std::vector<float> start = draws(5, points);
            float expected = 0.0F;
            for (std::int64_t i = 0; i < points; ++i) {
                const float along = 2.0F * displacement[i];
                const float dx = start[i] + along * normal_x[i];
                const float dy = start[i] + along * normal_y[i];
                expected = std::max(expected, (dx * dx + dy * dy) / (width[i] * width[i]));
            }
            const float furthest = at_any_width([&] {
                std::vector<float> move_x = start;
                std::vector<float> move_y = start;
                const MoveColumns columns{.normal_x = normal_x.data(),
                                          .normal_y = normal_y.data(),
                                          .width = width.data(),
                                          .move_x = move_x.data(),
                                          .move_y = move_y.data()};
                return in_lanes([&](auto lanes) {
                    return moves_in_lanes<lanes()>(columns, 2.0F, displacement.data(), points);
                });
            });
            ASSERT_EQ(furthest, expected) << points << " " << is_even;
        }
}

TEST(IsEven, tells_whether_all_segments_are_within_their_band) {
    ChannelLine line = sine_line(3000.0, 50.0, 3000.0, 0.0, 100.0);
    EXPECT_TRUE(is_even(line, 50.0));
    EXPECT_TRUE(is_even(line, 0.99 * 50.0 / kShortestSegment));
    EXPECT_FALSE(is_even(line, 1.01 * 50.0 / kShortestSegment));
    EXPECT_TRUE(is_even(line, 1.01 * 50.0 / kLongestSegment));
    EXPECT_FALSE(is_even(line, 0.99 * 50.0 / kLongestSegment));
    line.x.back() += 13.0;
    EXPECT_FALSE(is_even(line, 50.0));
}

}  // namespace
}  // namespace thalweg
