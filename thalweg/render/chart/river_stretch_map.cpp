#include "thalweg/render/chart/river_stretch_map.hpp"

#include "thalweg/render/drawing/legend.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr Colour kMapGround = srgb(0xFCFBF8);
constexpr Colour kMatch = srgb(0xAFA99F);
constexpr double kLeastHeight = 45.0;  // widths of the river, of a map
constexpr double kRoomAbout = 1.5;     // of the map's height, over that of the stretch
constexpr double kTitle = 6.0;         // units, above the map
constexpr double kBelowMap = 6.0;      // units, for the legend
constexpr double kTicksPerMap = 8.0;   // kilometres that are marked, about

/// Metres of the world on the map.
struct Window {
    double x = 0.0, y = 0.0;  // of its middle, m
    double scale = 1.0;       // pixels a metre
    Box box;

    [[nodiscard]] CanvasPoint place_of(double world_x, double world_y) const {
        return {box.x + 0.5 * box.width + scale * (world_x - x),
                box.y + 0.5 * box.height - scale * (world_y - y)};
    }
};

/// The points that the map is about.
ExcludedStretch shown_stretch(const RiverValidation& found) {
    if (!found.excluded.empty())
        return *std::ranges::max_element(
            found.excluded, {}, [](const ExcludedStretch& stretch) { return stretch.last - stretch.first; });
    const auto fastest =
        std::ranges::max_element(found.observed, {}, [](double rate) { return std::abs(rate); });
    const auto at = static_cast<std::size_t>(fastest - found.observed.begin());
    return {.first = at, .last = at};
}

/// Least and greatest of a column's values.
struct Span {
    double low = 0.0;
    double high = 0.0;

