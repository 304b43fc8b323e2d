#include "tests/terrain_likeness.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::IsNan;

const Grid kSquare{.columns = 8, .rows = 8, .cell_size = 100.0};

/// One river along a column.
Field<std::uint8_t> river_along(int column) {
    Field<std::uint8_t> cells(kSquare);
    for (int row = 0; row < kSquare.rows; ++row) cells(column, row) = 1;
    return cells;
}

TEST(RiverCells, are_coarse_cells_with_a_fine_cell_above_the_area) {
    Field<float> area(Grid{.columns = 4, .rows = 4, .cell_size = 50.0}, 1.0F);
    area(3, 0) = 11.0F;
    area(0, 3) = 10.0F;  // not above
    const Grid coarse{.columns = 2, .rows = 2, .cell_size = 100.0};
    EXPECT_THAT(tests::river_cells(area, coarse, 10.0).values(), testing::ElementsAre(0, 1, 0, 0));
    EXPECT_EQ(tests::river_cells(area, area.grid(), 10.0)(3, 0), 1);
}

TEST(RiverAgreement, is_one_within_one_cell_and_none_beyond) {
    EXPECT_EQ(tests::agreement_within_one_cell(river_along(3), river_along(3)), 1.0);
    EXPECT_EQ(tests::agreement_within_one_cell(river_along(3), river_along(4)), 1.0);
    EXPECT_EQ(tests::agreement_within_one_cell(river_along(3), river_along(5)), 0.0);
    EXPECT_THAT(tests::agreement_within_one_cell(Field<std::uint8_t>(kSquare), Field<std::uint8_t>(kSquare)),
                IsNan());
}

TEST(RiverAgreement, counts_what_either_has_alone) {
    Field<std::uint8_t> two = river_along(0);
    for (int row = 0; row < kSquare.rows; ++row) two(7, row) = 1;
    // 8 of 8 and 8 of 16 cells are near: intersection 8, union 16.
    EXPECT_EQ(tests::agreement_within_one_cell(river_along(0), two), 0.5);
    EXPECT_EQ(tests::agreement_within_one_cell(two, river_along(0)), 0.5);
    // All of the one lies within the two, but half of the two within the one.
    EXPECT_EQ(tests::share_within_one_cell(river_along(0), two), 0.5);
    EXPECT_EQ(tests::share_within_one_cell(two, river_along(0)), 0.5);
    EXPECT_EQ(tests::share_within_one_cell(river_along(0), river_along(1)), 1.0);
}

TEST(Correlation, is_one_for_a_scaled_copy_and_minus_one_for_its_mirror) {
    Field<float> ramp(kSquare);
    for (std::int64_t cell = 0; cell < ramp.size(); ++cell) ramp[cell] = static_cast<float>(cell);
    Field<float> scaled = ramp;
    Field<float> mirrored = ramp;
    for (float& z : scaled) z = 3.0F * z + 100.0F;
    for (float& z : mirrored) z = 7.0F - z;
    EXPECT_NEAR(tests::correlation(ramp, scaled), 1.0, 1e-12);
    EXPECT_NEAR(tests::correlation(ramp, mirrored), -1.0, 1e-12);
    scaled[5] = kNoData;
    EXPECT_NEAR(tests::correlation(ramp, scaled), 1.0, 1e-12);
    EXPECT_NEAR(tests::correlation(scaled, ramp), 1.0, 1e-12);
    EXPECT_THAT(tests::correlation(ramp, Field<float>(kSquare, 1.0F)), IsNan());
}

}  // namespace
}  // namespace thalweg
