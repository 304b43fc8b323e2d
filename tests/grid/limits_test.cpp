#include "thalweg/grid/limits.hpp"

#include "thalweg/core/error.hpp"

#include <limits>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::HasSubstr;

TEST(Limits, of_a_grid_are_those_of_a_landscape) {
    const Grid grid{.columns = 4, .rows = 4, .cell_size = 30.0, .west = 5e5, .north = 4e6};
    const auto refusal_with = [&](auto member, double value) {
        Grid other = grid;
        other.*member = value;
        return refusal_of([&] { check_grid(other); });
    };
    EXPECT_EQ(refusal_of([&] { check_grid(grid); }), "");
    EXPECT_EQ(refusal_with(&Grid::cell_size, 0.25 * kMostExtent), "");
    EXPECT_EQ(refusal_with(&Grid::cell_size, kLeastCellSize), "");
    EXPECT_THAT(refusal_with(&Grid::cell_size, 1e12), HasSubstr("4e+12 x 4e+12 m"));
    EXPECT_THAT(refusal_with(&Grid::cell_size, 1e-300), HasSubstr("cells of 1e-300 m"));
    EXPECT_THAT(refusal_with(&Grid::west, -1e10), HasSubstr("(-1e+10, 4e+06)"));
    EXPECT_THAT(refusal_with(&Grid::north, 1e10), HasSubstr("1e+10"));
    EXPECT_THAT(refusal_of([] { make_grid(1e300, 1e300, 256); }), HasSubstr("1e+300"));
}

TEST(Limits, of_elevation_name_whose_it_is) {
    Field<float> elevation(Grid{.columns = 3, .rows = 1}, kNoData);
    EXPECT_EQ(refusal_of([&] { check_elevation(elevation, "dem.tif"); }), "");
    elevation[1] = static_cast<float>(kMostElevation);
    EXPECT_EQ(refusal_of([&] { check_elevation(elevation, "dem.tif"); }), "");
    for (const float height : {-2e9F, std::numeric_limits<float>::infinity()}) {
        elevation[2] = height;
        EXPECT_THAT(refusal_of([&] { check_elevation(elevation, "dem.tif"); }),
                    HasSubstr("dem.tif holds an elevation of "));
    }
}

}  // namespace
}  // namespace thalweg
