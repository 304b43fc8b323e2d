#include "thalweg/render/time_charts.hpp"

#include "thalweg/render/chart/chart_sheet.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <cstddef>
#include <utility>

namespace thalweg {
namespace {

constexpr double kTimeLineWidth = 0.6;
constexpr double kSingleDotWidth = 1.8;

Chart chart_over_time(const TimeCharts& sheet, const TimeChart& wanted) {
    ChartSeries line{.mark = Mark::Line, .points = {}, .colour = kInk, .width = kTimeLineWidth, .legend = {}};
    for (std::size_t i = 0; i < sheet.times.size(); ++i)
        line.points.push_back({sheet.times[i], wanted.values[i], 0.0});
    if (line.points.size() == 1) {
        line.mark = Mark::Dots;
        line.width = kSingleDotWidth;
    }
    Chart chart{.title = wanted.title,
                .subtitle = wanted.subtitle,
                .x = {},
                .y = {},
                .series = {std::move(line)},
                .remark = {}};
    const double first = sheet.times.empty() ? 0.0 : sheet.times.front();
    const double last = sheet.times.empty() ? 0.0 : sheet.times.back();
    chart.x = axis_of_time(sheet.time_axis, first, last, chart.series);
    chart.y = axis_of_y(wanted.axis, chart.series, false);
    return chart;
}

ChartSheet sheet_of(const TimeCharts& charts, int chart_width) {
    ChartSheet sheet{.title = charts.title, .charts = {}, .chart_width = chart_width};
    for (const TimeChart& chart : charts.charts) sheet.charts.push_back(chart_over_time(charts, chart));
    return sheet;
}

}  // namespace

Image draw_time_charts(const TimeCharts& charts, int chart_width) {
    return draw_chart_sheet(sheet_of(charts, chart_width));
}

std::string time_charts_svg(const TimeCharts& charts, int chart_width) {
    return chart_sheet_svg(sheet_of(charts, chart_width));
}

}  // namespace thalweg
