#include "thalweg/ground/runout.hpp"

#include "thalweg/grid/gradient.hpp"

#include <cmath>
#include <numeric>
#include <utility>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr RestingSlopes kRest{.gentle = 0.4F, .steep = 0.8F, .length = 30.0F};

Field<float> terrain(int side, double cell_size, double (*height)(double x, double y)) {
    Field<float> z(Grid{.columns = side, .rows = side, .cell_size = cell_size, .north = side * cell_size});
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            z(column, row) = static_cast<float>(height(z.grid().x(column), z.grid().y(row)));
    return z;
}

Field<float> slope_of(const Field<float>& z) {
    const Gradient rise = gradient(z);
    Field<float> slope(z.grid());
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        slope[cell] = std::hypot(rise.east[cell], rise.north[cell]);
    return slope;
}

double sum(const Field<float>& field) {
    return std::accumulate(field.begin(), field.end(), 0.0);
}

Field<float> taken_down(const Field<float>& z, Field<float> load) {
    QuietProgress progress;
    Runout(z, progress).take_down(load, slope_of(z), kRest, progress);
    return load;
}

TEST(Runout, shares_a_load_by_slope) {
    Field<float> z(Grid{.columns = 5, .rows = 5, .cell_size = 10.0, .north = 50.0}, 100.0F);
    z(2, 2) = 120.0F;
    z(3, 2) = 106.0F;    // to the east, 14 m down over 10 m
    z(3, 3) = 100.201F;  // to the south-east, 19.8 m down over 14.1 m: the same slope
    for (const auto& [column, row] : {std::pair{1, 1}, {2, 1}, {3, 1}, {1, 2}, {1, 3}, {2, 3}})
        z(column, row) = 130.0F;
    Field<float> load(z.grid());
    load(2, 2) = 2.0F;
    QuietProgress progress;
    // All of it passes the first cell and rests in the next.
    Field<float> slope(z.grid());
    slope(2, 2) = 2.0F;
    Runout(z, progress).take_down(load, slope, {.gentle = 0.4F, .steep = 0.8F, .length = 0.1F}, progress);
    EXPECT_NEAR(load(3, 2), 1.0F, 1e-4F);
    EXPECT_NEAR(load(3, 3), 1.0F, 1e-4F);
    EXPECT_EQ(load(2, 2), 0.0F);
}

TEST(Runout, keeps_all_that_comes_down_into_a_bowl) {
    const Field<float> bowl = terrain(60, 10.0, [](double x, double y) {
        return 2e-3 * (std::pow(x - 300.0, 2) + std::pow(y - 311.0, 2));
    });
    Field<float> load(bowl.grid());
    load(10, 20) = 5.0F;
    load(50, 31) = 2.0F;
    EXPECT_NEAR(sum(taken_down(bowl, load)), 7.0, 1e-3);
}

TEST(Runout, passes_steep_ground_and_rests_below_it) {
    // A wall of 1 m/m down to y = 500 m, gentle ground below.
    const Field<float> wall =
        terrain(100, 10.0, [](double, double y) { return y > 500.0 ? 50.0 + (y - 500.0) : 0.1 * y; });
    Field<float> load(wall.grid());
    for (int column = 0; column < 100; ++column) load(column, 30) = 3.0F;  // y = 695 m
    const Field<float> rest = taken_down(wall, load);
    for (int row = 31; row < 48; ++row) EXPECT_LT(rest(50, row), 0.01F) << row;
    double resting = 0.0;
    for (int row = 48; row < 65; ++row) resting += static_cast<double>(rest(50, row));
    EXPECT_NEAR(resting, 3.0, 0.05);
}

TEST(Runout, leaves_over_the_edge_of_the_data) {
    const Field<float> plane = terrain(20, 10.0, [](double, double y) { return 2.0 * y; });
    Field<float> load(plane.grid(), 1.0F);
    EXPECT_LT(sum(taken_down(plane, load)), 1.0);
    Field<float> cut = plane;
    for (int column = 0; column < 20; ++column) cut(column, 12) = kNoData;
    const Field<float> rest = taken_down(cut, load);
    EXPECT_LT(rest(10, 11), 1e-3F);
}

TEST(Runout, reaches_as_far_on_finer_cells) {
    const auto mean_way = [](int side, double cell_size) {
        const Field<float> wall = terrain(side, cell_size, [](double, double y) { return 0.55 * y; });
        Field<float> load(wall.grid());
        const int from = side / 4;
        for (int column = 0; column < side; ++column) load(column, from) = 1.0F;
        const Field<float> rest = taken_down(wall, load);
        double way = 0.0, all = 0.0;
        for (int row = 0; row < side; ++row) {
            way += (row - from) * cell_size * static_cast<double>(rest(side / 2, row));
            all += static_cast<double>(rest(side / 2, row));
        }
        return way / all;
    };
    const double coarse = mean_way(50, 20.0);
    EXPECT_NEAR(mean_way(200, 5.0), coarse, 0.25 * coarse);
}

TEST(Runout, goes_the_same_to_both_sides_of_a_ridge) {
    const Field<float> ridge = terrain(41, 10.0, [](double x, double) { return -0.7 * std::abs(x - 205.0); });
    Field<float> load(ridge.grid());
    for (int row = 0; row < 41; ++row) load(20, row) = 1.0F;
    const Field<float> rest = taken_down(ridge, load);
    for (int column = 0; column < 20; ++column)
        EXPECT_NEAR(rest(column, 20), rest(40 - column, 20), 1e-6F) << column;
}

}  // namespace
}  // namespace thalweg
