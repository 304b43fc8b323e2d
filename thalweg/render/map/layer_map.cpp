#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/render/drawing/legend.hpp"
#include "thalweg/render/map.hpp"
#include "thalweg/render/map/lake_paint.hpp"
#include "thalweg/render/map/map_sheet.hpp"
#include "thalweg/render/shading/relief.hpp"
#include "thalweg/render/value_range.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr int kMostTicks = 6;
constexpr int kMostSwatches = 16;      // patches that fit side by side with their labels
constexpr double kShallowest = 0.2;    // place of the shore on the colours of water, to stand out from land
constexpr double kReliefShare = 0.75;  // of the shading of a terrain map, so that colours stay readable

bool whole_numbers(LayerScale kind) {
    return kind == LayerScale::Steps || kind == LayerScale::Categories;
}

/// A layer's values to colours, and the bar that explains them.
class LayerColours {
  public:
    LayerColours(const Field<float>& values, LayerStyle style)
        : style_(std::move(style)),
          map_(colour_map(style_.colours)),
          range_(style_.range ? *style_.range : layer_range(values, style_)),
          logarithmic_(style_.kind == LayerScale::Logarithmic && range_.low > 0.0),
          steps_(static_cast<int>(std::min(range_.high - range_.low + 1.0, 1e9))) {
        if (style_.kind != LayerScale::Categories) return;
        for (const float value : values) {
            if (shows(value)) ids_.insert(std::llround(value));
            if (style_.categories.empty() && !are_few_ids()) break;
        }
    }

    /// Whether the value is drawn at all.
    [[nodiscard]] bool shows(float value) const {
        return !is_no_data(value) && !(style_.kind == LayerScale::Categories && value <= 0.0F);
    }

    [[nodiscard]] Colour at(float value) const {
        if (style_.kind == LayerScale::Categories) return colour_of(std::llround(value));
        if (style_.kind == LayerScale::Depth) return at_place(range_.place(value));
        if (logarithmic_) return map_.at(value > 0.0F ? log_range().place(std::log10(double{value})) : 0.0);
        return map_.at(style_.kind == LayerScale::Steps ? step_place(value) : range_.place(value));
    }

    [[nodiscard]] ColourBar bar() const {
        ColourBar bar;
        bar.title = style_.unit.size() > 1 || (!style_.unit.empty() && style_.unit != "1")
                        ? fmt::format("{} ({})", title(), unit_in_print(style_.unit))
                        : title();
        if (!style_.categories.empty() || (!ids_.empty() && are_few_ids())) {
            add_categories(bar);
        } else if (style_.kind == LayerScale::Categories) {
            bar.swatches = std::clamp(steps_, 1, kMostSwatches);
            bar.colour = [n = bar.swatches](double place) {
                return category_colour(1 + static_cast<std::int64_t>(place * n));
            };
        } else if (style_.kind == LayerScale::Steps && steps_ <= kMostSwatches) {
            bar.swatches = steps_;
            bar.colour = [this](double place) {
                return at(static_cast<float>(range_.low + std::floor(place * steps_)));
            };
            for (int i = 0; i < steps_; ++i)
                bar.ticks.push_back({(i + 0.5) / steps_, number_in_words(range_.low + i)});
        } else {
            bar.colour = [this](double place) { return at_place(place); };
            bar.ticks = logarithmic_ ? log_ticks() : even_ticks();
        }
        return bar;
    }

  private:
    [[nodiscard]] bool has_name(std::int64_t id) const {
        return static_cast<std::size_t>(id - 1) < style_.categories.size();
    }

    [[nodiscard]] Colour colour_of(std::int64_t id) const {
        return has_name(id) ? style_.categories[static_cast<std::size_t>(id - 1)].colour
                            : category_colour(id);
    }

    [[nodiscard]] std::string name_of(std::int64_t id) const {
        return has_name(id) ? style_.categories[static_cast<std::size_t>(id - 1)].name
                            : fmt::format("{}", id);
    }

    [[nodiscard]] bool are_few_ids() const { return ids_.size() <= std::size_t{kMostSwatches}; }

    /// Patches with names or numbers, of the categories that there are.
    void add_categories(ColourBar& bar) const {
        std::vector<Category> present;
        for (const std::int64_t id : ids_) present.push_back({name_of(id), colour_of(id)});
        const std::size_t count = std::max<std::size_t>(1, present.size());
        for (std::size_t i = 0; i < present.size(); ++i)
            bar.ticks.push_back(
                {(static_cast<double>(i) + 0.5) / static_cast<double>(count), present[i].name});
        bar.swatches = static_cast<int>(count);
        bar.colour = [present, count](double place) {
            const auto i = std::min(count - 1, static_cast<std::size_t>(place * static_cast<double>(count)));
            return i < present.size() ? present[i].colour : Colour{};
        };
    }

