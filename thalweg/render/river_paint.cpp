#include "thalweg/render/river_paint.hpp"

#include "thalweg/grid/sampling.hpp"
#include "thalweg/render/canvas.hpp"
#include "thalweg/render/river_lines.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr int kFiner = 2;                // canvas pixels per cell of the view
constexpr double kWidestShare = 0.0068;  // of the longer side, the greatest river's width; empirical
constexpr double kThinnestPixels = 1.3;
constexpr double kBankWidths = 2.8;  // width of river and banks over that of the river

}  // namespace

RiverPaint::RiverPaint(const RiverNetwork& rivers, const Grid& grid) {
    const double greatest = greatest_discharge(rivers);
    if (!(greatest > 0.0)) return;
    Canvas canvas(kFiner * grid.columns, kFiner * grid.rows, Colour{});
    const double widest = kWidestShare * std::max(canvas.width(), canvas.height()) *
                          river_prominence(rivers, grid.width() * grid.height());
    std::vector<CanvasLine> lines;
    for (const RiverLine& river : river_lines(rivers)) {
        CanvasLine& line = lines.emplace_back();
        for (std::size_t i = 0; i < river.points.size(); ++i) {
            line.points.push_back({kFiner * (grid.column_at(river.points[i].x) + 0.5),
                                   kFiner * (grid.row_at(river.points[i].y) + 0.5)});
            line.widths.push_back(
                std::max(kThinnestPixels, widest * std::sqrt(river.discharge[i] / greatest)));
        }
    }
    // Banks go to red, water to blue, over all banks.
    for (CanvasLine line : lines) {
        for (double& width : line.widths) width *= kBankWidths;
        canvas.draw(line, {1.0F, 0.0F, 0.0F});
    }
    for (const CanvasLine& line : lines) canvas.draw(line, {1.0F, 0.0F, 1.0F});
    const Image image = canvas.image();
    Grid fine{.columns = image.width, .rows = image.height, .north = static_cast<double>(image.height)};
    water_ = Field<float>(fine);
    bank_ = Field<float>(fine);
    for (std::int64_t cell = 0; cell < fine.cells(); ++cell) {
        bank_[cell] = static_cast<float>(image.rgb[static_cast<std::size_t>(3 * cell)]) / 255.0F;
        water_[cell] = static_cast<float>(image.rgb[static_cast<std::size_t>(3 * cell + 2)]) / 255.0F;
    }
}

RiverCover RiverPaint::at(float column, float row) const {
    if (water_.empty()) return {};
    const Position place{kFiner * (static_cast<double>(column) + 0.5),
                         water_.rows() - kFiner * (static_cast<double>(row) + 0.5)};
    return {sample_bilinear(water_, place), sample_bilinear(bank_, place)};
}

}  // namespace thalweg
