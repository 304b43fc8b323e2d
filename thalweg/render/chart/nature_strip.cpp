#include "thalweg/render/chart/nature_strip.hpp"

#include "thalweg/flow/natural_ranges.hpp"
#include "thalweg/render/chart/chart.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kMostZ = 6.0;       // farther values stand at the edge
constexpr double kNames = 0.5;       // of the strip's width
constexpr double kFamilyRows = 1.5;  // height of a family's name, of a row's

constexpr Colour kNatureBand = srgb(0xD5E0CB);
constexpr Colour kMiddleLine = srgb(0x9DAE90);
constexpr Colour kRowLine = srgb(0xEFEBE3);

/// Where rows and values of z stand.
struct Strip {
    Box plot;
    double unit = 0.0;  // pixels
    double row = 0.0;   // pixels

    [[nodiscard]] double x(double z) const {
        return plot.x + (std::clamp(z, -kMostZ, kMostZ) + kMostZ) / (2.0 * kMostZ) * plot.width;
    }
};

std::string with_spaces(std::string name) {
    std::ranges::replace(name, '_', ' ');
    return name;
}

int families() {
    int count = 0;
    const TerrainStatistic* last = nullptr;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        if (last == nullptr || last->family != statistic.family) ++count;
        last = &statistic;
    }
    return count;
}

/// The band, and the dots of those terrains that have a value and a range.
void draw_row(Canvas& canvas, const Strip& strip, double y, const TerrainStatistic& statistic,
              std::span<const DescribedTerrain> terrains) {
    const Box& plot = strip.plot;
    draw_straight(canvas, {plot.x, y}, {plot.x + plot.width, y}, 0.12 * strip.unit, kRowLine);
    if (const auto range = natural_range(statistic, terrains.front().description.grid.cell_size)) {
        const double left = strip.x(range->z_of(range->least));
        canvas.fill(
            {left, y - 0.36 * strip.row, strip.x(range->z_of(range->greatest)) - left, 0.72 * strip.row},
            kNatureBand);
        draw_straight(canvas, {strip.x(0.0), y - 0.36 * strip.row}, {strip.x(0.0), y + 0.36 * strip.row},
                      0.15 * strip.unit, kMiddleLine);
    }
    for (std::size_t i = 0; i < terrains.size(); ++i) {
        const TerrainDescription& terrain = terrains[i].description;
        const double value = terrain.statistics.*statistic.value;
        const auto range = natural_range(statistic, terrain.grid.cell_size);
        if (!range || std::isnan(value)) continue;
        const CanvasPoint place{strip.x(range->z_of(value)), y};
        draw_straight(canvas, place, place, 0.62 * strip.row, kPaper);
        draw_straight(canvas, place, place, 0.5 * strip.row, kSeriesColours[i]);
    }
}

void draw_z_axis(Canvas& canvas, const Strip& strip, double text) {
    const Box& plot = strip.plot;
    const double bottom = plot.y + plot.height;
    draw_straight(canvas, {plot.x, bottom}, {plot.x + plot.width, bottom}, 0.18 * strip.unit, kInk);
    const TextStyle style{.size = text, .colour = kInk, .anchor = Anchor::Middle};
    for (int z = -static_cast<int>(kMostZ); z <= static_cast<int>(kMostZ); z += 3) {
        draw_straight(canvas, {strip.x(z), bottom}, {strip.x(z), bottom + 0.8 * strip.unit},
                      0.12 * strip.unit, kInk);
        const char* const beyond = z <= -kMostZ ? "≤" : z >= kMostZ ? "≥" : "";
        canvas.write(fmt::format("{}{}{}", beyond, z < 0 ? "−" : "", std::abs(z)),
                     {strip.x(z), bottom + 0.8 * strip.unit + 1.15 * text}, style);
    }
    canvas.write("z, standard deviations from nature’s mean",
                 {plot.x + plot.width, bottom + 0.8 * strip.unit + 2.75 * text},
                 {.size = text, .colour = kInk, .anchor = Anchor::Right});
}

}  // namespace

void draw_nature_strip(Canvas& canvas, const Box& box, std::span<const DescribedTerrain> terrains,
                       double unit) {
    const double text = 2.1 * unit, name_text = 1.75 * unit;
    const char* const landscapes = natural_landscapes(terrains.front().description.grid.cell_size);
    canvas.write("Beside real landscapes", {box.x, box.y + 4.2 * unit},
                 {.size = 2.9 * unit, .colour = kInk, .bold = true});
    canvas.write(landscapes != nullptr ? fmt::format("bands: the range of {}", landscapes)
                                       : "none are known with cells beyond 150 m",
                 {box.x, box.y + 8.2 * unit}, {.size = text, .colour = kFaintInk});
    const double top = box.y + 9.5 * unit, bottom = box.y + box.height - 11.4 * unit;
    const double rows = static_cast<double>(terrain_statistics().size()) + kFamilyRows * families();
    const Strip strip{
        .plot = {box.x + kNames * box.width, top, (1.0 - kNames) * box.width - 3.0 * unit, bottom - top},
        .unit = unit,
        .row = (bottom - top) / rows};
    double y = top;
    const TerrainStatistic* last = nullptr;
    for (const TerrainStatistic& statistic : terrain_statistics()) {
        if (last == nullptr || last->family != statistic.family) {
            y += kFamilyRows * strip.row;
            canvas.write(name_of(statistic.family), {box.x, y - 0.25 * strip.row},
                         {.size = name_text, .colour = kInk, .bold = true});
        }
        last = &statistic;
        draw_row(canvas, strip, y + 0.5 * strip.row, statistic, terrains);
        canvas.write(with_spaces(statistic.name),
                     {strip.plot.x - 2.0 * unit, y + 0.5 * strip.row + 0.36 * name_text},
                     {.size = name_text, .colour = kInk, .anchor = Anchor::Right});
        y += strip.row;
    }
    draw_z_axis(canvas, strip, text);
}

}  // namespace thalweg
