#include "thalweg/grid/place.hpp"

#include "thalweg/core/error.hpp"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// 4 x 3 cells of 10 m whose south-west corner lies at (100, 200), one of them without data.
Field<float> terrain() {
    Field<float> z(Grid{.columns = 4, .rows = 3, .cell_size = 10.0, .west = 100.0, .north = 230.0}, 1.0F);
    z(2, 1) = kNoData;
    return z;
}

TEST(Place, lies_in_the_cell_whose_square_holds_it) {
    const Field<float> z = terrain();
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            for (const double aside : {0.01, 5.0, 9.99}) {
                if (is_no_data(z(column, row))) continue;
                EXPECT_EQ(cell_with_data_at(100.0 + 10.0 * column + aside, 230.0 - 10.0 * row - aside, z, ""),
                          z.grid().index(column, row));
            }
}

TEST(Place, is_refused_outside_and_without_data_by_its_name) {
    const Field<float> z = terrain();
    const auto expect_refusal = [&](double x, double y, const char* name, const char* sentence) {
        EXPECT_THAT(([&] { (void)cell_with_data_at(x, y, z, name); }),
                    ThrowsMessage<Error>(HasSubstr(sentence)));
    };
    const char* outside = "spring 7 lies outside the terrain, which reaches from (100, 200) to (140, 230) m";
    expect_refusal(99.9, 215.0, "spring 7", outside);
    expect_refusal(140.1, 215.0, "spring 7", outside);
    expect_refusal(120.0, 199.9, "spring 7", outside);
    expect_refusal(120.0, 230.1, "spring 7", outside);
    expect_refusal(std::nan(""), 215.0, "spring 7", outside);
    expect_refusal(120.0, std::numeric_limits<double>::infinity(), "spring 7", outside);
    expect_refusal(125.0, 215.0, "source 2", "source 2 lies where the elevation has no data");
}

}  // namespace
}  // namespace thalweg
