#include "thalweg/meander/validation/line_matching.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/meander/validation/excluded_stretches.hpp"
#include "thalweg/meander/validation/line_smoothing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kTestWidth = 100.0;

/// A wandering line in steps of about 50 m.
DirectedLine wandering_line(std::size_t points, std::uint64_t seed) {
    std::vector<double> x{0.0}, y{0.0};
    double angle = 0.0;
    for (std::size_t i = 1; i < points; ++i) {
        angle += 0.8 * (unit_double(random_bits(seed, Stream::WhiteNoise, i)) - 0.5);
        x.push_back(x.back() + 50.0 * std::cos(angle));
        y.push_back(y.back() + 50.0 * std::sin(angle));
    }
    return {x, y};
}

/// The same line, each point moved by some metres.
DirectedLine moved(const DirectedLine& line, double most, std::uint64_t seed) {
    std::vector<double> x = line.x, y = line.y;
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] += most * (unit_double(random_bits(seed, Stream::WhiteNoise, i, 1)) - 0.5);
        y[i] += most * (unit_double(random_bits(seed, Stream::WhiteNoise, i, 2)) - 0.5);
    }
    return {x, y};
}

/// What the way over `path` costs: each pair once for each line that steps to it.
double cost_of(const std::vector<MatchedPair>& path, const DirectedLine& before, const DirectedLine& after) {
    double sum = 0.0;
    for (std::size_t k = 0; k < path.size(); ++k) {
        const int steps =
            k == 0 ? 1 : path[k].before - path[k - 1].before + path[k].after - path[k - 1].after;
        sum += steps * matching_cost(before, static_cast<std::size_t>(path[k].before), after,
                                     static_cast<std::size_t>(path[k].after), kTestWidth);
    }
    return sum;
}

/// The least cost over all ways, by a table of all pairs.
double least_cost(const DirectedLine& before, const DirectedLine& after) {
    std::vector<std::vector<double>> sums(before.size(), std::vector<double>(after.size()));
    for (std::size_t i = 0; i < before.size(); ++i)
        for (std::size_t j = 0; j < after.size(); ++j) {
            const double cost = matching_cost(before, i, after, j, kTestWidth);
            double least = i == 0 && j == 0 ? cost : HUGE_VAL;
            if (i > 0) least = std::min(least, sums[i - 1][j] + cost);
            if (j > 0) least = std::min(least, sums[i][j - 1] + cost);
            if (i > 0 && j > 0) least = std::min(least, sums[i - 1][j - 1] + 2.0 * cost);
            sums[i][j] = least;
        }
    return sums.back().back();
}

void expect_monotone(const std::vector<MatchedPair>& path, std::size_t before, std::size_t after) {
    EXPECT_EQ(path.front(), (MatchedPair{0, 0}));
    EXPECT_EQ(path.back(),
              (MatchedPair{static_cast<std::int32_t>(before) - 1, static_cast<std::int32_t>(after) - 1}));
    for (std::size_t k = 1; k < path.size(); ++k) {
        const std::int32_t i = path[k].before - path[k - 1].before, j = path[k].after - path[k - 1].after;
        ASSERT_TRUE((i == 0 || i == 1) && (j == 0 || j == 1) && i + j > 0) << k;
    }
}

TEST(LineMatching, over_all_pairs_is_the_cheapest_way_of_a_table_of_all) {
    QuietProgress progress;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const DirectedLine before = wandering_line(40 + seed, seed),
                           after = wandering_line(60 - seed, seed + 50);
        const std::vector<MatchedPair> path =
            best_match(before, after, {before.size(), after.size()}, kTestWidth, progress);
        expect_monotone(path, before.size(), after.size());
        EXPECT_NEAR(cost_of(path, before, after), least_cost(before, after), 1e-9);
    }
}

TEST(LineMatching, from_coarse_to_fine_is_the_cheapest_way_too_where_a_line_moved_by_a_few_widths) {
    QuietProgress progress;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const DirectedLine before = wandering_line(600, seed), after = moved(before, 150.0, seed);
        const std::vector<MatchedPair> path = match_lines(before, after, 8, kTestWidth, progress);
        expect_monotone(path, before.size(), after.size());
        EXPECT_NEAR(cost_of(path, before, after), least_cost(before, after), 1e-9);
    }
}