    [[nodiscard]] Colour at_place(double place) const {
        return map_.at(style_.kind == LayerScale::Depth ? kShallowest + (1.0 - kShallowest) * place : place);
    }

    [[nodiscard]] ValueRange log_range() const { return {std::log10(range_.low), std::log10(range_.high)}; }

    /// Darkest and lightest ends are left for the least and the greatest step.
    [[nodiscard]] double step_place(double value) const {
        return steps_ > 1 ? (value - range_.low) / (steps_ - 1) : 0.5;
    }

    [[nodiscard]] std::string title() const {
        std::string words = style_.name == "strahler" ? "strahler_order" : style_.name;
        std::replace(words.begin(), words.end(), '_', ' ');
        if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
            words[0] = static_cast<char>(words[0] - 'a' + 'A');
        return words;
    }

    /// "m^2" as "m²"; other powers stay as they are written.
    static std::string unit_in_print(std::string unit) {
        for (const auto& [plain, printed] : {std::pair{"^2", "²"}, std::pair{"^3", "³"}})
            for (std::size_t at = unit.find(plain); at != std::string::npos; at = unit.find(plain))
                unit.replace(at, 2, printed);
        return unit;
    }

    [[nodiscard]] std::vector<BarTick> even_ticks() const {
        std::vector<BarTick> ticks;
        for (const double tick : linear_ticks(range_.low, range_.high, kMostTicks))
            ticks.push_back({range_.place(tick), number_in_words(tick)});
        return ticks;
    }

    [[nodiscard]] std::vector<BarTick> log_ticks() const {
        std::vector<BarTick> ticks;
        for (const double tick : logarithmic_ticks(range_.low, range_.high, kMostTicks))
            ticks.push_back({log_range().place(std::log10(tick)), number_in_words(tick)});
        return ticks;
    }

    LayerStyle style_;
    const ColourMap& map_;
    ValueRange range_;
    bool logarithmic_;
    int steps_;
    std::set<std::int64_t> ids_;  // of categories that there are; without names no more than too many
};

/// The cell of `grid` nearest to each pixel: whole numbers must not be averaged.
Field<float> nearest(const Field<float>& values, const Grid& pixels) {
    const Grid& grid = values.grid();
    Field<float> result(pixels);
    for_each_row(pixels, [&](int row) {
        const int from_row =
            std::clamp(static_cast<int>(std::lround(grid.row_at(pixels.y(row)))), 0, grid.rows - 1);
        for (int column = 0; column < pixels.columns; ++column) {
            const int from = static_cast<int>(std::lround(grid.column_at(pixels.x(column))));
            result(column, row) = values(std::clamp(from, 0, grid.columns - 1), from_row);
        }
    });
    return result;
}

/// Light on the layer's pixels: that of the `terrain` there, even where it is empty.
Field<float> layer_light(const Field<float>& terrain, const Grid& pixels, const MapParameters& parameters,
                         const Progress& progress) {
    if (terrain.empty()) return Field<float>(pixels, 1.0F);
    return relief_light(terrain, {parameters.sun_azimuth, parameters.sun_altitude},
                        exaggeration_of(terrain, pixels, parameters), progress);
}

void paint_layer(Canvas& canvas, const MapSheet& sheet, const Field<float>& values,
                 const LayerColours& colours, const Field<float>& light, double shading) {
    const float strength = static_cast<float>(kReliefShare * shading);
    const int left = static_cast<int>(sheet.map.x);
    const int top = static_cast<int>(sheet.map.y);
    for_each_row(values.grid(), [&](int row) {
        for (int column = 0; column < values.columns(); ++column) {
            const float shade = light(column, row);
            const bool shown = colours.shows(values(column, row));
            if (!shown && is_no_data(shade)) continue;
            const Colour tint = shown ? colours.at(values(column, row)) : kPaper;
            canvas.set_pixel(left + column, top + row, is_no_data(shade) ? tint : lit(tint, shade, strength));
        }
    });
}

}  // namespace

