#include "thalweg/grid/distance.hpp"

#include "thalweg/core/random.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// The slow way.
float nearest(const Field<std::uint8_t>& cells, int column, int row) {
    double least = std::numeric_limits<double>::infinity();
    for (int j = 0; j < cells.rows(); ++j)
        for (int i = 0; i < cells.columns(); ++i)
            if (cells(i, j) != 0) least = std::min(least, std::hypot(i - column, j - row));
    return static_cast<float>(least * cells.grid().cell_size);
}

TEST(Distance, is_that_of_the_nearest_cell_of_all) {
    for (std::uint64_t draw = 0; draw < 12; ++draw) {
        const Grid grid{.columns = static_cast<int>(1 + mix64(draw) % 23),
                        .rows = static_cast<int>(1 + mix64(draw + 100) % 17),
                        .cell_size = 0.25};
        Field<std::uint8_t> cells(grid, 0);
        for (std::int64_t cell = 0; cell < cells.size(); ++cell)
            cells[cell] = mix64(1000 * draw + static_cast<std::uint64_t>(cell)) % 11 < draw % 4 ? 1 : 0;
        const Field<float> distances = distance_to(cells);
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column)
                EXPECT_FLOAT_EQ(distances(column, row), nearest(cells, column, row));
    }
}

}  // namespace
}  // namespace thalweg
