#include "thalweg/render/chart/chart.hpp"

#include "thalweg/render/drawing/legend.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

// All in units: hundredths of the chart's width.
constexpr double kTextSize = 2.1;
constexpr double kTitleSize = 2.9;
constexpr double kLeft = 10.5;  // of the plot, for labels of y
constexpr double kRight = 3.5;
constexpr double kAbove = 14.5;  // title, subtitle and the name of y
constexpr double kSubtitle = 3.4;
constexpr double kUntitled = 8.5;  // less above a chart without title and names of its axes
constexpr double kUnnamed = 2.8;   // less below it
constexpr double kBelow = 8.8;     // ticks and the name of x
constexpr double kTick = 0.8;
constexpr double kLineHeight = 1.45;  // of text
constexpr double kSample = 4.0;       // length of a line in the legend
constexpr double kColumn = 47.0;      // from one column of the legend to the next
constexpr double kSmall = 0.72;       // size of raised and lowered text, of the text's
constexpr double kRaised = 0.38;
constexpr double kLowered = 0.16;
constexpr double kRoom = 0.04;  // of an axis beyond its values
constexpr int kMostTicks = 8;
constexpr int kMostDecades = 10;  // ticks of a logarithmic axis

constexpr Colour kGrid = srgb(0xE4DFD5);
constexpr Colour kFaintGrid = srgb(0xEFEBE3);

/// A chart in its place.
struct Plot {
    const Chart& chart;
    Box box;
    double unit;  // pixels

    [[nodiscard]] double x(double value) const { return box.x + chart.x.place_of(value) * box.width; }
    [[nodiscard]] double y(double value) const {
        return box.y + (1.0 - chart.y.place_of(value)) * box.height;
    }
    [[nodiscard]] bool holds(double x, double y) const {
        return std::isfinite(chart.x.place_of(x)) && std::isfinite(chart.y.place_of(y));
    }
    [[nodiscard]] double hair() const { return std::max(0.8, 0.12 * unit); }
};

std::vector<ChartTick> ticks_of(const ChartAxis& axis) {
    if (!axis.ticks.empty()) return axis.ticks;
    std::vector<ChartTick> ticks;
    for (const double tick : axis.logarithmic ? logarithmic_ticks(axis.low, axis.high, kMostDecades)
                                              : linear_ticks(axis.low, axis.high, kMostTicks))
        ticks.push_back({tick, number_in_words(tick)});
    return ticks;
}

/// 2, 3, ... 9 times each power of ten inside the axis.
std::vector<double> minor_ticks(const ChartAxis& axis) {
    std::vector<double> ticks;
    if (!axis.logarithmic) return ticks;
    for (double power = std::pow(10.0, std::floor(std::log10(axis.low))); power < axis.high; power *= 10.0)
        for (int factor = 2; factor < 10; ++factor)
            if (const double tick = factor * power; tick > axis.low && tick < axis.high)
                ticks.push_back(tick);
    return ticks;
}

/// Writes a text from its left end; ^{...} stands raised in it and _{...} lowered, both smaller.
void write_formula(Canvas& canvas, const std::string& text, CanvasPoint base, const TextStyle& style) {
    TextStyle small = style;
    small.size = kSmall * style.size;
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t mark = std::min(text.find("^{", from), text.find("_{", from));
        const std::string plain = text.substr(from, mark - from);
        canvas.write(plain, base, style);
        base.x += canvas.text_width(plain, style);
        if (mark == std::string::npos) return;
        const std::size_t end = text.find('}', mark);
        const std::string part = text.substr(mark + 2, end - mark - 2);
        const double shift = text[mark] == '^' ? -kRaised * style.size : kLowered * style.size;
        canvas.write(part, {base.x, base.y + shift}, small);
        base.x += canvas.text_width(part, small);
        from = end + 1;
    }
}

