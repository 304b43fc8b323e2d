#include "thalweg/render/description_sheet.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/flow/natural_ranges.hpp"
#include "thalweg/render/chart/chart.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pixels_of.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// As nature is, but for `z` of every statistic; curves rise with it.
DescribedTerrain terrain_of(const std::string& name, double z) {
    TerrainDescription terrain{.grid = make_grid(15360.0, 15360.0, 512),
                               .reference_length = 30.0,
                               .described_share = 1.0,
                               .is_mountainous = false,
                               .statistics = {},
                               .curves = {}};
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        const NaturalRange range = *natural_range(statistic, 30.0);
        terrain.statistics.*statistic.value = range.mean + z * range.deviation;
    }
    TerrainCurves& curves = terrain.curves;
    curves.hypsometry.greatest = 1000.0;
    for (int i = 0; i <= kHypsometricSteps; ++i)
        curves.hypsometry.area_at_height.push_back(std::pow(1.0 - i / 100.0, 2.0 + z));
    curves.slope_shares = {0.1, 0.2, 0.3, 0.4};
    curves.aspect_shares.assign(24, 1.0 / 24.0);
    curves.junction_shares = {0.1, 0.1, 0.2, 0.3, 0.2, 0.1};
    for (int i = 0; i < 12; ++i) {
        const double power = std::pow(2.0, i);
        curves.slope_area.push_back({1e3 * power, (0.4 + 0.1 * z) * std::pow(power, -0.3)});
        curves.long_profile.push_back({500.0 * i, (10.0 + z) * i * i});
        curves.spectrum.push_back({60.0 * power, 1e-3 * (2.0 + z) * std::pow(power, 3.0)});
        curves.floor_widths.push_back({1e7 * power, (20.0 + z) * std::pow(power, 0.3)});
    }
    return {name, terrain};
}

/// How many of the points lie in a part of the picture, given by shares of its sides.
std::ptrdiff_t count_in(const std::vector<CanvasPoint>& points, const Image& image, Box part) {
    return std::ranges::count_if(points, [&](CanvasPoint point) {
        const double x = point.x / image.width, y = point.y / image.height;
        return x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height;
    });
}

TEST(DescriptionSheet, draws_every_terrain_in_its_colour_in_every_chart_and_beside_nature) {
    std::vector<DescribedTerrain> terrains;
    for (int i = 0; i < 8; ++i) terrains.push_back(terrain_of("terrain", -1.5 + 0.4 * i));
    const Image sheet = draw_descriptions(terrains);
    EXPECT_EQ(sheet.width, kDescriptionSheetWidth);
    for (std::size_t i = 0; i < terrains.size(); ++i) {
        const std::vector<CanvasPoint> found = pixels_of(sheet, kSeriesColours[i], 8);
        // The legend, the charts that tell the terrains apart, and the strip.
        EXPECT_GT(count_in(found, sheet, {0.0, 0.0, 1.0, 0.13}), 50) << i;
        EXPECT_GT(count_in(found, sheet, {0.0, 0.13, 0.34, 0.21}), 50) << i;
        EXPECT_GT(count_in(found, sheet, {0.0, 0.35, 0.34, 0.21}), 50) << i;
        EXPECT_GT(count_in(found, sheet, {0.7, 0.13, 0.3, 0.87}), 57 * 20) << i;
    }
    // The curves that are all the same are drawn by the last.
    const std::vector<CanvasPoint> last = pixels_of(sheet, kSeriesColours[7], 8);
    for (const double top : {0.13, 0.35, 0.57, 0.79})
        for (const double left : {0.0, 0.34}) EXPECT_GT(count_in(last, sheet, {left, top, 0.34, 0.2}), 50);
}

TEST(DescriptionSheet, places_dots_by_z_to_the_right_of_the_mean_where_it_is_above_0) {
    const auto mean_x = [](double z) {
        const std::vector<DescribedTerrain> terrain = {terrain_of("terrain", z)};
        const Image sheet = draw_descriptions(terrain);
        double sum = 0.0;
        int count = 0;
        for (const CanvasPoint& point : pixels_of(sheet, kSeriesColours[0], 8))
            if (point.x > 0.7 * sheet.width && point.y > 0.1 * sheet.height) {
                sum += point.x;
                ++count;
            }
        EXPECT_GT(count, 57 * 20) << z;
        return sum / count;
    };
    const double middle = mean_x(0.0);
    EXPECT_NEAR(mean_x(3.0) - middle, middle - mean_x(-3.0), 1.0);
    EXPECT_NEAR(mean_x(3.0) - middle, 0.5 * (mean_x(6.0) - middle), 1.0);
    EXPECT_EQ(mean_x(40.0), mean_x(6.0));
}

TEST(DescriptionSheet, of_terrain_that_tells_nothing_still_stands) {
    TerrainDescription flat;
    flat.grid = make_grid(64e3, 64e3, 64);
    const std::vector<DescribedTerrain> terrain = {{"flat", flat}};
    EXPECT_GT(pixels_of(draw_descriptions(terrain, 600), kInk, 8).size(), 500U);
    EXPECT_THAT(descriptions_svg(terrain), Not(HasSubstr("nan")));
    EXPECT_THAT(descriptions_svg(terrain), Not(HasSubstr("inf")));
}

TEST(DescriptionSheet, as_svg_is_the_same_text_every_time) {
    const std::vector<DescribedTerrain> one = {terrain_of("one", 0.5)}, other = {terrain_of("one", 0.6)};
    EXPECT_THAT(descriptions_svg(one), StartsWith("<?xml"));
    EXPECT_THAT(descriptions_svg(one), HasSubstr("</svg>"));
    EXPECT_EQ(descriptions_svg(one), descriptions_svg(one));
    EXPECT_NE(descriptions_svg(one), descriptions_svg(other));
}

TEST(DescriptionSheet, holds_one_to_eight_terrains) {
    EXPECT_THROW(draw_descriptions({}), Error);
    EXPECT_THROW(draw_descriptions(std::vector<DescribedTerrain>(9)), Error);
}

}  // namespace
}  // namespace thalweg
