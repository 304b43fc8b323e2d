#include "thalweg/render/description_sheet.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/flow/natural_ranges.hpp"
#include "thalweg/render/chart/description_charts.hpp"
#include "thalweg/render/chart/nature_strip.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

// Of the sheet's width.
constexpr double kUnit = 0.0044;  // hundredth of a chart as wide as its letters are meant for
constexpr double kChartWide = 0.338;
constexpr double kChartHigh = 0.232;

constexpr int kChartRows = 4;
constexpr int kColumns = 2;  // of charts, and of the legend

/// Where the charts and the legend's entries stand, row by row from 0.
double row_of(std::size_t entry) {
    const std::size_t row = entry / kColumns;
    return static_cast<double>(row);
}
double column_of(std::size_t entry) {
    return static_cast<double>(entry % kColumns);
}

/// Where everything stands, pixels.
struct DescriptionSheet {
    double width = 0.0;
    double unit = 0.0;
    double margin = 0.0;
    double legend_line = 0.0;
    double above = 0.0;  // title and legend
    double chart_width = 0.0;
    double chart_height = 0.0;

    DescriptionSheet(std::size_t terrains, int sheet_width)
        : width(sheet_width),
          unit(kUnit * width),
          margin(0.25 * 10.5 * unit),
          legend_line(3.6 * unit),
          above(std::round(7.5 * unit + legend_line * row_of(terrains + 1))),
          chart_width(std::round(kChartWide * width)),
          chart_height(std::round(kChartHigh * width)) {}

    [[nodiscard]] int height() const { return static_cast<int>(above + kChartRows * chart_height); }
};

std::string legend_of(const DescribedTerrain& terrain) {
    const Grid& grid = terrain.description.grid;
    const Naturalness nature = naturalness_of(terrain.description.statistics, grid.cell_size);
    std::string text =
        fmt::format("{}: {} × {} cells of {:.4g} m", terrain.name, grid.columns, grid.rows, grid.cell_size);
    if (nature.compared > 0)
        text += fmt::format("; {} of {} outside nature, rms z {:.2f}", nature.outside, nature.compared,
                            nature.rms_z);
    return text;
}

void draw_terrain_legend(Canvas& canvas, const DescriptionSheet& sheet,
                         std::span<const DescribedTerrain> terrains) {
    const double text = 2.4 * sheet.unit, sample = 4.0 * sheet.unit, gap = 1.5 * sheet.unit;
    const double most = 0.5 * sheet.width - sheet.margin - sample - 2.0 * gap;  // pixels, of a text
    for (std::size_t i = 0; i < terrains.size(); ++i) {
        const double x = sheet.margin + column_of(i) * 0.5 * sheet.width;
        const double y = 7.0 * sheet.unit + (row_of(i) + 0.7) * sheet.legend_line;
        draw_straight(canvas, {x, y - 0.36 * text}, {x + sample, y - 0.36 * text}, 0.8 * sheet.unit,
                      kSeriesColours[i]);
        const std::string legend = legend_of(terrains[i]);
        TextStyle style{.size = text, .colour = kInk};
        style.size *= std::min(1.0, most / canvas.text_width(legend, style));
        canvas.write(legend, {x + sample + gap, y}, style);
    }
}

void draw_description_sheet(Canvas& canvas, const DescriptionSheet& sheet,
                            std::span<const DescribedTerrain> terrains) {
    canvas.write(terrains.size() == 1 ? "A terrain in numbers" : "Terrains in numbers",
                 {sheet.margin, 5.4 * sheet.unit}, {.size = 3.8 * sheet.unit, .colour = kInk, .bold = true});
    draw_terrain_legend(canvas, sheet, terrains);
    const std::vector<Chart> charts = description_charts(terrains);
    for (std::size_t i = 0; i < charts.size(); ++i)
        draw_chart(canvas,
                   {column_of(i) * sheet.chart_width, sheet.above + row_of(i) * sheet.chart_height,
                    sheet.chart_width, sheet.chart_height},
                   charts[i], sheet.unit);
    const double left = kColumns * sheet.chart_width + sheet.margin;
    draw_nature_strip(canvas, {left, sheet.above, sheet.width - left, kChartRows * sheet.chart_height},
                      terrains, sheet.unit);
}

DescriptionSheet sheet_of(std::span<const DescribedTerrain> terrains, int width) {
    if (terrains.empty() || terrains.size() > kMostOnSheet)
        throw Error::input(
            fmt::format("{} terrains do not fit on a sheet: give 1 to {}", terrains.size(), kMostOnSheet));
    return {terrains.size(), width};
}

}  // namespace

Image draw_descriptions(std::span<const DescribedTerrain> terrains, int width) {
    const DescriptionSheet sheet = sheet_of(terrains, width);
    Canvas canvas(width, sheet.height(), kPaper);
    draw_description_sheet(canvas, sheet, terrains);
    return canvas.image();
}

std::string descriptions_svg(std::span<const DescribedTerrain> terrains, int width) {
    const DescriptionSheet sheet = sheet_of(terrains, width);
    Canvas canvas(width, sheet.height(), kPaper, CanvasKind::Svg);
    draw_description_sheet(canvas, sheet, terrains);
    return canvas.svg();
}

}  // namespace thalweg
