#include "thalweg/render/map.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/render/drawing/legend.hpp"
#include "thalweg/render/drawing/river_lines.hpp"
#include "thalweg/render/map/map_sheet.hpp"
#include "thalweg/render/shading/cover_colours.hpp"
#include "thalweg/render/shading/relief.hpp"
#include "thalweg/render/value_range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace thalweg {
namespace {

constexpr Colour kRiver = srgb(0x2F6C96);
constexpr double kNoSea = -std::numeric_limits<double>::infinity();
constexpr int kMostTicks = 6;
constexpr double kWidestRiver = 0.42;  // units: hundredths of the picture's longer side; empirical
constexpr double kThinnestRiver = 0.055;
constexpr double kLeastUnit = 4.5;      // pixels: rivers on small pictures do not get thinner
constexpr double kWidthExponent = 0.5;  // width by discharge (Leopold and Maddock 1953)

/// Elevation to tint, with water below the sea level where the map has a sea.
class HeightTint {
  public:
    HeightTint(ValueRange range, const MapParameters& parameters)
        : range_(range),
          land_(land_tint(parameters.tint)),
          sea_level_(range.low < parameters.sea_level ? parameters.sea_level : kNoSea) {
        land_low_ = std::max(range.low, sea_level_);
        land_high_ = std::max(range.high, land_low_);
    }

    [[nodiscard]] bool is_sea(double elevation) const { return elevation < sea_level_; }

    /// Tint of a pixel across which the elevation changes by `rise`: a coast within it is blended. Land is
    /// that of its height, or of its `cover`.
    [[nodiscard]] Colour across(double elevation, double rise, std::optional<Colour> cover) const {
        if (!(std::abs(elevation - sea_level_) < 0.5 * rise))
            return cover && !is_sea(elevation) ? *cover : at(elevation);
        const double land = 0.5 + (elevation - sea_level_) / rise;
        return mix(sea_tint().at(0.0), cover.value_or(land_.at(0.0)), static_cast<float>(land));
    }

    [[nodiscard]] Colour at(double elevation) const {
        if (is_sea(elevation)) return sea_tint().at((elevation - sea_level_) / (range_.low - sea_level_));
        const double span = land_high_ - land_low_;
        return land_.at(span > 0.0 ? (elevation - land_low_) / span : 0.5);
    }

  private:
    ValueRange range_;
    const ColourMap& land_;
    double sea_level_;  // m, or kNoSea
    double land_low_ = 0.0;
    double land_high_ = 0.0;
};

/// sRGB of a natural albedo on a map.
Colour on_paper(Colour albedo) {
    constexpr float kBrightness = 1.9F;  // empirical
    const auto shown = [](float light) { return 1.0F - std::exp(-kBrightness * light); };
    return to_srgb({shown(albedo.red), shown(albedo.green), shown(albedo.blue)});
}

/// How much the elevation changes from one side of a pixel to the other, m.
double rise_across(const Field<float>& elevation, int column, int row) {
    const auto step = [&](int i, int j) {
        const float z = elevation(std::clamp(column + i, 0, elevation.columns() - 1),
                                  std::clamp(row + j, 0, elevation.rows() - 1));
        return is_no_data(z) ? 0.0 : std::abs(double{z} - elevation(column, row));
    };
    return std::max(std::max(step(-1, 0), step(1, 0)), std::max(step(0, -1), step(0, 1)));
}

/// Water on the pixels of a map; empty where there is none.
struct MapWater {
    Field<float> wet;    // share of a pixel
    Field<float> depth;  // m, mean over all of it

    MapWater(const Field<float>* given, const Grid& pixels) {
        if (given == nullptr) return;
        Field<float> is_wet(given->grid());
        for (std::int64_t cell = 0; cell < is_wet.size(); ++cell)
            is_wet[cell] = (*given)[cell] > 0.0F ? 1.0F : 0.0F;
        wet = resample(is_wet, pixels);
        depth = resample(*given, pixels);
    }

