#include "thalweg/grid/sampling.hpp"

#include <algorithm>

#include "tests/grid/test_fields.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A 2 x 2 field of 10 m cells:  1 2 / 3 5.
Field<float> four_cells() {
    Field<float> field(make_grid(20.0, 20.0, 2));
    field(0, 0) = 1.0F;
    field(1, 0) = 2.0F;
    field(0, 1) = 3.0F;
    field(1, 1) = 5.0F;
    return field;
}

/// Largest error of samples of sin(x/100) cos(y/130) on a lattice of points well inside, for 1 km in `cells`.
double largest_error(int cells, Interpolation interpolation) {
    const auto wave = [](double x, double y) { return 100.0 * std::sin(x / 100.0) * std::cos(y / 130.0); };
    const Field<float> field = field_of(make_grid(1000.0, 1000.0, cells), wave);
    double worst = 0.0;
    for (double x = 250.3; x < 750.0; x += 7.1)
        for (double y = 250.7; y < 750.0; y += 7.3)
            worst = std::max(worst, std::abs(sample(field, {x, y}, interpolation) - wave(x, y)));
    return worst;
}

TEST(Sampling, at_a_centre_it_is_the_cell) {
    const Field<float> field = four_cells();
    for (int row = 0; row < 2; ++row) {
        for (int column = 0; column < 2; ++column) {
            const Position centre = field.grid().centre(column, row);
            EXPECT_EQ(sample_bilinear(field, centre), field(column, row));
            EXPECT_EQ(sample_bicubic(field, centre), field(column, row));
        }
    }
}

TEST(Sampling, bilinear_in_the_middle_is_the_mean_of_four) {
    EXPECT_FLOAT_EQ(sample_bilinear(four_cells(), {10.0, 10.0}), 2.75F);
    EXPECT_FLOAT_EQ(sample_bilinear(four_cells(), {7.5, 15.0}), 1.25F);
}

TEST(Sampling, beyond_the_edge_it_is_the_nearest_value) {
    EXPECT_EQ(sample_bilinear(four_cells(), {-1e9, 1e9}), 1.0F);
    EXPECT_EQ(sample_bilinear(four_cells(), {1e9, -1e9}), 5.0F);
    EXPECT_EQ(sample_bicubic(four_cells(), {-1e9, -1e9}), 3.0F);
    EXPECT_FLOAT_EQ(sample_bilinear(four_cells(), {100.0, 10.0}), 3.5F);
}

TEST(Sampling, no_data_is_left_out) {
    Field<float> field = four_cells();
    field(1, 1) = kNoData;
    EXPECT_FLOAT_EQ(sample_bilinear(field, {10.0, 10.0}), 2.0F);
    EXPECT_FLOAT_EQ(sample_bicubic(field, {10.0, 10.0}), 2.0F);
    EXPECT_TRUE(is_no_data(sample_bilinear(field, field.grid().centre(1, 1))));
    // Rounding of a position does not fill a hole from its neighbours.
    EXPECT_TRUE(is_no_data(sample_bilinear(field, {15.0 - 1e-11, 5.0 + 1e-11})));
    field(0, 0) = kNoData;
    EXPECT_TRUE(is_no_data(sample_bilinear(field, {5.0 + 1e-11, 15.0 - 1e-11})));
}

TEST(Sampling, no_data_all_around_gives_no_data) {
    const Field<float> field(make_grid(20.0, 20.0, 2), kNoData);
    EXPECT_TRUE(is_no_data(sample_bilinear(field, {10.0, 10.0})));
    EXPECT_TRUE(is_no_data(sample_bicubic(field, {10.0, 10.0})));
}

TEST(Sampling, one_cell_and_one_row_are_fields_too) {
    EXPECT_EQ(sample_bilinear(Field<float>(make_grid(10.0, 10.0, 1), 4.0F), {3.0, 8.0}), 4.0F);
    EXPECT_EQ(sample_bicubic(Field<float>(make_grid(10.0, 10.0, 1), 4.0F), {3.0, 8.0}), 4.0F);
    const Field<float> row = field_of(make_grid(50.0, 10.0, 5), [](double x, double) { return x; });
    EXPECT_FLOAT_EQ(sample_bilinear(row, {22.0, 5.0}), 22.0F);
    EXPECT_FLOAT_EQ(sample_bicubic(row, {22.0, 5.0}), 22.0F);
}

TEST(Sampling, bilinear_is_exact_for_a_twisted_plane) {
    const auto plane = [](double x, double y) { return 3.0 + 0.5 * x - 0.25 * y + 0.001 * x * y; };
    const Field<float> field = field_of(make_grid(1000.0, 600.0, 50), plane);
    for (double x = 10.0; x < 990.0; x += 13.7)
        for (double y = 10.0; y < 590.0; y += 17.3)
            EXPECT_NEAR(sample_bilinear(field, {x, y}), plane(x, y), 2e-4);
}

TEST(Sampling, bicubic_is_exact_for_quadratics) {
    const auto bowl = [](double x, double y) { return 1e-3 * (x * x + 2.0 * y * y - x * y) + 0.1 * x; };
    const Field<float> field = field_of(make_grid(1000.0, 1000.0, 50), bowl);
    for (double x = 40.0; x < 960.0; x += 13.7)
        for (double y = 40.0; y < 960.0; y += 17.3)
            EXPECT_NEAR(sample_bicubic(field, {x, y}), bowl(x, y), 1e-3);
}

TEST(Sampling, errors_shrink_with_the_order_of_the_scheme) {
    const double bilinear_order =
        std::log2(largest_error(40, Interpolation::Bilinear) / largest_error(80, Interpolation::Bilinear));
    const double bicubic_order =
        std::log2(largest_error(40, Interpolation::Bicubic) / largest_error(80, Interpolation::Bicubic));
    EXPECT_NEAR(bilinear_order, 2.0, 0.15);
    EXPECT_NEAR(bicubic_order, 3.0, 0.35);
}

TEST(Sampling, mirrored_fields_give_mirrored_samples) {
    const auto hill = [](double x, double y) { return std::sin(x / 30.0) + std::cos(y / 40.0) * x; };
    const Grid grid = make_grid(320.0, 320.0, 32);
    const Field<float> field = field_of(grid, hill);
    const Field<float> mirrored = field_of(grid, [&](double x, double y) { return hill(320.0 - x, y); });
    for (double x = 1.0; x < 320.0; x += 7.9) {
        EXPECT_NEAR(sample_bicubic(field, {x, 111.0}), sample_bicubic(mirrored, {320.0 - x, 111.0}), 1e-4);
        EXPECT_NEAR(sample_bilinear(field, {x, 111.0}), sample_bilinear(mirrored, {320.0 - x, 111.0}), 1e-4);
    }
}

}  // namespace
}  // namespace thalweg
