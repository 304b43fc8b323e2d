#include "thalweg/render/river_validation_sheet.hpp"

#include "thalweg/render/chart/river_stretch_map.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kUnit = 0.0042;      // of the sheet's width: all letters and margins
constexpr int kRows = 4;              // of the rates along the river
constexpr double kRowHigh = 0.122;    // of the sheet's width
constexpr double kSquareWide = 0.40;  // of the scatter plot
constexpr double kSquareHigh = 0.42;
constexpr double kAboveRows = 13.0;    // units: title, subtitle and legend
constexpr double kShownShare = 0.998;  // of the rates that an axis holds

constexpr Colour kExcludedBand = srgb(0xEAD9D6);
constexpr Colour kObserved = srgb(0x7FB0D3);
constexpr Colour kPredicted = srgb(0xC4450C);
constexpr Colour kScatter = srgb(0x2F6690);

/// Where everything stands, pixels.
struct ValidationSheet {
    double width = 0.0;
    double unit = 0.0;
    double row_height = 0.0;
    double rows_top = 0.0;
    double below_top = 0.0;

    explicit ValidationSheet(int sheet_width)
        : width(sheet_width),
          unit(kUnit * width),
          row_height(std::round(kRowHigh * width)),
          rows_top(std::round(kAboveRows * unit)),
          below_top(rows_top + kRows * row_height + 2.0 * unit) {}

    [[nodiscard]] int height() const { return static_cast<int>(below_top + kSquareHigh * width); }
};

/// The rate, m/yr, that nearly all rates of both kinds are below, in size.
double shown_rate(const RiverValidation& found) {
    std::vector<double> sizes;
    for (std::size_t i = 0; i < found.observed.size(); ++i)
        if (found.is_used[i] != 0)
            sizes.push_back(std::max(std::abs(found.observed[i]), std::abs(found.predicted[i])));
    const auto at = static_cast<std::ptrdiff_t>(kShownShare * static_cast<double>(sizes.size() - 1));
    std::ranges::nth_element(sizes, sizes.begin() + at);
    return std::max(1.1 * sizes[static_cast<std::size_t>(at)], 1e-6);
}

/// Adds rates of the points from `first` to before `last` as lines that end where nothing is compared.
void add_rates(const RiverValidation& found, std::size_t first, std::size_t last, ChartSeries series,
               const std::vector<double>& rates, std::vector<ChartSeries>& lines) {
    const auto flush = [&] {
        if (!series.points.empty()) lines.push_back(series);
        series.points.clear();
    };
    for (std::size_t i = first; i < last; ++i) {
        if (found.is_used[i] == 0)
            flush();
        else
            series.points.push_back({found.distance[i] / 1000.0, rates[i], 0.0});
    }
    flush();
}

/// One part of the river from `first` to before `last`.
Chart row_chart(const RiverValidation& found, std::size_t first, std::size_t last, double most) {
    const double low = found.distance[first] / 1000.0, high = found.distance[last - 1] / 1000.0;
    Chart chart{.title = {},
                .subtitle = {},
                .x = {.title = {}, .low = low, .high = high},
                .y = {.title = {}, .low = -most, .high = most},
                .series = {},
                .remark = {}};
    ChartSeries excluded{
        .mark = Mark::Spans, .points = {}, .colour = kExcludedBand, .width = 0.35, .legend = {}};
    for (std::size_t i = first; i < last; ++i)
        if (found.is_used[i] == 0) excluded.points.push_back({found.distance[i] / 1000.0, -most, most});
    chart.series = {excluded,
                    {.mark = Mark::Line,
                     .points = {{low, 0.0, 0.0}, {high, 0.0, 0.0}},
                     .colour = kFaintInk,
                     .width = 0.12,
                     .legend = {}}};
    add_rates(found, first, last,
              {.mark = Mark::Line, .points = {}, .colour = kObserved, .width = 0.55, .legend = {}},
              found.observed, chart.series);
    add_rates(found, first, last,
              {.mark = Mark::Line, .points = {}, .colour = kPredicted, .width = 0.25, .legend = {}},
              found.predicted, chart.series);
    return chart;
}

