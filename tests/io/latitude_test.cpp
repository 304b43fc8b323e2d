#include "thalweg/io/latitude.hpp"

#include "tests/io/made_raster.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

Grid grid_of(int epsg, double west, double north) {
    Grid grid{.columns = 100, .rows = 50, .cell_size = 30.0, .west = west, .north = north};
    grid.crs = wkt_of_epsg(epsg);
    return grid;
}

TEST(Latitude, is_that_of_the_middle_of_the_grid) {
    // 34.3076 by gdaltransform at (394268.828, 3796862.828).
    EXPECT_NEAR(latitude_of(grid_of(32611, 392768.828, 3797612.828)).value(), 34.308, 1e-6);
    EXPECT_LT(latitude_of(grid_of(32733, 300000.0, 6200000.0)).value(), -30.0);
}

TEST(Latitude, is_not_known_without_a_coordinate_system) {
    EXPECT_FALSE(latitude_of(Grid{.columns = 10, .rows = 10}));
    Grid nowhere{.columns = 10, .rows = 10};
    nowhere.crs = "somewhere";
    EXPECT_FALSE(latitude_of(nowhere));
}

}  // namespace
}  // namespace thalweg
