#include "thalweg/render/hillshade.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/render/shading/horizon.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kRadians = std::numbers::pi / 180.0;

Field<float> terrain(int columns, int rows, double cell_size,
                     const std::function<double(double x, double y)>& height) {
    Field<float> field(
        Grid{.columns = columns, .rows = rows, .cell_size = cell_size, .north = rows * cell_size});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            field(column, row) = static_cast<float>(height(field.grid().x(column), field.grid().y(row)));
    return field;
}

Field<float> rough_terrain(int columns, int rows) {
    Field<float> field(Grid{.columns = columns, .rows = rows, .cell_size = 10.0});
    for (std::int64_t cell = 0; cell < field.size(); ++cell)
        field[cell] = 40.0F * unit_float(random_bits(3, Stream::Render, static_cast<std::uint64_t>(cell)));
    return field;
}

TEST(Hillshade, of_a_tilted_plane_is_the_cosine_between_its_normal_and_the_sun) {
    const double east = 0.4, north = -0.25, factor = 1.5;
    const auto plane = terrain(9, 7, 20.0, [&](double x, double y) { return 100.0 + east * x + north * y; });
    const Sun sun{.azimuth = 300.0, .altitude = 35.0};
    const double p = factor * east, q = factor * north;
    const double sx = std::cos(35.0 * kRadians) * std::sin(300.0 * kRadians);
    const double sy = std::cos(35.0 * kRadians) * std::cos(300.0 * kRadians);
    const double expected = (std::sin(35.0 * kRadians) - p * sx - q * sy) / std::sqrt(1.0 + p * p + q * q);
    for (const float value : hillshade(plane, sun, factor)) EXPECT_NEAR(value, expected, 2e-5);
}

TEST(Hillshade, is_zero_where_the_slope_faces_away) {
    const auto plane = terrain(5, 5, 10.0, [](double x, double) { return -3.0 * x; });
    for (const float value : hillshade(plane, {.azimuth = 270.0, .altitude = 30.0})) EXPECT_EQ(value, 0.0F);
}

TEST(Hillshade, brightens_towards_the_sun_on_each_side_of_a_cone) {
    const auto cone =
        terrain(41, 41, 10.0, [](double x, double y) { return -0.5 * std::hypot(x - 205.0, y - 205.0); });
    // The sun stands in the north-east: column up, row down.
    const Field<float> shade = hillshade(cone, {.azimuth = 45.0, .altitude = 40.0});
    EXPECT_GT(shade(30, 10), shade(10, 10));
    EXPECT_GT(shade(30, 10), shade(30, 30));
    EXPECT_GT(shade(10, 10), shade(10, 30));
}

TEST(Horizon, of_a_wall_is_its_height_over_its_distance) {
    // A wall of 60 m along column 20, cells of 10 m: looked at from the west and from the east.
    const auto wall =
        terrain(41, 9, 10.0, [](double x, double) { return x > 200.0 && x < 210.0 ? 60.0 : 0.0; });
    const Field<float> to_east = horizon_tangent(wall, 90.0);
    const Field<float> to_west = horizon_tangent(wall, 270.0);
    for (const int away : {1, 2, 7, 20}) {
        EXPECT_NEAR(to_east(20 - away, 4), 6.0 / away, 1e-4);
        EXPECT_NEAR(to_west(20 + away, 4), 6.0 / away, 1e-4);
        EXPECT_EQ(to_east(20 + away, 4), 0.0F);
    }
}

TEST(Horizon, agrees_with_looking_at_every_cell_along_the_axes_and_diagonals) {
    const Field<float> field = rough_terrain(23, 17);
    for (const auto& [azimuth, dx, dy] : {std::tuple{0.0, 0, -1},
                                          {45.0, 1, -1},
                                          {90.0, 1, 0},
                                          {135.0, 1, 1},
                                          {180.0, 0, 1},
                                          {225.0, -1, 1},
                                          {270.0, -1, 0},
                                          {315.0, -1, -1}}) {
        const Field<float> tangent = horizon_tangent(field, azimuth, 2.0);
        for (int row = 0; row < field.rows(); ++row) {
            for (int column = 0; column < field.columns(); ++column) {
                double steepest = 0.0;
                for (int k = 1; field.grid().contains(column + k * dx, row + k * dy); ++k) {
                    const double rise = 2.0 * (field(column + k * dx, row + k * dy) - field(column, row));
                    steepest = std::max(steepest, rise / (10.0 * k * std::hypot(dx, dy)));
                }
                ASSERT_NEAR(tangent(column, row), steepest, 1e-4) << azimuth << ' ' << column << ' ' << row;
            }
        }
    }
}

