#include "thalweg/grid/curvature.hpp"

#include "thalweg/core/execution.hpp"

#include <cmath>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// z(x, y), m, about the middle of the grid, x to the east and y to the north.
template <class Height>
Field<float> surface(int side, double cell_size, const Height& height) {
    Field<float> z(Grid{.columns = side, .rows = side, .cell_size = cell_size});
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            z(column, row) =
                static_cast<float>(height((column - side / 2) * cell_size, (side / 2 - row) * cell_size));
    return z;
}

TEST(Curvature, of_quadratics_is_exact) {
    const double p = 0.3, q = -0.2, r = 0.02, s = 0.01, t = -0.03;
    const Curvature found = curvature(surface(5, 2.0, [&](double x, double y) {
        return 100.0 + p * x + q * y + 0.5 * r * x * x + s * x * y + 0.5 * t * y * y;
    }));
    const double steep = p * p + q * q, root = std::sqrt(1.0 + steep);
    EXPECT_NEAR(found.laplacian(2, 2), r + t, 1e-5);
    EXPECT_NEAR(found.profile(2, 2),
                -(p * p * r + 2 * p * q * s + q * q * t) / (steep * root * (1.0 + steep)), 1e-5);
    EXPECT_NEAR(found.tangential(2, 2), -(q * q * r - 2 * p * q * s + p * p * t) / (steep * root), 1e-5);
}

TEST(Curvature, of_a_sphere_is_one_over_its_radius_with_an_error_of_second_order) {
    std::vector<double> errors;
    for (const double cell_size : {4.0, 2.0, 1.0}) {
        const int side = static_cast<int>(80.0 / cell_size) + 1;
        const Curvature found = curvature(
            surface(side, cell_size, [](double x, double y) { return std::sqrt(1e4 - x * x - y * y); }));
        const int column = side / 2 + static_cast<int>(20.0 / cell_size),
                  row = side / 2 - static_cast<int>(12.0 / cell_size);
        errors.push_back(std::abs(static_cast<double>(found.profile(column, row)) - 0.01));
        EXPECT_NEAR(found.tangential(column, row), 0.01, 1e-4);
        EXPECT_LT(found.laplacian(column, row), 0.0F);
    }
    EXPECT_LT(errors[1], 0.3 * errors[0]);
    EXPECT_LT(errors[2], 1e-4);
}

TEST(Curvature, is_0_on_planes_and_level_ground_and_no_data_at_edges_and_gaps) {
    Field<float> z = surface(9, 10.0, [](double x, double y) { return 3000.0 + 0.25 * x - 0.5 * y; });
    z(6, 6) = kNoData;
    const Curvature found = curvature(z);
    for (int row = 0; row < 9; ++row)
        for (int column = 0; column < 9; ++column) {
            const bool is_whole = column > 0 && row > 0 && column < 8 && row < 8 &&
                                  (std::abs(column - 6) > 1 || std::abs(row - 6) > 1);
            for (const Field<float>* field : {&found.laplacian, &found.profile, &found.tangential}) {
                EXPECT_EQ(is_no_data((*field)(column, row)), !is_whole);
                if (is_whole) {
                    EXPECT_EQ((*field)(column, row), 0.0F);
                }
            }
        }
    const Curvature level = curvature(Field<float>(z.grid(), 7.0F));
    EXPECT_EQ(level.profile(4, 4), 0.0F);
    EXPECT_EQ(level.tangential(4, 4), 0.0F);
    for (const auto& [columns, rows] : {std::pair{1, 5}, std::pair{5, 1}, std::pair{2, 2}})
        for (const float value :
             curvature(Field<float>(Grid{.columns = columns, .rows = rows}, 1.0F)).profile)
            EXPECT_TRUE(is_no_data(value));
}

TEST(Curvature, is_the_same_on_any_number_of_threads) {
    const Field<float> z =
        surface(301, 3.0, [](double x, double y) { return 50.0 * std::sin(x / 40.0) * std::cos(y / 70.0); });
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        const Curvature here = curvature(z);
        found.push_back({});
        for (const float value : here.profile) found.back().push_back(is_no_data(value) ? 0.0F : value);
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

}  // namespace
}  // namespace thalweg
