#include "thalweg/render/analysis_charts.hpp"

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

constexpr Colour kFitted = srgb(0xC8553D);

SlopeArea flint() {
    SlopeArea found;
    for (int i = 0; i < 30; ++i) {
        const double area = 1e4 * std::pow(10.0, 0.1 * i), slope = 30.0 * std::pow(area, -0.4);
        found.bins.push_back({area, 100, 0.7 * slope, slope, 1.4 * slope});
    }
    found.fit = SlopeAreaFit{0.4, 30.0, found.bins[10].area, found.bins[29].area, 1.0, 20};
    return found;
}

TerrainAnalyses all_analyses() {
    TerrainAnalyses analyses;
    analyses.slope_area = flint();
    analyses.hack = HackLaw{1e6, {}, HackFit{0.6, 1.5, 0.9}};
    for (int i = 1; i < 20; ++i) analyses.hack->points.push_back({1e6 * i, 1.5 * std::pow(1e6 * i, 0.6)});
    HypsometricCurve cone{
        .area = 4e6, .least = 100.0, .greatest = 900.0, .integral = 1.0 / 3.0, .area_at_height = {}};
    for (int i = 0; i <= 100; ++i) cone.area_at_height.push_back(std::pow(1.0 - i / 100.0, 2.0));
    analyses.hypsometry = Hypsometry{cone, {{5, cone}}};
    const ChiStream river{{0.0, 1.0, 4.0}, {100.0, 150.0, 300.0}, {0.0, 500.0, 900.0}, {9e6, 5e6, 1e6}};
    analyses.chi_profiles = ChiProfiles{
        {},
        {{.outlet = 5, .area = 9e6, .streams = {river, river}, .fit = ChiFit{50.0, 100.0, 1.0}, .best = {}}}};
    return analyses;
}

TEST(ChartAxis, places_values_by_their_logarithm_where_it_is_logarithmic) {
    const ChartAxis axis{.title = "", .low = 0.01, .high = 100.0, .logarithmic = true};
    EXPECT_NEAR(axis.place_of(1.0), 0.5, 1e-12);
    EXPECT_NEAR(axis.place_of(100.0), 1.0, 1e-12);
    EXPECT_NEAR((ChartAxis{.title = "", .low = -1.0, .high = 3.0}.place_of(0.0)), 0.25, 1e-12);
}

TEST(ChartAxis, holds_all_points_of_its_series_but_those_that_a_logarithm_has_not) {
    const std::vector<ChartSeries> series = {
        {.mark = Mark::Spans, .points = {{10.0, 0.0, 5.0}, {0.0, 2.0, 9.0}}, .colour = {}, .legend = {}}};
    const ChartAxis x = axis_of_x("x", series, true);
    EXPECT_LT(x.low, 10.0);
    EXPECT_GT(x.low, 0.0);
    EXPECT_GT(x.high, 10.0);
    EXPECT_GT(axis_of_y("y", series, false).high, 9.0);
    EXPECT_EQ(axis_of_y("y", series, false).low, 0.0);
    const ChartAxis none = axis_of_y("y", {}, true);
    EXPECT_LT(none.low, none.high);
}

TEST(AnalysisCharts, draw_the_fitted_law_falling_to_the_right_over_its_range_alone) {
    TerrainAnalyses analyses;
    analyses.slope_area = flint();
    const Image image = draw_analyses(analyses, "");
    EXPECT_EQ(image.width, kChartWidth);
    std::vector<CanvasPoint> line = pixels_of(image, kFitted);
    // The sample in the legend lies under the axis.
    std::erase_if(line, [&](CanvasPoint point) { return point.y > 0.8 * image.height; });
    ASSERT_GT(line.size(), 500U);
    const auto [left, right] =
        std::ranges::minmax(line, [](CanvasPoint a, CanvasPoint b) { return a.x < b.x; });
    EXPECT_LT(left.y, right.y - 100.0);
    // Bins 10 to 29 of 0 to 29: the last two thirds of the plot.
    EXPECT_NEAR(left.x, 1200.0 * (0.105 + 0.86 * (10.0 / 29.0 * 0.92 + 0.04)), 25.0);
    EXPECT_GT(right.x, 1200.0 * 0.88);

    analyses.slope_area->fit.reset();
    EXPECT_TRUE(pixels_of(draw_analyses(analyses, ""), kFitted).empty());
}

TEST(AnalysisCharts, of_several_analyses_stand_in_two_columns_under_a_title) {
    const Image sheet = draw_analyses(all_analyses(), "terrain", 400);
    EXPECT_EQ(sheet.width, 800);
    EXPECT_EQ(sheet.height, 2 * 320 + 22);
    // Something is drawn in every quarter.
    for (const int left : {0, 400})
        for (const int top : {22, 342}) {
            const std::vector<CanvasPoint> ink = pixels_of(sheet, kInk);
            EXPECT_GT(std::ranges::count_if(ink,
                                            [&](CanvasPoint point) {
                                                return point.x >= left && point.x < left + 400 &&
                                                       point.y >= top && point.y < top + 320;
                                            }),
                      100);
        }
}

TEST(AnalysisCharts, as_svg_are_the_same_text_every_time_and_hold_no_number_that_is_none) {
    const std::string text = analyses_svg(all_analyses(), "terrain", 400);
    EXPECT_THAT(text, StartsWith("<?xml"));
    EXPECT_THAT(text, HasSubstr("</svg>"));
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_THAT(text, Not(HasSubstr("inf")));
    EXPECT_EQ(analyses_svg(all_analyses(), "terrain", 400), text);
    TerrainAnalyses other = all_analyses();
    other.hack->points[3].length *= 2.0;
    EXPECT_NE(analyses_svg(other, "terrain", 400), text);
}

TEST(AnalysisCharts, of_ground_that_tells_nothing_still_draw_their_axes) {
    TerrainAnalyses empty;
    empty.slope_area.emplace();
    empty.slope_area->bins = {{100.0, 5, 0.0, 0.0, 0.0}};
    empty.hack.emplace();
    empty.hypsometry.emplace();
    empty.chi_profiles.emplace();
    EXPECT_GT(pixels_of(draw_analyses(empty, "", 300), kInk).size(), 500U);
    EXPECT_THAT(analyses_svg(empty, "", 300), Not(HasSubstr("nan")));
    EXPECT_EQ(draw_analyses({}, "", 300).width, 300);
}

}  // namespace
}  // namespace thalweg