void draw_grid(Canvas& canvas, const Plot& plot) {
    const auto upright = [&](double tick, Colour colour) {
        const double x = plot.x(tick);
        draw_straight(canvas, {x, plot.box.y}, {x, plot.box.y + plot.box.height}, plot.hair(), colour);
    };
    const auto level = [&](double tick, Colour colour) {
        const double y = plot.y(tick);
        draw_straight(canvas, {plot.box.x, y}, {plot.box.x + plot.box.width, y}, plot.hair(), colour);
    };
    for (const double tick : minor_ticks(plot.chart.x)) upright(tick, kFaintGrid);
    for (const double tick : minor_ticks(plot.chart.y)) level(tick, kFaintGrid);
    for (const ChartTick& tick : ticks_of(plot.chart.x)) upright(tick.at, kGrid);
    for (const ChartTick& tick : ticks_of(plot.chart.y)) level(tick.at, kGrid);
}

void draw_axes(Canvas& canvas, const Plot& plot) {
    const Box& box = plot.box;
    const double text = kTextSize * plot.unit, tick_length = kTick * plot.unit;
    const double bottom = box.y + box.height;
    draw_straight(canvas, {box.x, box.y}, {box.x, bottom}, 1.5 * plot.hair(), kInk);
    draw_straight(canvas, {box.x, bottom}, {box.x + box.width, bottom}, 1.5 * plot.hair(), kInk);
    TextStyle style{.size = text, .colour = kInk, .anchor = Anchor::Middle};
    double free_from = -std::numeric_limits<double>::infinity();
    for (const ChartTick& tick : ticks_of(plot.chart.x)) {
        const double x = plot.x(tick.at), half = 0.5 * canvas.text_width(tick.label, style);
        draw_straight(canvas, {x, bottom}, {x, bottom + tick_length}, plot.hair(), kInk);
        // A label that would touch the one before is left out.
        if (x - half < free_from) continue;
        free_from = x + half + 0.5 * text;
        canvas.write(tick.label, {x, bottom + tick_length + 1.15 * text}, style);
    }
    canvas.write(plot.chart.x.title, {box.x + 0.5 * box.width, bottom + tick_length + 2.75 * text}, style);
    style.anchor = Anchor::Right;
    for (const ChartTick& tick : ticks_of(plot.chart.y)) {
        const double y = plot.y(tick.at);
        draw_straight(canvas, {box.x - tick_length, y}, {box.x, y}, plot.hair(), kInk);
        canvas.write(tick.label, {box.x - 1.6 * tick_length, y + 0.36 * text}, style);
    }
}

void draw_series(Canvas& canvas, const Plot& plot, const ChartSeries& series) {
    const double width = series.width * plot.unit;
    CanvasLine line;
    for (const ChartPoint& point : series.points) {
        if (!plot.holds(point.x, point.y)) continue;
        const CanvasPoint place{plot.x(point.x), plot.y(point.y)};
        if (series.mark == Mark::Line) {
            line.points.push_back(place);
            line.widths.push_back(width);
        } else if (series.mark == Mark::Dots) {
            draw_straight(canvas, place, place, width, series.colour);
        } else {
            draw_straight(canvas, place, {place.x, plot.y(point.upper)}, width, series.colour);
        }
    }
    canvas.draw(line, series.colour);
}

/// What the legend shows of a series, in a box of one line of text.
void draw_sample(Canvas& canvas, const Plot& plot, const ChartSeries& series, CanvasPoint left) {
    const double width = series.width * plot.unit, length = kSample * plot.unit;
    const double middle = left.x + 0.5 * length, half = 0.45 * kTextSize * plot.unit;
    if (series.mark == Mark::Line)
        draw_straight(canvas, left, {left.x + length, left.y}, width, series.colour);
    else if (series.mark == Mark::Dots)
        draw_straight(canvas, {middle, left.y}, {middle, left.y}, width, series.colour);
    else
        draw_straight(canvas, {middle, left.y - half}, {middle, left.y + half}, width, series.colour);
}

int legend_lines(const Chart& chart) {
    const auto entries =
        std::ranges::count_if(chart.series, [](const ChartSeries& series) { return !series.legend.empty(); });
    return static_cast<int>((entries + (chart.remark.empty() ? 0 : 1) + 1) / 2);
}

