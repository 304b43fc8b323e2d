#include "thalweg/render/view/river_paint.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/render/drawing/canvas.hpp"
#include "thalweg/render/drawing/river_lines.hpp"

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
    const double greatest = greatest_flow(rivers);
    if (!(greatest > 0.0)) return;
    Canvas canvas(kFiner * grid.columns, kFiner * grid.rows, Colour{});
    const double widest = kWidestShare * std::max(canvas.width(), canvas.height()) *
                          river_prominence(rivers, grid.width() * grid.height());
    std::vector<CanvasLine> lines;
    for (const PaintedRiver& river : river_lines(rivers)) {
        CanvasLine& line = lines.emplace_back();
        for (std::size_t i = 0; i < river.points.size(); ++i) {
            line.points.push_back({kFiner * (grid.column_at(river.points[i].x) + 0.5),
                                   kFiner * (grid.row_at(river.points[i].y) + 0.5)});
            line.widths.push_back(std::max(kThinnestPixels, widest * std::sqrt(river.flow[i] / greatest)));
        }
    }
    // Banks go to red, water to blue, over all banks.
    for (CanvasLine line : lines) {
        poll_cancelled();
        for (double& width : line.widths) width *= kBankWidths;
        canvas.draw(line, {1.0F, 0.0F, 0.0F});
    }
    for (const CanvasLine& line : lines) {
        poll_cancelled();
        canvas.draw(line, {1.0F, 0.0F, 1.0F});
    }
    paint_ = canvas.image();
}

RiverCover RiverPaint::at(float column, float row) const {
    if (paint_.rgb.empty()) return {};
    const float x = std::clamp(kFiner * (column + 0.5F) - 0.5F, 0.0F, static_cast<float>(paint_.width - 1));
    const float y = std::clamp(kFiner * (row + 0.5F) - 0.5F, 0.0F, static_cast<float>(paint_.height - 1));
    const int left = std::min(static_cast<int>(x), std::max(0, paint_.width - 2));
    const int top = std::min(static_cast<int>(y), std::max(0, paint_.height - 2));
    const float fx = x - static_cast<float>(left);
    const float fy = y - static_cast<float>(top);
    const std::size_t right = paint_.width > 1 ? 3 : 0;
    const std::size_t below = paint_.height > 1 ? std::size_t{3} * paint_.width : 0;
    const std::uint8_t* corner =
        paint_.rgb.data() + std::size_t{3} * (static_cast<std::size_t>(top) * paint_.width + left);
    const auto blend = [&](std::size_t channel) {
        const float upper = corner[channel] * (1.0F - fx) + corner[right + channel] * fx;
        const float lower = corner[below + channel] * (1.0F - fx) + corner[below + right + channel] * fx;
        return (upper * (1.0F - fy) + lower * fy) / 255.0F;
    };
    return {.water = blend(2), .bank = blend(0)};
}

}  // namespace thalweg