    [[nodiscard]] float share(int column, int row) const {
        return wet.empty() || is_no_data(wet(column, row)) ? 0.0F : wet(column, row);
    }
    [[nodiscard]] Colour colour(int column, int row) const {
        constexpr Colour kShallow = srgb(0x8DBBD8);
        constexpr float kDeep = 1.5F;  // m, from which it is as dark as lines of rivers
        const float metres = depth(column, row) / std::max(wet(column, row), 1e-3F);
        return mix(kShallow, kRiver, std::clamp(metres / kDeep, 0.0F, 1.0F));
    }
};

/// `covers`: tint of land, sRGB; empty: by height.
void paint_terrain(Canvas& canvas, const MapSheet& sheet, const Field<float>& elevation,
                   const Field<float>& light, const HeightTint& tint, const Field<Colour>& covers,
                   const MapWater& water, double shading) {
    constexpr float kSeaShading = 0.25F;  // under water, forms are faint
    const int left = static_cast<int>(sheet.map.x);
    const int top = static_cast<int>(sheet.map.y);
    for_each_row(elevation.grid(), [&](int row) {
        for (int column = 0; column < elevation.columns(); ++column) {
            const float z = elevation(column, row);
            if (is_no_data(z)) continue;
            const float wet = water.share(column, row);
            const float strength = static_cast<float>(shading) *
                                   (tint.is_sea(z) ? kSeaShading : 1.0F - (1.0F - kSeaShading) * wet);
            const std::optional<Colour> cover =
                covers.empty() ? std::nullopt : std::optional(covers(column, row));
            Colour colour = tint.across(z, rise_across(elevation, column, row), cover);
            if (wet > 0.0F) colour = mix(colour, water.colour(column, row), wet);
            canvas.set_pixel(left + column, top + row, lit(colour, light(column, row), strength));
        }
    });
}

void draw_rivers(Canvas& canvas, const MapSheet& sheet, const RiverNetwork& rivers) {
    const double greatest = greatest_flow(rivers);
    if (!(greatest > 0.0)) return;
    const double unit = std::max(sheet.unit, kLeastUnit);
    const double widest =
        kWidestRiver * unit * river_prominence(rivers, sheet.pixels.width() * sheet.pixels.height());
    canvas.clip(sheet.map);
    for (const PaintedRiver& river : river_lines(rivers)) {
        poll_cancelled();
        CanvasLine line;
        for (std::size_t i = 0; i < river.points.size(); ++i) {
            line.points.push_back({sheet.map.x + sheet.pixels.column_at(river.points[i].x) + 0.5,
                                   sheet.map.y + sheet.pixels.row_at(river.points[i].y) + 0.5});
            const double share = std::pow(river.flow[i] / greatest, kWidthExponent);
            line.widths.push_back(std::max(kThinnestRiver * unit, widest * share));
        }
        canvas.draw(line, kRiver);
    }
    canvas.unclip();
}

ColourBar height_bar(const HeightTint& tint, ValueRange range) {
    ColourBar bar;
    bar.title = "Elevation (m)";
    bar.colour = [tint, range](double place) { return tint.at(range.at(place)); };
    for (const double tick : linear_ticks(range.low, range.high, kMostTicks))
        bar.ticks.push_back({range.place(tick), number_in_words(tick)});
    return bar;
}

/// What covers the land, as a map shows it: brighter than it is, since paper does not glow.
Field<Colour> covers_on_paper(const LandLayers& land, const Field<float>& terrain, double sea_level,
                              const Progress& progress) {
    if (land.empty()) return {};
    Field<Colour> colours = cover_colours(land, terrain, sea_level, progress);
    for_each_row(colours.grid(), [&](int row) {
        for (int column = 0; column < colours.columns(); ++column)
            colours(column, row) = on_paper(colours(column, row));
    });
    return colours;
}

ColourBar cover_bar(const LandLayers& land) {
    const std::vector<Category> covers = cover_legend(land);
    ColourBar bar;
    bar.title = "Ground";
    bar.swatches = static_cast<int>(covers.size());
    const double count = std::max(1.0, static_cast<double>(covers.size()));
    for (std::size_t i = 0; i < covers.size(); ++i)
        bar.ticks.push_back({(static_cast<double>(i) + 0.5) / count, covers[i].name});
    bar.colour = [covers, count](double place) {
        const auto i = std::min(covers.size() - 1, static_cast<std::size_t>(place * count));
        return on_paper(to_linear(covers[i].colour));
    };
    return bar;
}

}  // namespace