TEST(Horizon, on_a_slope_in_any_direction_is_the_slope_along_it) {
    const auto plane = terrain(60, 50, 10.0, [](double x, double y) { return 0.3 * x + 0.5 * y; });
    for (const double azimuth : {10.0, 33.0, 71.0}) {
        const double along = 0.3 * std::sin(azimuth * kRadians) + 0.5 * std::cos(azimuth * kRadians);
        EXPECT_NEAR(horizon_tangent(plane, azimuth)(30, 25), along, 1e-3);
        EXPECT_EQ(horizon_tangent(plane, azimuth + 180.0)(30, 25), 0.0F);
    }
}

TEST(SunVisibility, of_a_wall_has_a_shadow_as_long_as_its_height_over_the_tangent_of_the_sun) {
    const double altitude = 25.0, height = 100.0;
    const auto wall =
        terrain(80, 11, 10.0, [&](double x, double) { return x > 100.0 && x < 110.0 ? height : 0.0; });
    const Field<float> visible = sun_visibility(wall, {.azimuth = 270.0, .altitude = altitude}, 0.27);
    const double length = height / std::tan(altitude * kRadians);  // 214 m
    for (int column = 11; column < 80; ++column) {
        const double away = (column - 10) * 10.0;
        if (away < length - 15.0) {
            EXPECT_LT(visible(column, 5), 0.01F) << away;
        }
        if (away > length + 15.0) {
            EXPECT_GT(visible(column, 5), 0.99F) << away;
        }
    }
    for (int column = 0; column < 10; ++column) EXPECT_EQ(visible(column, 5), 1.0F);
}

TEST(SunVisibility, has_a_softer_edge_for_a_larger_disc) {
    const auto wall =
        terrain(80, 11, 10.0, [](double x, double) { return x > 100.0 && x < 110.0 ? 100.0 : 0.0; });
    const auto half_lit = [&](double radius) {
        int cells = 0;
        const Field<float> visible = sun_visibility(wall, {.azimuth = 270.0, .altitude = 25.0}, radius);
        for (int column = 11; column < 80; ++column)
            cells += visible(column, 5) > 0.02F && visible(column, 5) < 0.98F;
        return cells;
    };
    EXPECT_GT(half_lit(5.0), 2 * half_lit(1.0));
}

TEST(SkyView, of_flat_ground_is_one) {
    const auto flat = terrain(20, 14, 30.0, [](double, double) { return 712.0; });
    for (const float value : sky_view(flat, 16, 1.0, QuietProgress())) EXPECT_NEAR(value, 1.0, 1e-5);
}

TEST(SkyView, of_an_open_slope_is_half_of_one_plus_its_cosine) {
    const double slope = 0.8;
    const auto plane = terrain(60, 60, 10.0, [&](double x, double) { return slope * x; });
    const double expected = 0.5 * (1.0 + 1.0 / std::sqrt(1.0 + slope * slope));
    EXPECT_NEAR(sky_view(plane, 32, 1.0, QuietProgress())(20, 30), expected, 0.01);
}

TEST(SkyView, in_the_middle_of_a_round_basin_is_the_square_of_the_rims_cosine) {
    // A flat floor inside a round rim of 200 m at 400 m: every horizon has tangent 1/2, so sin^2 H = 0.8.
    const auto basin = terrain(101, 101, 10.0, [](double x, double y) {
        return std::abs(std::hypot(x - 505.0, y - 505.0) - 400.0) < 15.0 ? 200.0 : 0.0;
    });
    EXPECT_NEAR(sky_view(basin, 16, 1.0, QuietProgress())(50, 50), 0.8, 0.02);
}