/// Two entries to a line, under the axis.
void draw_legend(Canvas& canvas, const Plot& plot, CanvasPoint corner) {
    const double text = kTextSize * plot.unit, sample = (kSample + 1.0) * plot.unit;
    const TextStyle style{.size = text, .colour = kInk};
    int entry = 0;
    const auto next_place = [&] {
        const int line = entry / 2;
        const CanvasPoint place{corner.x + (entry % 2) * kColumn * plot.unit,
                                corner.y + (line + 0.72) * kLineHeight * text};
        ++entry;
        return place;
    };
    for (const ChartSeries& series : plot.chart.series) {
        if (series.legend.empty()) continue;
        const CanvasPoint place = next_place();
        draw_sample(canvas, plot, series, {place.x, place.y - 0.36 * text});
        write_formula(canvas, series.legend, {place.x + sample, place.y}, style);
    }
    if (plot.chart.remark.empty()) return;
    const CanvasPoint place = next_place();
    canvas.write(plot.chart.remark, {place.x + sample, place.y}, style);
}

ChartAxis axis_of(const std::string& title, bool logarithmic, double low, double high) {
    if (!(low <= high)) return {title, logarithmic ? 1.0 : 0.0, logarithmic ? 10.0 : 1.0, logarithmic};
    if (logarithmic) {
        const double room = std::max(std::pow(high / low, kRoom), 1.2);
        return {title, low / room, high * room, true};
    }
    const double room = high > low ? kRoom * (high - low) : 0.5;
    // An axis of what can't be negative begins at 0 where its values do.
    return {title, low == 0.0 ? 0.0 : low - room, high + room, false};
}

}  // namespace

void draw_straight(Canvas& canvas, CanvasPoint from, CanvasPoint to, double width, Colour colour) {
    canvas.draw({.points = {from, to}, .widths = {width, width}}, colour);
}

double ChartAxis::place_of(double value) const {
    return logarithmic ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
}

ChartAxis axis_of_x(const std::string& title, const std::vector<ChartSeries>& series, bool logarithmic) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const ChartSeries& one : series)
        for (const ChartPoint& point : one.points)
            if (!logarithmic || point.x > 0.0) {
                low = std::min(low, point.x);
                high = std::max(high, point.x);
            }
    return axis_of(title, logarithmic, low, high);
}

ChartAxis axis_of_time(const std::string& title, double first, double last,
                       const std::vector<ChartSeries>& series) {
    return last > first ? ChartAxis{.title = title, .low = first, .high = last}
                        : axis_of_x(title, series, false);
}

ChartAxis axis_of_y(const std::string& title, const std::vector<ChartSeries>& series, bool logarithmic) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto see = [&](double value) {
        if (logarithmic && !(value > 0.0)) return;
        low = std::min(low, value);
        high = std::max(high, value);
    };
    for (const ChartSeries& one : series)
        for (const ChartPoint& point : one.points) {
            see(point.y);
            if (one.mark == Mark::Spans) see(point.upper);
        }
    return axis_of(title, logarithmic, low, high);
}

void draw_chart(Canvas& canvas, const Box& box, const Chart& chart, double unit) {
    const double left = box.x + 0.25 * kLeft * unit, text = kTextSize * unit;
    const bool is_row = chart.title.empty();
    const double legend = legend_lines(chart) * kLineHeight * text + (is_row ? 0.0 : 2.6 * unit);
    const double above = kAbove - (chart.subtitle.empty() ? kSubtitle : 0.0) - (is_row ? kUntitled : 0.0);
    const double below = kBelow - (is_row ? kUnnamed : 0.0);
    const Plot plot{chart,
                    {box.x + kLeft * unit, box.y + above * unit, box.width - (kLeft + kRight) * unit,
                     box.height - (above + below) * unit - legend},
                    unit};
    canvas.write(chart.title, {left, box.y + 4.2 * unit},
                 {.size = kTitleSize * unit, .colour = kInk, .bold = true});
    write_formula(canvas, chart.subtitle, {left, box.y + 7.6 * unit}, {.size = text, .colour = kFaintInk});
    canvas.write(chart.y.title, {left, plot.box.y - 2.2 * unit}, {.size = text, .colour = kInk});
    draw_grid(canvas, plot);
    canvas.clip(plot.box);
    for (const ChartSeries& series : chart.series) draw_series(canvas, plot, series);
    canvas.unclip();
    draw_axes(canvas, plot);
    draw_legend(canvas, plot, {plot.box.x, plot.box.y + plot.box.height + below * unit});
}

}  // namespace thalweg
