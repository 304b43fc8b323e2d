// Grain: how large it is, where, and that it runs down slopes.
#include "thalweg/erosion/grain.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/cancelling_progress.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr std::uint64_t kSeed = 7;

Field<float> plane(double slope, int cells = 256, double cell_size = 20.0) {
    Field<float> z(make_grid(cells * cell_size, cells * cell_size, cells));
    for (int row = 0; row < cells; ++row)
        for (int column = 0; column < cells; ++column)
            z(column, row) = static_cast<float>(100.0 + slope * z.grid().x(column));
    return z;
}

/// With rows and columns exchanged.
Field<float> turned(const Field<float>& z) {
    Field<float> other(z.grid());
    for (int row = 0; row < z.rows(); ++row)
        for (int column = 0; column < z.columns(); ++column) other(row, column) = z(column, row);
    return other;
}

Field<float> grained(const Field<float>& z, double size = 2.0) {
    QuietProgress progress;
    return add_grain(z, Field<std::uint8_t>(z.grid()), {.size = size}, kSeed, progress);
}

/// Root mean squares, m: of what was added, and of its differences over kLag cells along rows and columns.
constexpr int kLag = 10;

struct Unevenness {
    double height = 0.0;
    double along_rows = 0.0;
    double along_columns = 0.0;
};

Unevenness added(const Field<float>& z, double size = 2.0) {
    const Field<float> grain = grained(z, size);
    const auto at = [&](int column, int row) {
        return static_cast<double>(grain(column, row)) - static_cast<double>(z(column, row));
    };
    Unevenness sums;
    int count = 0;
    for (int row = 1; row + 1 + kLag < z.rows(); ++row)
        for (int column = 1; column + 1 + kLag < z.columns(); ++column, ++count) {
            sums.height += std::pow(at(column, row), 2);
            sums.along_rows += std::pow(at(column + kLag, row) - at(column, row), 2);
            sums.along_columns += std::pow(at(column, row + kLag) - at(column, row), 2);
        }
    return {std::sqrt(sums.height / count), std::sqrt(sums.along_rows / count),
            std::sqrt(sums.along_columns / count)};
}

TEST(Grain, has_the_size_that_is_asked_for_on_slopes_with_soil_and_more_on_rock) {
    for (const double slope : {0.1, 0.5}) EXPECT_NEAR(added(plane(slope)).height, 2.0, 0.15);
    EXPECT_NEAR(added(plane(0.65)).height, 1.5 * 2.0, 0.2);
    for (const double slope : {0.8, 1.5}) EXPECT_NEAR(added(plane(slope)).height, 2.0 * 2.0, 0.3);
    EXPECT_NEAR(added(plane(0.4), 0.5).height, 0.5, 0.04);
}

TEST(Grain, is_rougher_in_some_places_than_in_others) {
    const Field<float> z = plane(0.3, 512, 30.0), grain = grained(z);
    std::vector<double> sizes;
    for (int north = 0; north + 32 < z.rows(); north += 32)
        for (int west = 0; west + 32 < z.columns(); west += 32) {
            double sum = 0.0;
            for (int row = north; row < north + 32; ++row)
                for (int column = west; column < west + 32; ++column)
                    sum += std::pow(
                        static_cast<double>(grain(column, row)) - static_cast<double>(z(column, row)), 2);
            sizes.push_back(std::sqrt(sum) / 32.0);
        }
    std::ranges::sort(sizes);
    EXPECT_GT(sizes[sizes.size() * 9 / 10], 1.5 * sizes[sizes.size() / 10]);
    EXPECT_LT(sizes.back(), 3.0 * 2.0);
}

TEST(Grain, fades_towards_level_ground) {
    EXPECT_EQ(grained(plane(0.0)), plane(0.0));
    EXPECT_NEAR(added(plane(0.07)).height, 0.98, 0.08) << "0.49 of 2 m at 0.7 of the slope";
    EXPECT_NEAR(added(plane(0.02)).height, 0.5, 0.04) << "a quarter on plains";
    EXPECT_NEAR(added(plane(0.005)).height, 0.25, 0.02);
    EXPECT_EQ(grained(plane(0.3), 0.0), plane(0.3));
}

TEST(Grain, has_ribs_that_run_down_the_slope) {
    const Unevenness east = added(plane(0.5)), north = added(turned(plane(0.5)));
    EXPECT_LT(east.along_rows, 0.75 * east.along_columns) << "rows run down the slope";
    EXPECT_LT(north.along_columns, 0.75 * north.along_rows) << "columns do";
}

TEST(Grain, leaves_out_waves_that_cells_cannot_show) {
    EXPECT_EQ(grained(plane(0.3, 64, 200.0)), plane(0.3, 64, 200.0));
    EXPECT_NEAR(added(plane(0.3, 192, 60.0)).height, 2.0 * std::hypot(0.9, 0.36), 0.07) << "400 and 200 m";
}

TEST(Grain, is_the_same_on_cells_of_other_sizes) {
    const Field<float> fine = grained(plane(0.3, 192, 10.0)), coarse = grained(plane(0.3, 64, 30.0));
    double squares = 0.0;
    for (int row = 1; row + 1 < coarse.rows(); ++row)
        for (int column = 1; column + 1 < coarse.columns(); ++column)
            squares += std::pow(static_cast<double>(coarse(column, row)) -
                                    static_cast<double>(fine(3 * column + 1, 3 * row + 1)),
                                2);
    EXPECT_LT(std::sqrt(squares) / (coarse.rows() - 2), 0.03 * 2.0)
        << "ways along the fall are found between centres";
}

TEST(Grain, keeps_held_cells_edges_and_gaps) {
    Field<float> z = plane(0.5, 64);
    z(40, 40) = kNoData;
    Field<std::uint8_t> held(z.grid());
    for (int row = 0; row < held.rows(); ++row) held(20, row) = 1;
    QuietProgress progress;
    const Field<float> grain = add_grain(z, held, {.size = 2.0}, kSeed, progress);
    int moved = 0;
    for (int row = 0; row < z.rows(); ++row) {
        EXPECT_EQ(grain(20, row), z(20, row));
        EXPECT_EQ(grain(0, row), z(0, row));
        moved += grain(50, row) != z(50, row) ? 1 : 0;
        for (int column = 0; column < z.columns(); ++column)
            ASSERT_EQ(is_no_data(grain(column, row)), is_no_data(z(column, row)));
    }
    EXPECT_GT(moved, 55);
}

TEST(Grain, has_the_same_bits_on_any_number_of_threads) {
    const auto made_on = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        return grained(plane(0.3, 96));
    };
    EXPECT_EQ(made_on(1), made_on(2));
    EXPECT_EQ(made_on(1), made_on(8));
}

TEST(Grain, stops_when_it_is_cancelled) {
    const Field<float> z = plane(0.3, 64);
    ImpatientProgress progress(1);
    EXPECT_THROW(add_grain(z, Field<std::uint8_t>(z.grid()), {}, kSeed, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
