#include "thalweg/flow/survey/masks.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Masks, are_beyond_what_lies_near_along_rows_and_columns) {
    Field<std::uint8_t> set(Grid{.columns = 9, .rows = 7});
    set(4, 3) = 1;
    const Field<std::uint8_t> found = beyond(2, set, OffTheGrid::DoesNotCount);
    const Field<std::uint8_t> with_edges = beyond(2, set, OffTheGrid::Counts);
    for (int row = 0; row < 7; ++row)
        for (int column = 0; column < 9; ++column) {
            const bool is_far = std::abs(column - 4) + std::abs(row - 3) > 2;
            const bool is_inside = std::min({column, row, 8 - column, 6 - row}) >= 2;
            EXPECT_EQ(found(column, row), is_far ? 1 : 0) << column << ", " << row;
            EXPECT_EQ(with_edges(column, row), is_far && is_inside ? 1 : 0) << column << ", " << row;
        }
}

TEST(Masks, of_relief_see_all_cells_of_a_square_that_have_data) {
    Field<float> z = tests::white_terrain(37, 29, 3);
    tests::cut_out(z, 5, 6, 9, 8);
    for (const int reach : {0, 1, 3, 7, 40}) {
        const Field<float> found = local_relief(z, reach);
        for (int row = 0; row < z.rows(); ++row)
            for (int column = 0; column < z.columns(); ++column) {
                float least = std::numeric_limits<float>::infinity(), greatest = -least;
                for (int r = std::max(0, row - reach); r <= std::min(z.rows() - 1, row + reach); ++r)
                    for (int c = std::max(0, column - reach); c <= std::min(z.columns() - 1, column + reach);
                         ++c) {
                        if (is_no_data(z(c, r))) continue;
                        least = std::min(least, z(c, r));
                        greatest = std::max(greatest, z(c, r));
                    }
                if (is_no_data(z(column, row))) {
                    ASSERT_TRUE(is_no_data(found(column, row)));
                } else {
                    ASSERT_EQ(found(column, row), greatest - least) << reach;
                }
            }
    }
}

}  // namespace
}  // namespace thalweg
