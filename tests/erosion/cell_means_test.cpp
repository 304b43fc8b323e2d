// Means of cells: closed forms, and what keeps its elevation.
#include "thalweg/erosion/cell_means.hpp"

#include "thalweg/core/execution.hpp"

#include <functional>

#include "tests/cancelling_progress.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kCellSize = 10.0;  // m

Field<float> ground_of(const std::function<double(double, double)>& height) {
    Field<float> z(make_grid(48 * kCellSize, 48 * kCellSize, 48));
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column)
            z(column, row) = static_cast<float>(height(z.grid().x(column), z.grid().y(row)));
    return z;
}

Field<float> means_of(const Field<float>& z, double share = 1.0) {
    QuietProgress progress;
    return cell_means(z, Field<std::uint8_t>(z.grid()), share, progress);
}

TEST(CellMeans, keep_planes_and_raise_a_parabola_by_a_quarter_of_its_rise_over_a_cell) {
    const Field<float> plane = ground_of([](double x, double y) { return 0.5 * x - 0.25 * y; });
    EXPECT_EQ(means_of(plane), plane);
    const Field<float> bowl = ground_of([](double x, double y) { return 0.01 * x * x + 0.02 * y * y; });
    const double rise = 0.25 * (0.01 + 0.02) * kCellSize * kCellSize;  // m
    const Field<float> whole = means_of(bowl), half = means_of(bowl, 0.5);
    for (int row = 1; row + 1 < bowl.rows(); ++row)
        for (int column = 1; column + 1 < bowl.columns(); ++column) {
            ASSERT_NEAR(whole(column, row) - bowl(column, row), rise, 2e-3);
            ASSERT_NEAR(half(column, row) - bowl(column, row), 0.5 * rise, 2e-3);
        }
}

TEST(CellMeans, spread_a_spike_over_its_neighbours) {
    const Field<float> flat = ground_of([](double, double) { return 100.0; });
    Field<float> spike = flat;
    spike(20, 20) += 64.0F;
    const Field<float> means = means_of(spike);
    EXPECT_EQ(means(20, 20), 136.0F);
    EXPECT_EQ(means(21, 20), 106.0F);
    EXPECT_EQ(means(21, 21), 101.0F);
    EXPECT_EQ(means(22, 20), 100.0F);
}

TEST(CellMeans, keep_held_cells_edges_and_gaps) {
    Field<float> bowl = ground_of([](double x, double y) { return 0.01 * x * x + 0.02 * y * y; });
    bowl(30, 30) = kNoData;
    Field<std::uint8_t> held(bowl.grid());
    held(10, 10) = 1;
    QuietProgress progress;
    const Field<float> means = cell_means(bowl, held, 1.0, progress);
    EXPECT_EQ(means(10, 10), bowl(10, 10));
    EXPECT_EQ(means(0, 20), bowl(0, 20));
    EXPECT_EQ(means(31, 31), bowl(31, 31));
    EXPECT_TRUE(is_no_data(means(30, 30)));
    EXPECT_GT(means(11, 10), bowl(11, 10));
}

TEST(CellMeans, have_the_same_bits_on_any_number_of_threads_and_can_be_cancelled) {
    const Field<float> bowl = ground_of([](double x, double y) { return 0.01 * x * x + 0.02 * y * y; });
    const auto made_on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return means_of(bowl);
    };
    EXPECT_EQ(made_on(1), made_on(2));
    EXPECT_EQ(made_on(1), made_on(8));
    ImpatientProgress progress(1);
    EXPECT_THROW(cell_means(bowl, Field<std::uint8_t>(bowl.grid()), 1.0, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
