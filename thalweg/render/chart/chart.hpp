// Chart: numbers against numbers, with axes, marks and lines. Private to render.
#pragma once

#include "thalweg/render/drawing/canvas.hpp"

#include <array>
#include <string>
#include <vector>

namespace thalweg {

/// Colours of what stands beside each other, told apart by the colour-blind too (after Okabe and Ito 2008).
inline constexpr std::array kSeriesColours = {srgb(0x0072B2), srgb(0xD55E00), srgb(0x009E73), srgb(0xB5679B),
                                              srgb(0x8C6D1F), srgb(0x5B5B5B), srgb(0x3FA9DE), srgb(0xE69F00)};

/// A mark on an axis.
struct ChartTick {
    double at = 0.0;
    std::string label;
};

/// One axis, from `low` to `high` (low < high; above 0 where logarithmic).
struct ChartAxis {
    std::string title;  // with its unit
    double low = 0.0;
    double high = 1.0;
    bool logarithmic = false;
    std::vector<ChartTick> ticks = {};  // where there are none, round numbers

    /// Place of a value, 0 at `low` and 1 at `high`.
    [[nodiscard]] double place_of(double value) const;
};

/// A value of x and one of y, or for spans its lower end, with the upper one.
struct ChartPoint {
    double x = 0.0;
    double y = 0.0;
    double upper = 0.0;  // of spans
};

enum class Mark { Line, Dots, Spans };

/// Points that look alike.
struct ChartSeries {
    Mark mark = Mark::Line;
    std::vector<ChartPoint> points;
    Colour colour;       // sRGB
    double width = 0.2;  // of lines, dots and spans, in hundredths of the chart's width
    std::string legend;  // empty: it stands in none
};

struct Chart {
    std::string title;
    std::string subtitle;  // as all texts, with ^{raised} and _{lowered} parts
    ChartAxis x, y;
    std::vector<ChartSeries> series;  // later ones lie above earlier ones
    std::string remark;               // after the legend; may be empty
};

void draw_straight(Canvas& canvas, CanvasPoint from, CanvasPoint to, double width, Colour colour);

/// An axis that holds all values of a series' points with a little room: from the least to the greatest, on a
/// logarithmic one of those above 0. Without any it is from 0 to 1, or 1 to 10.
ChartAxis axis_of_x(const std::string& title, const std::vector<ChartSeries>& series, bool logarithmic);
ChartAxis axis_of_y(const std::string& title, const std::vector<ChartSeries>& series, bool logarithmic);

/// An axis of time, from the first time to the last; where there is but one, that of axis_of_x.
ChartAxis axis_of_time(const std::string& title, double first, double last,
                       const std::vector<ChartSeries>& series);

/// Draws the chart into `box`, its legend in two columns below. Points that a logarithmic axis can't hold are
/// left out. `unit`: pixels; letters, margins and lines are as large as in a chart of 100 units' width.
void draw_chart(Canvas& canvas, const Box& box, const Chart& chart, double unit);

}  // namespace thalweg
