#include "thalweg/flow/hypsometry.hpp"

#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/river_profile.hpp"

#include <cmath>
#include <map>

#include "tests/flow/built_terrain.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

HypsometricCurve curve_of(const Field<float>& z) {
    return hypsometry(z, {.outlets = {}, .basin = std::vector<std::int16_t>(at(z.size()), -1)}).whole;
}

TEST(Hypsometry, of_a_cone_is_a_parabola_with_an_integral_of_a_third) {
    // Above a height h lies the inner circle of radius 1 - h: (1 - h)^2 of the area.
    Field<float> cone(Grid{.columns = 1001, .rows = 1001}, kNoData);
    for (int row = 0; row < 1001; ++row)
        for (int column = 0; column < 1001; ++column)
            if (const double r = std::hypot(column - 500.0, row - 500.0); r <= 500.0)
                cone(column, row) = static_cast<float>(300.0 + 2.0 * (500.0 - r));
    const HypsometricCurve curve = curve_of(cone);
    EXPECT_NEAR(curve.integral.value(), 1.0 / 3.0, 1e-3);
    ASSERT_EQ(curve.area_at_height.size(), 101U);
    for (int i = 0; i <= 100; ++i)
        EXPECT_NEAR(curve.area_at_height[at(i)], std::pow(1.0 - i / 100.0, 2.0), 1e-3) << i;
    EXPECT_EQ(curve.least, 300.0);
    EXPECT_EQ(curve.greatest, 1300.0);
    EXPECT_NEAR(curve.area, 3.14159265 * 500.0 * 500.0, 500.0);
}

TEST(Hypsometry, of_a_plane_is_a_straight_line_with_an_integral_of_a_half) {
    Field<float> plane(Grid{.columns = 1001, .rows = 7});
    for (std::int64_t cell = 0; cell < plane.size(); ++cell)
        plane[cell] = 3.0F * static_cast<float>(plane.grid().column_of(cell)) - 50.0F;
    const HypsometricCurve curve = curve_of(plane);
    EXPECT_NEAR(curve.integral.value(), 0.5, 1e-12);
    for (int i = 0; i <= 100; ++i)
        EXPECT_NEAR(curve.area_at_height[at(i)], 1.0 - i / 100.0, 1.0 / 1001.0) << i;
    EXPECT_EQ(curve.area_at_height.front(), 1.0);
}

TEST(Hypsometry, agrees_with_counting_every_cell_at_every_height_for_each_basin) {
    Field<float> z = tests::white_terrain(60, 45, 5, 37);
    tests::cut_out(z, 20, 20, 25, 28);
    const FlowResult flow = route(z, {}, progress);
    const LargestBasins basins = largest_basins(flow.tree, 4, 0.0);
    const Field<std::int32_t> label = basin_labels(flow.tree);
    const Hypsometry found = hypsometry(z, basins);
    ASSERT_EQ(found.basins.size(), 4U);
    const auto expect_counted = [&](const HypsometricCurve& curve, std::int32_t only) {
        std::vector<double> heights;
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            if (!is_no_data(z[cell]) && (only == 0 || label[cell] == only))
                heights.push_back(static_cast<double>(z[cell]));
        const auto [least, greatest] = std::ranges::minmax(heights);
        ASSERT_EQ(curve.least, least);
        ASSERT_EQ(curve.greatest, greatest);
        ASSERT_EQ(curve.area, static_cast<double>(heights.size()) * 100.0);
        for (int i = 0; i <= 100; ++i) {
            const double level = least + (greatest - least) * i / 100;
            const auto above = std::ranges::count_if(heights, [&](double height) { return height >= level; });
            ASSERT_EQ(curve.area_at_height[at(i)],
                      static_cast<double>(above) / static_cast<double>(heights.size()));
        }
    };
    expect_counted(found.whole, 0);
    for (const BasinHypsometry& basin : found.basins) expect_counted(basin.curve, label[basin.outlet]);
    EXPECT_NEAR(found.whole.integral.value(), hypsometric_integral(z), 1e-12);
}

TEST(Hypsometry, of_level_ground_has_no_integral_and_no_curve) {
    const HypsometricCurve level = curve_of(Field<float>(Grid{.columns = 5, .rows = 4}, 7.0F));
    EXPECT_EQ(level.area, 20.0);
    EXPECT_FALSE(level.integral.has_value());
    EXPECT_TRUE(level.area_at_height.empty());
    EXPECT_EQ(curve_of(Field<float>(Grid{.columns = 5, .rows = 4}, kNoData)).area, 0.0);
}

TEST(LargestBasins, are_those_that_most_cells_drain_to_the_largest_first) {
    Field<float> z = tests::white_terrain(60, 45, 5);
    tests::cut_out(z, 20, 20, 25, 28);
    const FlowTree tree = route(z, {}, progress).tree;
    const Field<std::int32_t> label = basin_labels(tree);
    std::map<std::int32_t, int> cells;
    for (const std::int32_t basin : label)
        if (basin > 0) ++cells[basin];
    const LargestBasins found = largest_basins(tree, 6, 0.0);
    ASSERT_EQ(found.outlets.size(), 6U);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const std::int16_t number = found.basin[at(cell)];
        const bool is_one = std::ranges::any_of(found.outlets, [&](std::int32_t outlet) {
            return label[cell] != 0 && label[outlet] == label[cell];
        });
        ASSERT_EQ(number >= 0, is_one);
        if (number >= 0) {
            ASSERT_EQ(label[found.outlets[at(number)]], label[cell]);
        }
    }
    int smallest = cells[label[found.outlets.back()]];
    int larger = 0;
    for (const auto& [basin, count] : cells) larger += count > smallest ? 1 : 0;
    EXPECT_LE(larger, 5);
    for (std::size_t i = 1; i < 6; ++i)
        EXPECT_GE(cells[label[found.outlets[i - 1]]], cells[label[found.outlets[i]]]);
    EXPECT_TRUE(largest_basins(tree, 6, 1e12).outlets.empty());
}

}  // namespace
}  // namespace thalweg