TEST(Light, is_not_seen_from_cells_without_data_and_they_cast_no_shadow) {
    auto field = terrain(30, 20, 10.0, [](double, double) { return 5.0; });
    for (int row = 0; row < 20; ++row) field(12, row) = kNoData;
    const Sun sun{.azimuth = 270.0, .altitude = 20.0};
    const Field<float> shade = hillshade(field, sun);
    const Field<float> visible = sun_visibility(field, sun, 2.0);
    const Field<float> sky = sky_view(field, 8, 1.0, QuietProgress());
    for (int column = 0; column < 30; ++column) {
        const bool blank = column == 12;
        EXPECT_EQ(is_no_data(shade(column, 9)), blank) << column;
        EXPECT_EQ(is_no_data(visible(column, 9)), blank) << column;
        EXPECT_EQ(is_no_data(sky(column, 9)), blank) << column;
        if (blank) continue;
        EXPECT_EQ(visible(column, 9), 1.0F);
        EXPECT_NEAR(sky(column, 9), 1.0, 1e-5);
    }
}

TEST(Light, falls_on_grids_of_one_row_one_column_and_one_cell) {
    for (const auto& [columns, rows] : {std::pair{1, 1}, {1, 9}, {9, 1}}) {
        const auto field =
            terrain(columns, rows, 10.0, [](double x, double y) { return std::fmod(x + y, 30.0); });
        for (const float value : hillshade(field, Sun{})) EXPECT_TRUE(value >= 0.0F && value <= 1.0F);
        for (const float value : sun_visibility(field, Sun{}, 3.0))
            EXPECT_TRUE(value >= 0.0F && value <= 1.0001F);
        for (const float value : sky_view(field, 16, 1.0, QuietProgress()))
            EXPECT_TRUE(value > 0.0F && value <= 1.05F);
    }
}

TEST(Light, has_the_same_bits_on_any_number_of_threads) {
    const Field<float> field = rough_terrain(150, 130);
    const Field<float> wide = rough_terrain(520, 70);
    const Sun sun{.azimuth = 200.0, .altitude = 30.0};
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        std::vector<float> all;
        for (const Field<float>& part :
             {hillshade(field, sun), sun_visibility(field, sun, 3.0),
              sky_view(field, 16, 1.3, QuietProgress()), smooth_sky_view(wide, 4, 1.3, QuietProgress())})
            all.insert(all.end(), part.begin(), part.end());
        results.push_back(all);
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(SmoothSkyView, is_the_sky_view_of_a_grid_that_needs_no_smoothing) {
    const Field<float> field = rough_terrain(90, 60);
    EXPECT_EQ(smooth_sky_view(field, 8, 1.2, QuietProgress()).values(),
              sky_view(field, 8, 1.2, QuietProgress()).values());
}

TEST(SmoothSkyView, is_near_the_sky_view_among_hills_and_on_each_slope) {
    // Valleys of 300 m between ridges 800 m apart, with ribs of 8 m on them, 60 m apart.
    auto hills = terrain(600, 90, 10.0, [](double x, double y) {
        return 150.0 * std::sin(x * 2.0 * std::numbers::pi / 800.0) + 4.0 * std::sin(y / 10.0);
    });
    hills(300, 40) = kNoData;
    const Field<float> sky = sky_view(hills, 12, 1.0, QuietProgress());
    const Field<float> smooth = smooth_sky_view(hills, 12, 1.0, QuietProgress());
    double darkest = 1.0;
    double difference = 0.0;
    for (std::int64_t cell = 0; cell < sky.size(); ++cell) {
        ASSERT_EQ(is_no_data(smooth[cell]), is_no_data(sky[cell])) << cell;
        if (is_no_data(sky[cell])) continue;
        ASSERT_NEAR(smooth[cell], sky[cell], 0.08) << cell;
        difference += std::abs(smooth[cell] - sky[cell]) / static_cast<double>(sky.size());
        darkest = std::min(darkest, double{smooth[cell]});
    }
    EXPECT_LT(darkest, 0.75);
    EXPECT_LT(difference, 0.01);
}

TEST(SkyView, stops_when_it_is_cancelled) {
    QuietProgress progress;
    progress.cancel();
    EXPECT_THROW(sky_view(rough_terrain(8, 8), 4, 1.0, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
