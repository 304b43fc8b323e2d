#include "thalweg/render/map/belt_paint.hpp"

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/render/shading/relief.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace thalweg {
namespace {

constexpr double kYoung = 6.0;  // yr, over which the scale of ages is nearly even (empirical)

const ColourMap& scale_of(MeanderColours colours) {
    static const ColourMap natural("floodplain", "own: sand, willows, forest",
                                   std::vector<ColourMap::Stop>{{0.00, srgb(0xEADDB8)},
                                                                {0.12, srgb(0xE2D2A2)},
                                                                {0.28, srgb(0xC3C083)},
                                                                {0.45, srgb(0x93AC68)},
                                                                {0.65, srgb(0x6C9256)},
                                                                {0.85, srgb(0x537D4C)},
                                                                {1.00, srgb(0x466F48)}});
    static const ColourMap ages("ages", "own: light falls evenly with age",
                                std::vector<ColourMap::Stop>{{0.00, srgb(0xF4FBFC)},
                                                             {0.20, srgb(0xBFE3EC)},
                                                             {0.42, srgb(0x78B9D3)},
                                                             {0.64, srgb(0x3F86B0)},
                                                             {0.84, srgb(0x265582)},
                                                             {1.00, srgb(0x1B3A5F)}});
    return colours == MeanderColours::Natural ? natural : ages;
}

struct Fixed {
    Colour ground, ground_light, water, bank, lake, swamp;
};

Fixed fixed_of(MeanderColours colours) {
    return colours == MeanderColours::Natural ? Fixed{srgb(0x2F5A3C), srgb(0x44704A), srgb(0x5A97B5),
                                                      srgb(0x3B7293), srgb(0x2E6485), srgb(0x4F7E5C)}
                                              : Fixed{srgb(0x101F38), srgb(0x162944), srgb(0xFFFFFF),
                                                      srgb(0xE6F6FA), srgb(0xD5F1F4), srgb(0x4D90B5)};
}

/// How high what a channel left stands above its bed, m, and ground beside it (empirical).
constexpr double kGrownBar = 2.0;
constexpr double kGroundHeight = 2.6;
constexpr double kBarGrowth = 25.0;  // yr
constexpr double kRidge = 0.35;      // m
constexpr double kBurial = 120.0;    // yr

/// Values by the year in which a channel left, at steps of a tenth of a year up to now.
class YearTable {
  public:
    YearTable(const BeltPaint& paint, float first)
        : first_(first), colours_(static_cast<std::size_t>((paint.now - first) * kSteps) + 2) {
        for (std::size_t i = 0; i < colours_.size(); ++i) {
            const double year = first + static_cast<double>(i) / kSteps;
            const double age = std::max(0.0, paint.now - year);
            colours_[i] = paint.colours.at(age);
            heights_.push_back(static_cast<float>(kGrownBar * (1.0 - std::exp(-age / kBarGrowth))));
            // Floods bury old ridges.
            const double left = 0.35 + 0.65 * std::exp(-age / kBurial);
            ridges_.push_back(static_cast<float>(
                paint.scroll_period > 0.0 ? kRidge * left * scroll_ridge(year, paint.scroll_period) : 0.0));
        }
        // Banks, whose pixels channels cover in part, are water.
        std::fill(colours_.end() - 2, colours_.end(), paint.colours.water());
    }

    [[nodiscard]] Colour colour(float year) const { return colours_[at(year)]; }
    [[nodiscard]] float height(float year) const { return between(heights_, year); }
    [[nodiscard]] float ridge(float year) const { return between(ridges_, year); }

  private:
    static constexpr float kSteps = 10.0F;  // a year

    [[nodiscard]] std::size_t at(float year) const {
        return static_cast<std::size_t>((year - first_) * kSteps);
    }
    [[nodiscard]] float between(const std::vector<float>& values, float year) const {
        const std::size_t i = at(year);
        const float share = (year - first_) * kSteps - static_cast<float>(i);
        return values[i] + share * (values[i + 1] - values[i]);
    }

    float first_;
    std::vector<Colour> colours_;
    std::vector<float> heights_;
    std::vector<float> ridges_;
};

/// Height of the flood plain, m: bars with their ridges where those are not too close to be seen.
Field<float> heights_of(const BeltPaint& paint, const YearTable& table) {
    const Field<float>& years = paint.years;
    Field<float> heights(years.grid());
    for_each_row(years.grid(), [&](int row) {
        const int up = std::max(0, row - 1);
        const int down = std::min(years.rows() - 1, row + 1);
        for (int column = 0; column < years.columns(); ++column) {
            const float year = years(column, row);
            if (is_no_data(year)) {
                heights(column, row) = static_cast<float>(kGroundHeight);
                continue;
            }
            const float east = years(std::min(years.columns() - 1, column + 1), row);
            const float west = years(std::max(0, column - 1), row);
            const float across =
                0.5F * std::max(std::abs(east - west), std::abs(years(column, down) - years(column, up)));
            // Ridges need five cells from one to the next to be seen in full.
            const float cells = static_cast<float>(paint.scroll_period) / std::max(across, 1e-6F);
            const float seen = across >= 0.0F ? std::clamp(0.5F * (cells - 3.0F), 0.0F, 1.0F) : 0.0F;
            heights(column, row) = table.height(year) + seen * table.ridge(year);
        }
    });
    return heights;
}

/// Darker and cooler away from the light, lighter and warmer towards it; `slope` is -1 to 1.
Colour shaded(Colour colour, float slope) {
    constexpr Colour kLight = srgb(0xFFF6DC);
    constexpr Colour kDark = srgb(0x14233A);
    return slope > 0.0F ? mix(colour, kLight, 0.34F * slope) : mix(colour, kDark, -0.46F * slope);
}

/// Colour of water of a depth, m: light over shallows.
Colour water_of_depth(const Fixed& fixed, float depth) {
    constexpr float kShallow = 4.0F;  // m (empirical)
    return mix(fixed.water, fixed.lake, std::clamp(depth / kShallow, 0.0F, 1.0F));
}

}  // namespace

BeltColours::BeltColours(MeanderColours colours, double oldest)
    : colours_(colours), oldest_(std::max(oldest, 1.0)), scale_(&scale_of(colours)) {
}

double BeltColours::place(double age) const {
    return std::clamp(std::log1p(age / kYoung) / std::log1p(oldest_ / kYoung), 0.0, 1.0);
}

double BeltColours::age_at(double place) const {
    return kYoung * std::expm1(place * std::log1p(oldest_ / kYoung));
}

Colour BeltColours::water() const {
    return fixed_of(colours_).water;
}

Colour BeltColours::bank() const {
    return fixed_of(colours_).bank;
}

Colour BeltColours::lake(double left) const {
    const Fixed fixed = fixed_of(colours_);
    return mix(fixed.swamp, fixed.lake, static_cast<float>(std::clamp(left, 0.0, 1.0)));
}

Field<Colour> BeltColours::ground(const Grid& pixels, const Field<float>* elevation, double sea_level,
                                  double shading) const {
    const Fixed fixed = fixed_of(colours_);
    Field<Colour> colours(pixels);
    Field<float> light(pixels, 1.0F);
    QuietProgress progress;
    Field<float> terrain;
    if (elevation != nullptr) {
        terrain = resample(*elevation, pixels, Interpolation::Bicubic);
        light =
            relief_light(terrain, {.azimuth = 315.0, .altitude = 42.0}, map_exaggeration(terrain), progress);
    }
    // Woods are not even.
    const double span = std::max(pixels.width(), pixels.height());
    const double patch = std::max(span / 24.0, 4.5 * pixels.cell_size);  // m; noise takes more than 4 cells
    const Field<float> woods = make_noise(
        pixels, {.amplitude = 1.0, .mean = 0.0, .wavelength = patch, .octaves = 6, .persistence = 0.95}, 5,
        progress);
    for_each_row(pixels, [&](int row) {
        for (int column = 0; column < pixels.columns; ++column) {
            const float share = std::clamp(0.5F + 1.3F * woods(column, row), 0.0F, 1.0F);
            const float here = is_no_data(light(column, row)) ? 1.0F : light(column, row);
            colours(column, row) =
                lit(mix(fixed.ground, fixed.ground_light, share), here, static_cast<float>(shading));
            if (elevation == nullptr) continue;
            const auto depth = static_cast<float>(sea_level - terrain(column, row));
            if (depth >= 0.0F) colours(column, row) = water_of_depth(fixed, depth);
        }
    });
    return colours;
}

Grid half_pixels(const Grid& pixels) {
    Grid half = pixels;
    half.columns = 2 * pixels.columns;
    half.rows = 2 * pixels.rows;
    half.cell_size = 0.5 * pixels.cell_size;
    return half;
}

void paint_belt(Canvas& canvas, const Box& map, const BeltPaint& paint) {
    float first = static_cast<float>(paint.now);
    for (const float year : paint.years)
        if (year < first) first = year;
    const YearTable table(paint, first);
    const Field<float> heights = heights_of(paint, table);
    const Field<float>& years = paint.years;
    const auto left = static_cast<int>(map.x);
    const auto top = static_cast<int>(map.y);
    // Slopes of some per cent count most (empirical).
    const auto steepness = static_cast<float>(paint.shading * 18.0 / years.grid().cell_size);
    for_each_row(paint.ground.grid(), [&](int row) {
        for (int column = 0; column < paint.ground.columns(); ++column) {
            Colour sum;
            for (int part = 0; part < 4; ++part) {
                const int c = 2 * column + part % 2;
                const int r = 2 * row + part / 2;
                const float rise =
                    heights(std::min(c + 1, heights.columns() - 1), r) - heights(std::max(c - 1, 0), r) +
                    heights(c, std::min(r + 1, heights.rows() - 1)) - heights(c, std::max(r - 1, 0));
                const float year = years(c, r);
                const Colour colour = is_no_data(year) ? paint.ground(column, row) : table.colour(year);
                const float slope = steepness * rise;
                sum =
                    sum + (slope == 0.0F ? colour : shaded(colour, slope / std::sqrt(1.0F + slope * slope)));
            }
            canvas.set_pixel(left + column, top + row, sum * 0.25F);
        }
    });
}

}  // namespace thalweg
