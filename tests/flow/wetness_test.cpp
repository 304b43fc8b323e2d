#include "thalweg/flow/wetness.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/route.hpp"

#include <cmath>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

TEST(Wetness, index_is_the_logarithm_of_specific_area_over_slope) {
    const Grid grid{.columns = 4, .rows = 1, .cell_size = 10.0};
    Field<float> area(grid), slope(grid);
    area[0] = 10.0F, slope[0] = 0.1F;
    area[1] = 500.0F, slope[1] = 2.0F;
    area[2] = 500.0F, slope[2] = 0.0F;  // level: as at the least slope
    area[3] = kNoData, slope[3] = kNoData;
    const Field<float> index = wetness_index(area, slope);
    EXPECT_NEAR(index[0], std::log(100.0), 1e-6);
    EXPECT_NEAR(index[1], std::log(250.0), 1e-6);
    EXPECT_NEAR(index[2], std::log(500.0 / kLeastWetnessSlope), 1e-5);
    EXPECT_TRUE(is_no_data(index[3]));
}

TEST(Wetness, index_is_the_same_on_any_number_of_threads) {
    const Field<float> z = tests::white_terrain(300, 260, 6);
    const FlowResult flow = route(z, {}, progress);
    const Field<float> slope = receiver_slope(flow.elevation, flow.tree, eight_neighbours(z.grid()));
    std::vector<std::vector<float>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(wetness_index(slope, slope).values());
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

TEST(HeightAboveDrainage, is_that_above_the_first_river_cell_on_the_way_down) {
    for (const Field<float>& z : tests::difficult_terrains()) {
        const FlowResult flow = route(z, {}, progress);
        Field<std::uint8_t> rivers(z.grid(), 0);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            rivers[cell] = flow.drainage_area[cell] >= 2000.0 ? 1 : 0;
        const Field<float> height = height_above_drainage(flow.tree, flow.elevation, rivers);
        for (std::int32_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) {
                EXPECT_TRUE(is_no_data(height[cell]));
                continue;
            }
            std::int32_t drain = cell;
            while (rivers[drain] == 0 && flow.tree.receiver(drain) >= 0) drain = flow.tree.receiver(drain);
            EXPECT_EQ(height[cell], flow.elevation[cell] - flow.elevation[drain]);
            EXPECT_GE(height[cell], 0.0F);
        }
    }
}

TEST(HeightAboveDrainage, of_a_slope_above_a_river_is_the_slope_times_the_way) {
    // A ramp of 0.2 towards a river in the first column, which falls by a centimetre a cell.
    Field<float> z(Grid{.columns = 9, .rows = 30, .cell_size = 10.0});
    for (int row = 0; row < 30; ++row)
        for (int column = 0; column < 9; ++column)
            z(column, row) = 2.0F * static_cast<float>(column) + 0.01F * static_cast<float>(30 - row);
    Field<std::uint8_t> roots(z.grid(), 0);
    roots(0, 29) = 1;
    const FlowTree tree = route(z, eight_neighbours(z.grid()), {roots}, {}, progress).tree;
    Field<std::uint8_t> rivers(z.grid(), 0);
    rivers(0, 0) = 1;  // and so all below it
    const Field<float> height = height_above_drainage(tree, z, rivers);
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 9; ++column)
            EXPECT_NEAR(height(column, row), 2.0 * column, 0.01 * column + 1e-5);
}

}  // namespace
}  // namespace thalweg
