#include "thalweg/render/chart/chart_sheet.hpp"

#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kHeight = 0.8;        // of a chart, over its width
constexpr double kSheetTitle = 0.055;  // above all charts, over the width of one

/// Where the charts of a sheet stand.
struct SheetPlaces {
    int columns = 1;
    int rows = 1;
    double width = 0.0;  // pixels, of each chart
    double height = 0.0;
    double above = 0.0;  // pixels, for the title

    explicit SheetPlaces(const ChartSheet& sheet)
        : columns(sheet.charts.size() > 1 ? 2 : 1),
          rows(static_cast<int>((std::max<std::size_t>(sheet.charts.size(), 1) + 1) / 2)),
          width(sheet.chart_width),
          height(std::round(kHeight * sheet.chart_width)),
          above(sheet.title.empty() ? 0.0 : std::round(kSheetTitle * sheet.chart_width)) {}

    [[nodiscard]] int sheet_width() const { return static_cast<int>(columns * width); }
    [[nodiscard]] int sheet_height() const { return static_cast<int>(rows * height + above); }

    [[nodiscard]] Box box_of(std::size_t chart) const {
        const auto across = static_cast<std::size_t>(columns);
        const std::size_t column = chart % across;
        const std::size_t row = chart / across;
        return {static_cast<double>(column) * width, above + static_cast<double>(row) * height, width,
                height};
    }
};

void draw_charts(Canvas& canvas, const SheetPlaces& places, const ChartSheet& sheet) {
    const double size = 0.62 * kSheetTitle * places.width;
    canvas.write(sheet.title, {0.026 * places.width, 1.45 * size},
                 {.size = size, .colour = kInk, .bold = true});
    for (std::size_t i = 0; i < sheet.charts.size(); ++i)
        draw_chart(canvas, places.box_of(i), sheet.charts[i], places.width / 100.0);
}

}  // namespace

Image draw_chart_sheet(const ChartSheet& sheet) {
    const SheetPlaces places(sheet);
    Canvas canvas(places.sheet_width(), places.sheet_height(), kPaper);
    draw_charts(canvas, places, sheet);
    return canvas.image();
}

std::string chart_sheet_svg(const ChartSheet& sheet) {
    const SheetPlaces places(sheet);
    Canvas canvas(places.sheet_width(), places.sheet_height(), kPaper, CanvasKind::Svg);
    draw_charts(canvas, places, sheet);
    return canvas.svg();
}

}  // namespace thalweg