void MapParameters::declare(Declaration<MapParameters>& d) {
    d.integer("size", &MapParameters::size,
              {.unit = "pixels", .sentence = "Longer side of the picture.", .minimum = 64, .maximum = 16384});
    d.choice("tint", &MapParameters::tint,
             {{"natural", LandTint::Natural}, {"dry", LandTint::Dry}, {"grey", LandTint::Grey}},
             {.unit = "", .sentence = "Colours of land by height."});
    d.number("sea_level", &MapParameters::sea_level,
             {.unit = "m",
              .sentence = "Ground below this height is drawn as sea; -inf is none.",
              .maximum = 1e5,
              .infinity_allowed = true});
    d.number("sun_azimuth", &MapParameters::sun_azimuth,
             {.unit = "degrees",
              .sentence = "Where the light comes from, clockwise from north.",
              .minimum = -360.0,
              .maximum = 360.0,
              .source = "north-west, the mapmaker's habit (Imhof 1982)"});
    d.number("sun_altitude", &MapParameters::sun_altitude,
             {.unit = "degrees",
              .sentence = "Height of the light above the horizontal.",
              .minimum = 5.0,
              .maximum = 90.0});
    d.number("exaggeration", &MapParameters::exaggeration,
             {.unit = "1",
              .sentence = "Factor on elevations for the shading; 0 chooses one that suits the terrain.",
              .minimum = 0.0,
              .maximum = 100.0});
    d.number("shading", &MapParameters::shading,
             {.unit = "1",
              .sentence = "Strength of the shading, 0 for flat colours.",
              .minimum = 0.0,
              .maximum = 2.0});
    d.boolean("rivers", &MapParameters::rivers, {.unit = "", .sentence = "Whether rivers are drawn."});
    d.boolean("legend", &MapParameters::legend,
              {.unit = "", .sentence = "Whether scale bar and legend are drawn."});
    d.text("title", &MapParameters::title, {.unit = "", .sentence = "Words above the map."});
}

Image draw_map(const Field<float>& elevation, const RiverNetwork* rivers, const MapParameters& parameters,
               Progress& progress, const LandLayers& land) {
    const ValueRange own_range = value_range(elevation, "elevation");
    const ValueRange range = parameters.scale ? parameters.scale->heights : own_range;
    const MapSheet sheet =
        lay_out_map(elevation.grid(), parameters.size, !parameters.title.empty(), parameters.legend);
    Canvas canvas(sheet.width, sheet.height, kPaper);
    progress.report(0.0, "drawing the map");
    const Field<float> terrain = resample(elevation, sheet.pixels, Interpolation::Bicubic);
    progress.report(0.2, "shading the map");
    const double exaggeration = exaggeration_of(terrain, sheet.pixels, parameters);
    const Field<float> light =
        relief_light(terrain, {parameters.sun_azimuth, parameters.sun_altitude}, exaggeration, progress);
    progress.report(0.8, "painting the map");
    const HeightTint tint(range, parameters);
    const Field<Colour> covers = covers_on_paper(land, terrain, parameters.sea_level, progress);
    const MapWater water(land.water_depth, sheet.pixels);
    paint_terrain(canvas, sheet, terrain, light, tint, covers, water, parameters.shading);
    if (rivers != nullptr && parameters.rivers && water.wet.empty()) draw_rivers(canvas, sheet, *rivers);
    draw_furniture(canvas, sheet, parameters.title,
                   cover_legend(land).empty() ? height_bar(tint, range) : cover_bar(land));
    progress.report(1.0, "map drawn");
    return canvas.image();
}

}  // namespace thalweg
