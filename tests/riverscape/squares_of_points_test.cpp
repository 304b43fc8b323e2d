#include "thalweg/riverscape/beds/squares_of_points.hpp"

#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kSide = 2.0;  // m

double draw(std::uint64_t number) {
    return unit_double(mix64(number));
}

/// Checks that each point stands in one square, none of which is wider than `widest` m; returns their number.
std::size_t sorted_into(const std::vector<Position>& points, double widest) {
    SquaresOfPoints squares(kSide);
    squares.sort(points);
    std::vector<std::uint32_t> numbers(squares.order().begin(), squares.order().end());
    std::size_t first = 0;
    for (const std::size_t end : squares.ends()) {
        EXPECT_GT(end, first);
        const auto part = squares.order().subspan(first, end - first);
        const auto width = [&](double Position::* member) {
            const auto [least, most] =
                std::ranges::minmax(part, {}, [&](std::uint32_t i) { return points[i].*member; });
            return points[most].*member - points[least].*member;
        };
        EXPECT_LE(std::max(width(&Position::x), width(&Position::y)), widest * (1.0 + 1e-9));
        first = end;
    }
    EXPECT_EQ(first, points.size());
    std::ranges::sort(numbers);
    std::vector<std::uint32_t> all(points.size());
    std::iota(all.begin(), all.end(), 0U);
    EXPECT_EQ(numbers, all);
    return squares.ends().size();
}

TEST(SquaresOfPoints, hold_each_point_once_and_are_small_where_points_are_dense) {
    std::vector<Position> rows;
    for (int i = 0; i < 4000; ++i) rows.push_back({1e6 + 0.1 * (i % 200), -3e5 - 0.1 * (i / 200)});
    EXPECT_LE(sorted_into(rows, kSide), 24U);
}

TEST(SquaresOfPoints, are_wider_where_points_are_few) {
    std::vector<Position> sparse;
    for (std::uint64_t i = 0; i < 500; ++i) sparse.push_back({40.0 * draw(2 * i), 40.0 * draw(2 * i + 1)});
    EXPECT_LE(sorted_into(sparse, 4.0 * kSide), 49U);
}

TEST(SquaresOfPoints, part_what_lies_far_apart) {
    std::vector<Position> far;
    for (std::uint64_t i = 0; i < 300; ++i) {
        const double middle = i % 2 == 0 ? 0.0 : 1e7;
        far.push_back({middle + draw(2 * i), middle - draw(2 * i + 1)});
    }
    std::vector<Position> alone;
    for (std::uint64_t i = 0; i < 40; ++i) alone.push_back({1e5 * draw(i), 1e5 * draw(100 + i)});
    sorted_into(far, 4.0 * kSide);
    EXPECT_GT(sorted_into(alone, 4.0 * kSide), 30U);
    EXPECT_EQ(sorted_into({{1.0, 2.0}}, 0.0), 1U);
    EXPECT_EQ(sorted_into({}, 0.0), 0U);
}

}  // namespace
}  // namespace thalweg
