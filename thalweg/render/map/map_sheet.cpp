#include "thalweg/render/map/map_sheet.hpp"

#include "thalweg/grid/resampling.hpp"
#include "thalweg/render/drawing/legend.hpp"
#include "thalweg/render/shading/relief.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

// All in units: hundredths of the picture's longer side.
constexpr double kMargin = 2.6;
constexpr double kTitleHeight = 4.4;
constexpr double kTitleSize = 2.2;
constexpr double kFooterHeight = 6.6;
constexpr double kFooterGap = 1.7;  // from map to footer
constexpr double kTextSize = 1.35;
constexpr double kBarHeight = 1.25;
constexpr double kLongestBar = 38.0;
constexpr double kNarrowestSheet = 46.0;  // so that legends have room beside a slender map
constexpr double kFooterBarShare = 0.52;  // of the footer's width that the colour bar may take
constexpr double kScaleBarShare = 0.30;   // of the footer's width that the scale bar may take

double hair(const MapSheet& sheet) {
    return std::max(0.8, 0.08 * sheet.unit);
}

void draw_scale_bar(Canvas& canvas, const MapSheet& sheet) {
    const double metres_per_pixel = sheet.pixels.cell_size;
    const double longest =
        std::min(kScaleBarShare * sheet.footer.width, 0.6 * std::max(sheet.map.width, 8.0));
    const double metres = round_number_below(longest * metres_per_pixel);
    const double length = metres / metres_per_pixel;
    const double text = kTextSize * sheet.unit;
    const Box bar{sheet.footer.x + sheet.footer.width - length,
                  sheet.footer.y + 1.55 * text + 0.35 * kBarHeight * sheet.unit, length,
                  0.42 * kBarHeight * sheet.unit};
    // Four pieces, dark and light in turn.
    for (int piece = 0; piece < 4; ++piece)
        canvas.fill({bar.x + piece * length / 4.0, bar.y, length / 4.0, bar.height},
                    piece % 2 == 0 ? kInk : kPaper);
    canvas.outline(bar, kInk, hair(sheet));
    const TextStyle style{.size = text, .colour = kInk, .anchor = Anchor::Middle};
    const double base = bar.y + bar.height + 1.25 * text;
    canvas.write("0", {bar.x, base}, style);
    if (length > 9.0 * text)
        canvas.write(number_in_words(metres / (metres >= 1000.0 ? 2000.0 : 2.0)),
                     {bar.x + length / 2.0, base}, style);
    TextStyle right = style;
    right.anchor = Anchor::Right;
    canvas.write(distance_in_words(metres), {bar.x + length + 0.0 * text, base}, right);
}

void draw_colour_bar(Canvas& canvas, const MapSheet& sheet, const ColourBar& bar) {
    const double text = kTextSize * sheet.unit;
    const double length = std::min(kLongestBar * sheet.unit, kFooterBarShare * sheet.footer.width);
    const Box box{sheet.footer.x, sheet.footer.y + 1.55 * text, length, kBarHeight * sheet.unit};
    canvas.write(bar.title, {box.x, sheet.footer.y + text}, {.size = text, .colour = kInk, .bold = true});
    const int pieces = bar.swatches > 0 ? bar.swatches : static_cast<int>(std::ceil(length));
    for (int piece = 0; piece < pieces; ++piece) {
        const double from = box.x + length * piece / pieces;
        // Pieces overlap by a pixel so that no seam shows.
        const double to = std::min(box.x + length, box.x + length * (piece + 1) / pieces + 1.0);
        canvas.fill({from, box.y, to - from, box.height}, bar.colour((piece + 0.5) / pieces));
    }
    canvas.outline(box, kInk, hair(sheet));
    double free_from = box.x - text;
    for (const BarTick& tick : bar.ticks) {
        const double x = box.x + tick.at * length;
        const TextStyle style{.size = text, .colour = kInk, .anchor = Anchor::Middle};
        const double half = 0.5 * canvas.text_width(tick.label, style);
        const double middle = std::max(x, box.x + half - 0.3 * text);
        // A label that would touch the one before is left out.
        if (middle - half < free_from) continue;
        free_from = middle + half + 0.5 * text;
        if (bar.swatches == 0)
            canvas.fill({x - 0.5 * hair(sheet), box.y + box.height, hair(sheet), 0.3 * text}, kInk);
        canvas.write(tick.label, {middle, box.y + box.height + 1.45 * text}, style);
    }
}

}  // namespace

MapSheet lay_out_map(const Grid& grid, int size, bool with_title, bool with_legend) {
    MapSheet sheet;
    sheet.unit = size / 100.0;
    const double margin = kMargin * sheet.unit;
    const double above = with_title ? kTitleHeight * sheet.unit : margin;
    const double below = with_legend ? (kFooterGap + kFooterHeight) * sheet.unit : margin;
    const double least_width = with_legend ? kNarrowestSheet * sheet.unit : 1.0;
    // The larger the better, until the longer side of the picture is `size`.
    const double scale =
        std::min((size - 2.0 * margin) / grid.width(), (size - above - below) / grid.height());
    sheet.map.width = std::max(1.0, std::floor(grid.width() * scale));
    sheet.map.height = std::max(1.0, std::floor(grid.height() * scale));
    sheet.width = static_cast<int>(std::ceil(std::max(least_width, sheet.map.width + 2.0 * margin)));
    sheet.height = static_cast<int>(std::ceil(sheet.map.height + above + below));
    // Rounding must not cost the last pixel of the asked size.
    (sheet.width >= sheet.height ? sheet.width : sheet.height) = size;
    sheet.map.x = std::floor(0.5 * (sheet.width - sheet.map.width));
    sheet.map.y = std::floor(above);
    if (with_legend) {
        const double width = std::max(sheet.map.width, least_width - 2.0 * margin);
        sheet.footer = {0.5 * (sheet.width - width), sheet.map.y + sheet.map.height + kFooterGap * sheet.unit,
                        width, kFooterHeight * sheet.unit};
    }
    sheet.pixels = grid;
    sheet.pixels.columns = static_cast<int>(sheet.map.width);
    sheet.pixels.rows = static_cast<int>(sheet.map.height);
    sheet.pixels.cell_size = std::max(grid.width() / sheet.map.width, grid.height() / sheet.map.height);
    return sheet;
}

double exaggeration_of(const Field<float>& terrain, const Grid& pixels, const MapParameters& parameters) {
    if (parameters.exaggeration > 0.0) return parameters.exaggeration;
    if (!parameters.scale) return map_exaggeration(terrain);
    return map_exaggeration(resample(*parameters.scale->terrain, pixels, Interpolation::Bicubic));
}

void draw_furniture(Canvas& canvas, const MapSheet& sheet, const std::string& title, const ColourBar& bar) {
    canvas.outline(sheet.map, kInk, 1.5 * hair(sheet));
    if (!title.empty())
        canvas.write(title, {sheet.map.x, sheet.map.y - 1.25 * sheet.unit},
                     {.size = kTitleSize * sheet.unit, .colour = kInk, .bold = true});
    if (sheet.footer.height <= 0.0) return;
    draw_colour_bar(canvas, sheet, bar);
    draw_scale_bar(canvas, sheet);
}

}  // namespace thalweg
