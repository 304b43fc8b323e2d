// Charts of numbers over time.
#pragma once

#include "thalweg/render/image.hpp"

#include <string>
#include <vector>

namespace thalweg {

inline constexpr int kTimeChartWidth = 800;  // pixels, of one chart

/// A number at one time after another.
struct TimeChart {
    std::string title;
    std::string subtitle;
    std::string axis;  // what the number is, with its unit
    std::vector<double> values = {};
};

/// Charts over the same times.
struct TimeCharts {
    std::string title;      // above all, may be empty
    std::string time_axis;  // such as "Year"
    std::vector<double> times = {};
    std::vector<TimeChart> charts = {};  // with a value for each time
};

/// All charts on one sheet, in two columns. `chart_width`: pixels of each, 300 or more; it is four fifths as
/// high. O(pixels + values).
///
/// Example:
///     const TimeCharts charts = {.title = "Plain", .time_axis = "Cycle", .times = {0.0, 10.0, 20.0},
///                                .charts = {{"Sinuosity", "", "Sinuosity, 1", {1.0, 1.1, 1.3}}}};
///     const Image sheet = draw_time_charts(charts);
Image draw_time_charts(const TimeCharts& charts, int chart_width = kTimeChartWidth);

/// The same as SVG, with the same bytes for the same numbers.
std::string time_charts_svg(const TimeCharts& charts, int chart_width = kTimeChartWidth);

}  // namespace thalweg
