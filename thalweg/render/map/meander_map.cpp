#include "thalweg/render/meander_map.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/render/colour_map.hpp"
#include "thalweg/render/drawing/canvas.hpp"
#include "thalweg/render/drawing/legend.hpp"
#include "thalweg/render/map/belt_paint.hpp"
#include "thalweg/render/map/map_sheet.hpp"
#include "thalweg/render/shading/relief.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kThinnestChannel = 1.5;  // pixels
constexpr double kThinnestLake = 0.7;
constexpr double kBank = 1.6;  // pixels, of both banks together

/// Where the picture's pixels lie, with or without a sheet around them.
MapSheet sheet_of(const Grid& grid, const MeanderMapStyle& style) {
    check_grid(grid);
    if (style.legend || !style.title.empty())
        return lay_out_map(grid, style.size, !style.title.empty(), style.legend);
    MapSheet sheet;
    sheet.unit = style.size / 100.0;
    const double scale = style.size / std::max(grid.width(), grid.height());
    sheet.width = std::max(1, static_cast<int>(std::lround(grid.width() * scale)));
    sheet.height = std::max(1, static_cast<int>(std::lround(grid.height() * scale)));
    sheet.map = {0.0, 0.0, static_cast<double>(sheet.width), static_cast<double>(sheet.height)};
    sheet.pixels = grid;
    sheet.pixels.columns = sheet.width;
    sheet.pixels.rows = sheet.height;
    sheet.pixels.cell_size = std::max(grid.width() / sheet.width, grid.height() / sheet.height);
    return sheet;
}

/// Adds a point, and as many before it as a width that changes needs to do so smoothly.
void add_tapering(CanvasLine& line, CanvasPoint point, double width) {
    constexpr double kStep = 0.4;  // pixels of width
    if (!line.points.empty()) {
        const CanvasPoint from = line.points.back();
        const double width_from = line.widths.back();
        const int steps = static_cast<int>(std::abs(width - width_from) / kStep);
        for (int i = 1; i <= steps; ++i) {
            const double share = i / (steps + 1.0);
            line.points.push_back({from.x + share * (point.x - from.x), from.y + share * (point.y - from.y)});
            line.widths.push_back(width_from + share * (width - width_from));
        }
    }
    line.points.push_back(point);
    line.widths.push_back(width);
}

const MeanderMapStyle& checked(const MeanderMapStyle& style) {
    for (const Parameter& parameter : parameters_of<MeanderMapStyle>().parameters())
        std::ignore = parameter.checked(parameter.get(&style));
    return style;
}

double span_of(const MeanderHistory& history) {
    return history.networks.empty() ? 0.0 : history.networks.back().year - history.networks.front().year;
}

/// Round numbers of years on the bar, which is not even.
ColourBar age_bar(const BeltColours& colours) {
    ColourBar bar;
    bar.title = "Years since the river left";
    bar.colour = [colours](double place) { return colours.at(colours.age_at(place)); };
    for (const double age : {0.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0, 10000.0})
        if (age <= colours.oldest()) bar.ticks.push_back({colours.place(age), number_in_words(age)});
    return bar;
}

}  // namespace

struct MeanderMap::Parts {
    const MeanderHistory* history;
    MeanderMapStyle style;
    MapSheet sheet;
    BeltColours colours;
    Field<Colour> ground;                                    // sRGB, by pixel
    ChannelYears years;                                      // on cells of half a pixel
    double year = -std::numeric_limits<double>::infinity();  // of the last picture

    Parts(const MeanderHistory& of, const Grid& grid, const MeanderMapStyle& how)
        : history(&of),
          style(how),
          sheet(sheet_of(grid, how)),
          colours(how.colours, how.oldest > 0.0 ? how.oldest : span_of(of)),
          years(of, half_pixels(sheet.pixels)) {}

    [[nodiscard]] CanvasPoint on_canvas(double x, double y) const {
        return {sheet.map.x + sheet.pixels.column_at(x) + 0.5, sheet.map.y + sheet.pixels.row_at(y) + 0.5};
    }

    /// Whether no channel has been at a place since the year in which it was left.
    [[nodiscard]] bool is_left(double x, double y, double left) const {
        constexpr float kSameYear = 0.01F;  // yr
        const Grid& grid = years.last().grid();
        const auto column = static_cast<std::int64_t>(std::lround(grid.column_at(x)));
        const auto row = static_cast<std::int64_t>(std::lround(grid.row_at(y)));
        if (column < 0 || row < 0 || column >= grid.columns || row >= grid.rows) return false;
        return !(years.last()(static_cast<int>(column), static_cast<int>(row)) >
                 static_cast<float>(left) + kSameYear);
    }

