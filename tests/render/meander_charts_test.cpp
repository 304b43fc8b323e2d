#include "thalweg/render/meander_charts.hpp"

#include "thalweg/render/chart/chart.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "pixels_of.hpp"
#include <gmock/gmock.h>

namespace thalweg {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Reaches of 10 km and less, whose bends grow for 100 years.
MeanderMetrics growing(int reaches) {
    MeanderMetrics metrics;
    for (int i = 0; i <= 20; ++i) {
        NetworkMetrics network{.year = 5.0 * i, .whole = {}, .reaches = {}};
        const auto channel = [&](double share) {
            ChannelMetrics found;
            found.form = {.length = 10000.0 * share, .chord = 5000.0, .valley_length = 5000.0, .width = 50.0};
            found.form.sinuosity = 1.0 + 0.1 * i * share;
            found.form.bends = i;
            found.form.wavelength = 600.0 + i;
            found.form.amplitude = 5.0 * i;
            found.migration = {
                .years = 5.0 * i, .length = 1e4, .mean = 2.0 * share, .median = 1.0, .p90 = 4.0};
            found.cutoffs = i;
            found.cutoff_rate = i;
            found.belt_width = 50.0 + 10.0 * i;
            return found;
        };
        network.whole = channel(0.8);
        for (int k = 0; k < reaches; ++k)
            network.reaches.push_back({.reach = k + 1, .channel = channel(1.0 / (k + 1))});
        metrics.networks.push_back(network);
    }
    return metrics;
}

/// Pixels of a reach's colour in the first chart of a sheet whose charts are 1200 wide, above the legend.
std::vector<CanvasPoint> first_chart(const Image& sheet, std::size_t reach) {
    std::vector<CanvasPoint> found = pixels_of(sheet, kSeriesColours[reach]);
    std::erase_if(found, [](CanvasPoint point) { return point.x > 1170.0 || point.y > 600.0; });
    return found;
}

TEST(MeanderCharts, draw_lines_of_reaches_that_rise_with_their_sinuosity) {
    const Image sheet = draw_meander_metrics(growing(3), "", 1200);
    EXPECT_EQ(sheet.width, 2400);
    EXPECT_EQ(sheet.height, 3 * 960);
    double top_before = 0.0;  // pixels
    for (std::size_t reach = 0; reach < 3; ++reach) {
        const std::vector<CanvasPoint> line = first_chart(sheet, reach);
        ASSERT_GT(line.size(), 50U) << reach;
        const auto [left, right] =
            std::ranges::minmax(line, [](CanvasPoint a, CanvasPoint b) { return a.x < b.x; });
        EXPECT_GT(left.y, right.y + 40.0) << reach;
        EXPECT_GT(right.y, top_before) << reach;  // each is less sinuous than the one before
        top_before = right.y;
    }
}

TEST(MeanderCharts, show_the_five_reaches_of_most_length_in_colours_of_their_own) {
    const Image sheet = draw_meander_metrics(growing(8), "", 1200);
    for (std::size_t reach = 0; reach < 5; ++reach) EXPECT_FALSE(first_chart(sheet, reach).empty());
    for (std::size_t reach = 6; reach < 8; ++reach) EXPECT_TRUE(first_chart(sheet, reach).empty());
    EXPECT_TRUE(first_chart(draw_meander_metrics(growing(1), "", 1200), 0).empty());
}

TEST(MeanderCharts, as_svg_are_the_same_text_every_time_and_hold_no_number_that_is_none) {
    const std::string text = meander_metrics_svg(growing(8), "Lower valley");
    EXPECT_THAT(text, HasSubstr("</svg>"));
    EXPECT_THAT(text, Not(HasSubstr("nan")));
    EXPECT_EQ(text, meander_metrics_svg(growing(8), "Lower valley"));
    EXPECT_NE(text, meander_metrics_svg(growing(7), "Lower valley"));
}

TEST(MeanderCharts, of_one_record_or_none_are_drawn_too) {
    MeanderMetrics metrics = growing(2);
    metrics.networks.resize(1);
    EXPECT_EQ(draw_meander_metrics(metrics, "", 400).height, 960);
    EXPECT_EQ(draw_meander_metrics({}, "", 400).height, 960);
}

}  // namespace
}  // namespace thalweg