Chart scatter_chart(const RiverValidation& found, double most) {
    Chart chart{.title = "Predicted and observed rates",
                .subtitle = fmt::format("r = {:.2f}, k = {:.3g} m/yr, depth {:.3g} m", found.fit.correlation,
                                        found.fit.rate, found.fit.depth),
                .x = {.title = "predicted, m/yr", .low = -most, .high = most},
                .y = {.title = "observed, m/yr", .low = -most, .high = most},
                .series = {},
                .remark = {}};
    ChartSeries dots{
        .mark = Mark::Dots, .points = {}, .colour = kScatter, .width = 0.55, .legend = "a width apart"};
    const auto every =
        std::max<std::size_t>(1, static_cast<std::size_t>(std::round(found.width / found.distance[1])));
    for (std::size_t i = 0; i < found.observed.size(); i += every)
        if (found.is_used[i] != 0) dots.points.push_back({found.predicted[i], found.observed[i], 0.0});
    chart.series.push_back(dots);
    chart.series.push_back({.mark = Mark::Line,
                            .points = {{-most, -most, 0.0}, {most, most, 0.0}},
                            .colour = kPredicted,
                            .width = 0.35,
                            .legend = "equal"});
    return chart;
}

void draw_heading(Canvas& canvas, const ValidationSheet& sheet, const NamedValidation& named) {
    const RiverValidation& found = named.found;
    const double unit = sheet.unit, left = 2.6 * unit;
    canvas.write("Migration of a river: observed and predicted", {left, 5.2 * unit},
                 {.size = 3.6 * unit, .colour = kInk, .bold = true});
    std::string text = fmt::format(
        "{} to {}, {:.4g} yr; {:.0f} km, {:.0f} m wide; lag {:.0f} m or {:.1f} widths; r of predictions "
        "elsewhere {:.2f}",
        named.earlier, named.later, named.years, found.distance.back() / 1000.0, found.width, found.lag,
        found.lag / found.width, found.shifted_rms);
    TextStyle style{.size = 2.2 * unit, .colour = kFaintInk};
    style.size *= std::min(1.0, (sheet.width - 2.0 * left) / canvas.text_width(text, style));
    canvas.write(text, {left, 8.8 * unit}, style);
    style = {.size = 2.1 * unit, .colour = kInk};
    CanvasPoint place{left, 12.6 * unit};
    const auto entry = [&](const char* name, Colour colour, double width) {
        const double y = place.y - 0.36 * style.size;
        draw_straight(canvas, {place.x, y}, {place.x + 4.0 * unit, y}, width * unit, colour);
        canvas.write(name, {place.x + 5.2 * unit, place.y}, style);
        place.x += 9.0 * unit + canvas.text_width(name, style);
    };
    entry("observed, m/yr to the right", kObserved, 0.8);
    entry("predicted", kPredicted, 0.35);
    entry("not compared: cutoffs and ends", kExcludedBand, 1.6);
    canvas.write("km along the earlier line", {sheet.width - 3.5 * unit, place.y},
                 {.size = 2.1 * unit, .colour = kInk, .anchor = Anchor::Right});
}

void draw_validation_sheet(Canvas& canvas, const ValidationSheet& sheet, const NamedValidation& named) {
    const RiverValidation& found = named.found;
    draw_heading(canvas, sheet, named);
    const double most = shown_rate(found);
    const std::size_t points = found.distance.size();
    for (int row = 0; row < kRows; ++row) {
        const std::size_t first = points * static_cast<std::size_t>(row) / kRows;
        const std::size_t last = points * static_cast<std::size_t>(row + 1) / kRows;
        draw_chart(canvas, {0.0, sheet.rows_top + row * sheet.row_height, sheet.width, sheet.row_height},
                   row_chart(found, first, last, most), sheet.unit);
    }
    const double high = sheet.height() - sheet.below_top, square = kSquareWide * sheet.width;
    draw_chart(canvas, {0.0, sheet.below_top, square, high}, scatter_chart(found, most), sheet.unit);
    draw_river_stretch(canvas, {square, sheet.below_top, sheet.width - square, high}, found, sheet.unit);
}

}  // namespace

Image draw_river_validation(const NamedValidation& named, int width) {
    const ValidationSheet sheet(width);
    Canvas canvas(width, sheet.height(), kPaper);
    draw_validation_sheet(canvas, sheet, named);
    return canvas.image();
}

std::string river_validation_svg(const NamedValidation& named, int width) {
    const ValidationSheet sheet(width);
    Canvas canvas(width, sheet.height(), kPaper, CanvasKind::Svg);
    draw_validation_sheet(canvas, sheet, named);
    return canvas.svg();
}

}  // namespace thalweg