    void draw_lake(Canvas& canvas, const AbandonedCourse& course, double age) const {
        const std::optional<ChannelLine> water = oxbow_water(course, age, style.maps);
        if (!water) return;
        const double full = *std::ranges::max_element(course.line.values.depth);
        const double left = *std::ranges::max_element(water->values.depth) / full;
        const Colour colour = colours.lake(left);
        CanvasLine line;
        for (std::size_t i = 0; i < water->size(); ++i) {
            const double width = std::max(kThinnestLake, water->values.width[i] / sheet.pixels.cell_size);
            if (is_left(water->x[i], water->y[i], course.year)) {
                add_tapering(line, on_canvas(water->x[i], water->y[i]), width);
            } else if (!line.points.empty()) {
                canvas.draw(line, colour);
                line = {};
            }
        }
        canvas.draw(line, colour);
    }

    void draw_channels(Canvas& canvas, const RecordedNetwork& network) const {
        std::vector<CanvasLine> lines;
        for (const RecordedChannel& channel : network.channels) {
            CanvasLine& line = lines.emplace_back();
            for (std::size_t i = 0; i < channel.x.size(); ++i) {
                line.points.push_back(
                    on_canvas(history->origin_x + channel.x[i], history->origin_y + channel.y[i]));
                line.widths.push_back(std::max(kThinnestChannel, channel.width[i] / sheet.pixels.cell_size));
            }
        }
        for (const CanvasLine& line : lines) canvas.draw(line, colours.bank());
        for (CanvasLine& line : lines) {
            for (double& width : line.widths) width = std::max(kThinnestChannel, width - kBank);
            canvas.draw(line, colours.water());
        }
    }
};

MeanderMap::MeanderMap(const MeanderHistory& history, const Grid& grid, const MeanderMapStyle& style)
    : parts_(std::make_unique<Parts>(history, grid, checked(style))) {
    parts_->ground =
        parts_->colours.ground(parts_->sheet.pixels, style.elevation, style.sea_level, style.shading);
}

MeanderMap::~MeanderMap() = default;

void MeanderMap::set_title(std::string title) {
    parts_->style.title = std::move(title);
}

Image MeanderMap::draw(double year, Progress& progress) {
    if (year < parts_->year)
        throw Error::input(fmt::format(
            "year {} lies before year {}, which has been drawn: years never go back", year, parts_->year));
    parts_->year = year;
    progress.report(0.0, "drawing the rivers");
    const Parts& parts = *parts_;
    parts_->years.advance(year, progress);
    const auto next = std::ranges::upper_bound(parts.history->networks, year, {}, &RecordedNetwork::year);
    const RecordedNetwork none;
    const RecordedNetwork& network = next == parts.history->networks.begin() ? none : *(next - 1);
    Canvas canvas(parts.sheet.width, parts.sheet.height, kPaper);
    paint_belt(canvas, parts.sheet.map,
               {.years = parts.years.last(),
                .now = network.year,
                .colours = parts.colours,
                .ground = parts.ground,
                .scroll_period = parts.style.maps.scroll_period,
                .shading = parts.style.shading});
    progress.poll();
    canvas.clip(parts.sheet.map);
    for (const AbandonedCourse& course : parts.history->courses)
        if (course.year <= network.year) parts.draw_lake(canvas, course, network.year - course.year);
    parts.draw_channels(canvas, network);
    canvas.unclip();
    if (parts.style.legend || !parts.style.title.empty())
        draw_furniture(canvas, parts.sheet, parts.style.title, age_bar(parts.colours));
    progress.report(1.0, "rivers drawn");
    return canvas.image();
}

Image draw_meander_map(const MeanderHistory& history, const Grid& grid, const MeanderMapStyle& style,
                       Progress& progress, std::optional<double> year) {
    return MeanderMap(history, grid, style)
        .draw(year.value_or(std::numeric_limits<double>::infinity()), progress);
}

void MeanderMapStyle::declare(Declaration<MeanderMapStyle>& d) {
    d.integer("size", &MeanderMapStyle::size,
              {.unit = "pixels", .sentence = "Longer side of the picture.", .minimum = 64, .maximum = 16384});
    d.choice("colours", &MeanderMapStyle::colours,
             {{"natural", MeanderColours::Natural, "Sand that grows over, as from the air."},
              {"ages", MeanderColours::Ages, "Pale to dark by age, as lidar shows flood plains."}},
             {.unit = "", .sentence = "Colours of what rivers have left: natural, or by ages."});
    d.number("oldest", &MeanderMapStyle::oldest,
             {.unit = "yr",
              .sentence = "Age at which colours end; 0: all years that are recorded.",
              .minimum = 0.0,
              .maximum = 1e6,
              .automatic = 0.0});
    d.number("shading", &MeanderMapStyle::shading,
             {.unit = "1",
              .sentence = "Strength of the shading of scroll bars and banks, 0 for flat colours.",
              .minimum = 0.0,
              .maximum = 2.0});
    d.boolean("legend", &MeanderMapStyle::legend,
              {.unit = "", .sentence = "Whether scale bar and legend are drawn."});
    d.text("title", &MeanderMapStyle::title, {.unit = "", .sentence = "Words above the map."});
}

}  // namespace thalweg