TEST(LineMatching, of_a_line_with_itself_is_each_point_with_itself) {
    QuietProgress progress;
    const DirectedLine line = wandering_line(203, 3);
    const std::vector<MatchedPair> path = match_lines(line, line, 8, kTestWidth, progress);
    ASSERT_EQ(path.size(), line.size());
    for (const MatchedPair& pair : path) EXPECT_EQ(pair.before, pair.after);
}

TEST(LineMatching, counts_a_right_angle_like_two_widths) {
    const DirectedLine east({0.0, 100.0, 200.0}, {0.0, 0.0, 0.0});
    const DirectedLine north({100.0, 100.0, 100.0}, {-100.0, 0.0, 100.0});
    const DirectedLine beside({0.0, 100.0, 200.0}, {200.0, 200.0, 200.0});
    EXPECT_DOUBLE_EQ(matching_cost(east, 1, north, 1, kTestWidth), 4.0);
    EXPECT_DOUBLE_EQ(matching_cost(east, 1, beside, 1, kTestWidth), 4.0);
}

/// `own` steps along the one line alone at place 50, of 100 along both.
std::vector<MatchedPair> path_with_loop(std::int32_t own, bool on_before) {
    std::vector<MatchedPair> path;
    MatchedPair at;
    const auto step = [&](std::int32_t before, std::int32_t after) {
        at.before += before;
        at.after += after;
        path.push_back(at);
    };
    path.push_back(at);
    for (int k = 0; k < 50; ++k) step(1, 1);
    for (int k = 0; k < own; ++k) step(on_before ? 1 : 0, on_before ? 0 : 1);
    for (int k = 0; k < 50; ++k) step(1, 1);
    return path;
}

TEST(ExcludedStretches, are_what_one_line_has_and_the_other_has_not) {
    const auto cutoffs = find_excluded(path_with_loop(30, true), 10.0, 200.0);
    ASSERT_EQ(cutoffs.size(), 1U);
    EXPECT_EQ(cutoffs[0], (ExcludedStretch{50, 80, true}));
    const auto courses = find_excluded(path_with_loop(30, false), 10.0, 200.0);
    ASSERT_EQ(courses.size(), 1U);
    EXPECT_EQ(courses[0], (ExcludedStretch{50, 50, false}));
    EXPECT_TRUE(find_excluded(path_with_loop(20, true), 10.0, 200.0).empty());
}

TEST(LineSmoothing, keeps_straight_lines_and_their_ends_and_takes_from_waves_what_theory_says) {
    std::vector<double> rising(200), wave(400);
    for (std::size_t i = 0; i < rising.size(); ++i) rising[i] = 3.0 + 0.5 * static_cast<double>(i);
    for (const std::vector<double>& mean : {gauss_mean(rising, 8.0), twiced_gauss_mean(rising, 8.0)})
        for (std::size_t i = 0; i < rising.size(); ++i) ASSERT_NEAR(mean[i], rising[i], 1e-9);
    constexpr double kLength = 50.0;
    for (std::size_t i = 0; i < wave.size(); ++i)
        wave[i] = std::sin(2.0 * std::numbers::pi * static_cast<double>(i) / kLength);
    const double g = std::exp(-2.0 * std::pow(std::numbers::pi * 8.0 / kLength, 2.0));
    const std::vector<double> once = gauss_mean(wave, 8.0), twice = twiced_gauss_mean(wave, 8.0);
    for (std::size_t i = 100; i < 300; ++i) {
        ASSERT_NEAR(once[i], g * wave[i], 1e-3);
        ASSERT_NEAR(twice[i], (1.0 - (1.0 - g) * (1.0 - g)) * wave[i], 1e-3);
    }
}

TEST(LineSmoothing, of_used_values_knows_no_others) {
    std::vector<double> values(100, 2.0);
    std::vector<std::uint8_t> is_used(100, 1);
    for (std::size_t i = 40; i < 60; ++i) {
        values[i] = 1e6;
        is_used[i] = 0;
    }
    for (const double mean : gauss_mean_of_used(values, is_used, 8.0)) ASSERT_NEAR(mean, 2.0, 1e-12);
}

}  // namespace
}  // namespace thalweg
