#include "thalweg/grid/topographic_position.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// z(x, y), m, about the middle of the grid.
template <class Height>
Field<float> surface(int columns, int rows, double cell_size, const Height& height) {
    Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = cell_size});
    const int west = columns / 2, south = rows / 2;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            z(column, row) =
                static_cast<float>(height((column - west) * cell_size, (row - south) * cell_size));
    return z;
}

Field<float> rough(int columns, int rows) {
    return surface(columns, rows, 10.0, [](double x, double y) {
        return 500.0 +
               90.0 * unit_double(random_bits(7, Stream::SeedTerrain, static_cast<std::uint64_t>(5000.0 + x),
                                              static_cast<std::uint64_t>(5000.0 + y)));
    });
}

/// Share of the cell from `begin` to `begin` + 1 that lies within `half_width` of `middle`.
double overlap(double begin, double middle, double half_width) {
    return std::max(0.0, std::min(begin + 1.0, middle + half_width) - std::max(begin, middle - half_width));
}

/// The same by looking at every cell of the grid for each.
double slow_deviation(const Field<float>& z, int column, int row, double cells) {
    const int rows = std::min(row, z.rows() - 1 - row);
    double count = 0.0, sum = 0.0, squares = 0.0;
    for (int other_row = row - rows; other_row <= row + rows; ++other_row) {
        const double away = other_row - row;
        if (std::abs(away) >= cells) continue;
        const double width =
            std::min({std::sqrt(cells * cells - away * away), column + 0.5, z.columns() - column - 0.5});
        for (int other = 0; other < z.columns(); ++other) {
            const double share = overlap(other, column + 0.5, width);
            if (share == 0.0 || is_no_data(z(other, other_row))) continue;
            const double height = static_cast<double>(z(other, other_row));
            count += share;
            sum += share * height;
            squares += share * height * height;
        }
    }
    const double mean = sum / count;
    const double least = 0.01 * cells * z.grid().cell_size;
    return (static_cast<double>(z(column, row)) - mean) /
           std::sqrt(squares / count - mean * mean + least * least);
}

TEST(TopographicPosition, agrees_with_a_slow_oracle_at_any_radius_and_with_gaps) {
    Field<float> z = rough(37, 29);
    for (const int gap : {0, 40, 41, 42, 500}) z[gap] = kNoData;
    for (const double radius : {5.0, 15.0, 37.0, 100.0, 1e4}) {
        const Field<float> found = deviation_from_mean(z, radius, progress);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const int column = z.grid().column_of(cell), row = z.grid().row_of(cell);
            ASSERT_EQ(is_no_data(found[cell]), is_no_data(z[cell]));
            if (is_no_data(z[cell])) continue;
            ASSERT_NEAR(found[cell], slow_deviation(z, column, row, std::max(1.5, radius / 10.0)), 1e-5)
                << column << ", " << row << " at " << radius << " m";
        }
    }
}

TEST(TopographicPosition, of_a_crest_is_that_of_a_roof_whatever_its_slope_and_the_cell_size) {
    // 4 / (3 pi) over the root of 1/4 - (4 / (3 pi))^2.
    const double crest = 0.42441 / std::sqrt(0.25 - 0.42441 * 0.42441);
    for (const double slope : {0.3, 2.0}) {
        std::vector<double> errors;
        for (const double cell_size : {25.0, 12.5, 6.25}) {
            const int side = static_cast<int>(1000.0 / cell_size) + 1;
            const auto roof = [=](double x, double) { return 2000.0 - slope * std::abs(x); };
            const Field<float> found =
                deviation_from_mean(surface(side, side, cell_size, roof), 100.0, progress);
            errors.push_back(std::abs(static_cast<double>(found(side / 2, side / 2)) - crest));
        }
        EXPECT_LT(errors[2], 0.02 * crest);
        EXPECT_LT(errors[2], errors[0]);
    }
}

TEST(TopographicPosition, is_0_on_an_even_slope_up_to_the_edges) {
    const auto slope = [](double x, double y) { return 1000.0 + 0.4 * x - 0.3 * y; };
    const Field<float> found = deviation_from_mean(surface(31, 23, 10.0, slope), 60.0, progress);
    for (const float value : found) EXPECT_NEAR(value, 0.0F, 1e-3F);
}

TEST(TopographicPosition, sees_no_landforms_in_ground_that_is_all_but_level) {
    Field<float> z = rough(40, 40);
    for (float& height : z) height *= 0.001F;  // decimetres over 120 m
    for (const float value : deviation_from_mean(z, 60.0, progress)) EXPECT_LT(std::abs(value), 0.5F);
}

TEST(TopographicPosition, stands_one_row_one_column_one_cell_and_no_data_alone) {
    for (const auto& [columns, rows] : {std::pair{1, 1}, std::pair{1, 9}, std::pair{9, 1}, std::pair{2, 2}}) {
        const Field<float> found = deviation_from_mean(rough(columns, rows), 30.0, progress);
        for (const float value : found) EXPECT_TRUE(std::isfinite(value));
    }
    const Field<float> nothing(Grid{.columns = 5, .rows = 4}, kNoData);
    for (const float value : deviation_from_mean(nothing, 2.0, progress)) EXPECT_TRUE(is_no_data(value));
}

TEST(TopographicPosition, becomes_shares_of_ridges_and_valleys_from_0_to_1) {
    Field<float> ridge(Grid{.columns = 6, .rows = 1});
    std::ranges::copy(std::vector<float>{-2.0F, -1.0F, 0.75F, 1.0F, 1.5F, 3.0F}, ridge.begin());
    Field<float> valley = ridge;
    valley[5] = ridge[5] = kNoData;
    ridge_share(ridge);
    valley_share(valley);
    const std::vector<float> ridges = {0.0F, 0.0F, 0.25F, 0.5F, 1.0F},
                             valleys = {1.0F, 0.5F, 0.0F, 0.0F, 0.0F};
    for (std::size_t i = 0; i < ridges.size(); ++i) {
        EXPECT_EQ(ridge[static_cast<std::int64_t>(i)], ridges[i]);
        EXPECT_EQ(valley[static_cast<std::int64_t>(i)], valleys[i]);
    }
    EXPECT_TRUE(is_no_data(ridge[5]) && is_no_data(valley[5]));
}

TEST(TopographicPosition, has_the_same_bits_on_any_number_of_threads) {
    const Field<float> z = rough(300, 200);
    std::vector<Field<float>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(deviation_from_mean(z, 70.0, progress));
    }
    EXPECT_EQ(found[1], found[0]);
    EXPECT_EQ(found[2], found[0]);
}

}  // namespace
}  // namespace thalweg