LayerStyle layer_style(const std::string& name, const std::string& unit) {
    struct Look {
        LayerScale kind;
        Scale colours;
    };
    static const std::map<std::string, Look> looks = {
        {"elevation", {LayerScale::Linear, Scale::Cividis}},
        {"uplift", {LayerScale::Linear, Scale::Magma}},
        {"slope", {LayerScale::Linear, Scale::Magma}},
        {"formation", {LayerScale::Categories, Scale::Viridis}},
        {"wear", {LayerScale::Linear, Scale::Magma}},
        {"stream_power", {LayerScale::Logarithmic, Scale::Magma}},
        {"drainage_area", {LayerScale::Logarithmic, Scale::Water}},
        {"discharge", {LayerScale::Logarithmic, Scale::Water}},
        {"water_depth", {LayerScale::Depth, Scale::Water}},
        {"precipitation_factor", {LayerScale::Linear, Scale::Water}},
        {"deposit", {LayerScale::Linear, Scale::Viridis}},
        {"sediment", {LayerScale::Linear, Scale::Viridis}},
        {"soil", {LayerScale::Linear, Scale::Viridis}},
        {"pigment", {LayerScale::Linear, Scale::Cividis}},
        {"floor", {LayerScale::Linear, Scale::Water}},
        {"moisture", {LayerScale::Linear, Scale::Water}},
        {"ridge", {LayerScale::Linear, Scale::Cividis}},
        {"valley", {LayerScale::Linear, Scale::Water}},
        {"ksn", {LayerScale::Linear, Scale::Magma}},
        {"height_above_drainage", {LayerScale::Linear, Scale::Cividis}},
        {"wetness_index", {LayerScale::Linear, Scale::Water}},
        {"curvature", {LayerScale::Signed, Scale::Vik}},
        {"profile_curvature", {LayerScale::Signed, Scale::Vik}},
        {"tangential_curvature", {LayerScale::Signed, Scale::Vik}},
        {"strahler", {LayerScale::Steps, Scale::Water}},
        {"basin", {LayerScale::Categories, Scale::Viridis}},
        {"receiver", {LayerScale::Categories, Scale::Viridis}},
        {"lake", {LayerScale::Categories, Scale::Viridis}},
    };
    const auto found = looks.find(name);
    const Look look = found == looks.end() ? Look{LayerScale::Linear, Scale::Viridis} : found->second;
    return {.name = name, .unit = unit, .kind = look.kind, .colours = look.colours};
}

ValueRange layer_range(const Field<float>& values, const LayerStyle& style) {
    ValueRange range = value_range(values, style.name);
    if (style.kind == LayerScale::Signed) {
        const double magnitude = std::max(std::abs(range.low), std::abs(range.high));
        return {-magnitude, magnitude};
    }
    if (style.kind == LayerScale::Depth) return {0.0, range.high};
    if (style.kind == LayerScale::Logarithmic) {
        double least = range.high;
        for (const float value : values)
            if (value > 0.0F) least = std::min(least, double{value});
        constexpr double kLeastShare = 1e-7;  // of the greatest: less than a cell of most rasters (empirical)
        range.low = std::max(least, kLeastShare * range.high);
    }
    return range;
}

Image draw_layer_map(const Field<float>& values, const Field<float>* relief, const LayerStyle& style,
                     const MapParameters& parameters, Progress& progress) {
    const LayerColours colours(values, style);
    const MapSheet sheet =
        lay_out_map(values.grid(), parameters.size, !parameters.title.empty(), parameters.legend);
    Canvas canvas(sheet.width, sheet.height, kPaper);
    progress.report(0.0, "drawing the layer");
    const Field<float> terrain =
        relief == nullptr ? Field<float>() : resample(*relief, sheet.pixels, Interpolation::Bicubic);
    const Field<float> light = layer_light(terrain, sheet.pixels, parameters, progress);
    progress.report(0.8, "painting the layer");
    if (style.kind == LayerScale::Depth) {
        paint_lakes(canvas, sheet,
                    {.depth = values,
                     .land = terrain,
                     .light = light,
                     .water = [&](double depth) { return colours.at(static_cast<float>(depth)); },
                     .tint = parameters.tint,
                     .shading = parameters.shading});
    } else {
        const Field<float> shown = whole_numbers(style.kind)
                                       ? nearest(values, sheet.pixels)
                                       : resample(values, sheet.pixels, Interpolation::Bilinear);
        paint_layer(canvas, sheet, shown, colours, light, parameters.shading);
    }
    draw_furniture(canvas, sheet, parameters.title, colours.bar());
    progress.report(1.0, "layer drawn");
    return canvas.image();
}

}  // namespace thalweg