    Span(const std::vector<double>& values, std::size_t first, std::size_t last) {
        const auto [least, greatest] =
            std::ranges::minmax_element(values.begin() + static_cast<std::ptrdiff_t>(first),
                                        values.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        low = *least;
        high = *greatest;
    }

    /// The middle of a window of `size` that holds this with room on both sides, as near to `wanted` as it
    /// can.
    [[nodiscard]] double middle_near(double wanted, double size) const {
        const double room = 0.45 * size - 0.5 * (high - low), middle = 0.5 * (low + high);
        return std::clamp(wanted, middle - std::max(0.0, room), middle + std::max(0.0, room));
    }
};

/// About the stretch, with as much as there is of the river before and after it.
Window window_of(const RiverValidation& found, const Box& box) {
    const ExcludedStretch stretch = shown_stretch(found);
    const auto beside = static_cast<std::size_t>(kLeastHeight * found.width / found.distance[1]);
    const std::size_t first = stretch.first - std::min(stretch.first, beside);
    const std::size_t last = std::min(stretch.last + beside, found.distance.size() - 1);
    const Span x(found.before.x, stretch.first, stretch.last), y(found.before.y, stretch.first, stretch.last);
    const Span around_x(found.before.x, first, last), around_y(found.before.y, first, last);
    const double height = std::max({kLeastHeight * found.width, kRoomAbout * (y.high - y.low),
                                    kRoomAbout * (x.high - x.low) * box.height / box.width});
    const double width = height * box.width / box.height;
    return {.x = x.middle_near(0.5 * (around_x.low + around_x.high), width),
            .y = y.middle_near(0.5 * (around_y.low + around_y.high), height),
            .scale = box.height / height,
            .box = box};
}

void draw_line(Canvas& canvas, const Window& window, const ChannelLine& line, std::size_t first,
               std::size_t last, double width, Colour colour) {
    CanvasLine drawn;
    for (std::size_t i = first; i <= last; ++i) {
        drawn.points.push_back(window.place_of(line.x[i], line.y[i]));
        drawn.widths.push_back(width);
    }
    canvas.draw(drawn, colour);
}

bool is_inside(const Window& window, CanvasPoint place) {
    const Box& box = window.box;
    return place.x >= box.x && place.x <= box.x + box.width && place.y >= box.y &&
           place.y <= box.y + box.height;
}

/// From the earlier line to where it went, every half width of what is compared.
void draw_matches(Canvas& canvas, const Window& window, const RiverValidation& found, double width) {
    const auto every =
        std::max<std::size_t>(1, static_cast<std::size_t>(0.5 * found.width / found.distance[1]));
    for (std::size_t i = 0; i < found.match.size(); i += every) {
        if (found.is_used[i] == 0) continue;
        const auto at = static_cast<std::size_t>(found.match[i]);
        draw_straight(canvas, window.place_of(found.before.x[i], found.before.y[i]),
                      window.place_of(found.after.x[at], found.after.y[at]), width, kMatch);
    }
}

/// Places along the earlier line, in round kilometres.
void draw_kilometres(Canvas& canvas, const Window& window, const RiverValidation& found, double unit) {
    double seen = 0.0;  // m of the line on the map
    for (std::size_t i = 0; i < found.distance.size(); ++i)
        if (is_inside(window, window.place_of(found.before.x[i], found.before.y[i])))
            seen += found.distance[1];
    const double step = round_number_below(std::max(seen / kTicksPerMap, found.width));
    const TextStyle style{.size = 1.8 * unit, .colour = kInk};
    double next = step;
    for (std::size_t i = 0; i < found.distance.size(); ++i) {
        if (found.distance[i] < next) continue;
        next += step;
        const CanvasPoint place = window.place_of(found.before.x[i], found.before.y[i]);
        if (!is_inside(window, place)) continue;
        draw_straight(canvas, place, place, 1.1 * unit, kInk);
        canvas.write(number_in_words(std::round(found.distance[i] / step) * step / 1000.0),
                     {place.x + 0.9 * unit, place.y - 0.6 * unit}, style);
    }
}

void draw_scale_bar(Canvas& canvas, const Window& window, double unit) {
    const double metres = round_number_below(0.22 * window.box.width / window.scale);
    const double length = metres * window.scale;
    const CanvasPoint right{window.box.x + window.box.width - 2.0 * unit,
                            window.box.y + window.box.height - 2.0 * unit};
    const CanvasPoint left{right.x - length, right.y};
    canvas.fill({left.x - unit, left.y - 3.6 * unit, length + 2.0 * unit, 4.6 * unit}, kMapGround);
    draw_straight(canvas, left, right, 0.4 * unit, kInk);
    canvas.write(distance_in_words(metres), {0.5 * (left.x + right.x), left.y - unit},
                 {.size = 1.9 * unit, .colour = kInk, .anchor = Anchor::Middle});
}

void draw_legend(Canvas& canvas, CanvasPoint left, double unit) {
    const TextStyle style{.size = 2.1 * unit, .colour = kInk};
    const auto entry = [&](const char* text, Colour colour, double width) {
        draw_straight(canvas, {left.x, left.y - 0.36 * style.size},
                      {left.x + 4.0 * unit, left.y - 0.36 * style.size}, width, colour);
        canvas.write(text, {left.x + 5.0 * unit, left.y}, style);
        left.x += 8.0 * unit + canvas.text_width(text, style);
    };
    entry("earlier line", kEarlierLine, 0.45 * unit);
    entry("later line", kLaterLine, 0.45 * unit);
    entry("excluded", kExcludedLine, 0.8 * unit);
    entry("match", kMatch, 0.3 * unit);
}

}  // namespace

void draw_river_stretch(Canvas& canvas, const Box& box, const RiverValidation& found, double unit) {
    const Box map{box.x + unit, box.y + kTitle * unit, box.width - 3.0 * unit,
                  box.height - (kTitle + kBelowMap) * unit};
    const Window window = window_of(found, map);
    canvas.write(
        found.excluded.empty() ? "Where the river moved fastest" : "About the longest excluded stretch",
        {map.x, box.y + 4.2 * unit}, {.size = 2.9 * unit, .colour = kInk, .bold = true});
    canvas.fill(map, kMapGround);
    canvas.clip(map);
    draw_matches(canvas, window, found, 0.16 * unit);
    draw_line(canvas, window, found.before, 0, found.before.size() - 1, 0.45 * unit, kEarlierLine);
    for (const ExcludedStretch& stretch : found.excluded)
        draw_line(canvas, window, found.before, stretch.first, stretch.last, 0.8 * unit, kExcludedLine);
    draw_line(canvas, window, found.after, 0, found.after.size() - 1, 0.45 * unit, kLaterLine);
    draw_kilometres(canvas, window, found, unit);
    draw_scale_bar(canvas, window, unit);
    canvas.unclip();
    canvas.outline(map, kFaintInk, 0.12 * unit);
    draw_legend(canvas, {map.x, map.y + map.height + 4.0 * unit}, unit);
}

}  // namespace thalweg
