#include "thalweg/render/time_charts.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

TimeCharts three_charts() {
    return {.title = "Plain",
            .time_axis = "Cycle",
            .times = {0.0, 10.0, 20.0},
            .charts = {{"Sinuosity", "of the stream", "Sinuosity, 1", {1.0, 1.1, 1.3}},
                       {"Lakes", "", "Volume, m³", {5.0, 5.0, 5.0}},
                       {"Sediment", "", "Sediment, m³", {0.0, 1e6, 2e6}}}};
}

TEST(TimeCharts, stand_in_two_columns) {
    const Image sheet = draw_time_charts(three_charts(), 400);
    EXPECT_EQ(sheet.width, 800);
    EXPECT_GE(sheet.height, 2 * 320);
}

TEST(TimeCharts, name_their_axes_and_themselves) {
    const std::string svg = time_charts_svg(three_charts());
    EXPECT_EQ(svg, time_charts_svg(three_charts()));
    EXPECT_NE(svg, time_charts_svg({.title = "Plain", .time_axis = "Cycle", .times = {0.0}, .charts = {}}));
    TimeCharts other = three_charts();
    other.charts[0].values[2] = 2.0;
    EXPECT_NE(svg, time_charts_svg(other));
    EXPECT_THAT(svg, HasSubstr("<svg"));
}

}  // namespace
}  // namespace thalweg
