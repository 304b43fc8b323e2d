#include "thalweg/render/shading/land_cover.hpp"

#include "thalweg/grid/gaussian.hpp"
#include "thalweg/grid/gradient.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/grid/summary.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/colour_map.hpp"
#include "thalweg/render/shading/patches.hpp"
#include "thalweg/render/shading/surroundings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace thalweg {
namespace {

constexpr double kHollowShare = 0.012;  // of the longer side: width over which hollows and ridges count
constexpr double kPatchShare = 0.045;   // of the longer side: wavelength of the largest patches
constexpr int kPatchOctaves = 5;
constexpr double kGrainCells = 3.0;         // wavelength of the finest noise
constexpr float kLeastSteep = 0.12F;        // m/m: gentler terrain has no rock however gentle the rest is
constexpr float kSnowRelief = 500.0F;       // m between low and high where snow begins to lie
constexpr float kFullSnowRelief = 1200.0F;  // m where it lies fully

/// The value below which `share` of the finite values in [low, high] lie, to a 4096th of the span.
float percentile(const std::vector<float>& values, float low, float high, double share) {
    constexpr int kBins = 4096;
    if (!(high > low)) return low;
    std::array<std::int64_t, kBins> counts{};
    std::int64_t total = 0;
    for (const float value : values) {
        if (is_no_data(value)) continue;
        const float place = std::clamp((value - low) / (high - low), 0.0F, 1.0F);
        ++counts[static_cast<std::size_t>(place * (kBins - 1))];
        ++total;
    }
    std::int64_t below = 0;
    for (int bin = 0; bin < kBins; ++bin) {
        below += counts[static_cast<std::size_t>(bin)];
        if (static_cast<double>(below) >= share * static_cast<double>(total))
            return low + (high - low) * static_cast<float>(bin) / (kBins - 1);
    }
    return high;
}

/// What the cover of a cell depends on.
struct Site {
    float height = 0.0F;  // 0 low to 1 high in this terrain
    float steep = 0.0F;   // slope over that of the terrain's steep ground
    float ridge = 0.0F;   // above its surroundings 1, below them -1
    float patch = 0.0F;   // noise, -1 to 1
    float grain = 0.0F;   // fine noise, -1 to 1
    float north = 0.0F;   // faces north 1, south -1
    float snow = 0.0F;    // how much snow the relief allows, 0 to 1
};

/// What covers soil, by height.
const ColourMap& growth() {
    static const ColourMap map("growth", "Thalweg: woods, meadow, dry grass, alpine turf; linear light",
                               {{0.00, {0.084F, 0.098F, 0.044F}},
                                {0.16, {0.062F, 0.082F, 0.032F}},
                                {0.36, {0.041F, 0.060F, 0.025F}},
                                {0.54, {0.070F, 0.079F, 0.036F}},
                                {0.70, {0.122F, 0.112F, 0.062F}},
                                {0.85, {0.170F, 0.150F, 0.100F}},
                                {1.00, {0.205F, 0.187F, 0.147F}}});
    return map;
}

Colour cover(const Site& site) {
    constexpr Colour kMeadow{0.118F, 0.128F, 0.062F};
    constexpr Colour kRock{0.145F, 0.130F, 0.115F};
    constexpr Colour kPaleRock{0.225F, 0.200F, 0.172F};
    constexpr Colour kScree{0.235F, 0.212F, 0.182F};
    constexpr Colour kSnow{0.800F, 0.830F, 0.880F};
    const float height = site.height + 0.09F * site.patch + 0.07F * site.ridge - 0.03F * site.north;
    // Growth on soil, lighter meadows on gentle ground.
    Colour colour = growth().at(height);
    const float meadow =
        smoothstep(0.45F, 0.12F, site.steep + 0.15F * site.patch) * smoothstep(0.75F, 0.35F, height);
    colour = mix(colour, kMeadow, 0.50F * meadow);
    colour = colour * (1.0F + 0.16F * site.grain + 0.10F * site.patch);
    // Scree below the rock, rock where it is steep.
    const float scree =
        smoothstep(0.62F, 0.95F, site.steep + 0.2F * site.patch) * smoothstep(0.42F, 0.72F, height);
    colour = mix(colour, kScree, 0.55F * scree);
    const float bare =
        site.steep + 0.22F * site.patch + 0.14F * site.grain + 0.45F * (height - 0.5F) + 0.10F * site.ridge;
    const Colour rock = mix(kRock, kPaleRock, smoothstep(-0.6F, 0.7F, site.patch + 0.6F * site.grain));
    colour = mix(colour, rock, smoothstep(0.92F, 1.42F, bare));
    // Snow high up where it can lie.
    const float cold = smoothstep(0.90F, 1.04F, height + 0.05F * site.north + 0.05F * site.grain);
    const float lies = 1.0F - smoothstep(0.95F, 1.55F, site.steep + 0.15F * site.grain);
    return mix(colour, kSnow, site.snow * cold * lies);
}

/// Height above the surroundings, in units of `unit` metres.
Field<float> ridges(const Field<float>& elevation, float unit) {
    const Grid& grid = elevation.grid();
    Field<float> ridge = mean_around(elevation, kHollowShare);
    for_each_row(grid, [&](int row) {
        for (int column = 0; column < grid.columns; ++column)
            ridge(column, row) =
                std::clamp((elevation(column, row) - ridge(column, row)) / unit, -1.0F, 1.0F);
    });
    return ridge;
}

/// Rise of the terrain, smoothed by a gaussian of that standard deviation, m.
Gradient rise_of(const Field<float>& elevation, double width) {
    if (!(width > 0.0)) return gradient(elevation);
    return gradient(
        gaussian_mean(elevation, width, {.end_column = elevation.columns(), .end_row = elevation.rows()}));
}

/// Steepness of every cell, m/m.
Field<float> slope_of(const Gradient& rise) {
    Field<float> slope(rise.east.grid());
    for (std::int64_t cell = 0; cell < slope.size(); ++cell)
        slope[cell] = std::hypot(rise.east[cell], rise.north[cell]);
    return slope;
}

}  // namespace

LandScale land_scale(const Field<float>& elevation, double slope_width) {
    const Field<float> slope = slope_of(rise_of(elevation, slope_width));
    const FieldSummary summary = summary_of(elevation);
    const float top = static_cast<float>(summary.maximum);
    const float low = percentile(elevation.values(), static_cast<float>(summary.minimum), top, 0.02);
    return {.low = low,
            .high = percentile(elevation.values(), low, top, 0.98),
            .steep = std::max(kLeastSteep, percentile(slope.values(), 0.0F, 4.0F, 0.80)),
            .slope_width = slope_width};
}

Field<Colour> land_cover(const Field<float>& elevation, const LandScale& scale, const Progress& progress) {
    constexpr Colour kSand{0.38F, 0.33F, 0.22F};
    const Grid& grid = elevation.grid();
    const Gradient rise = rise_of(elevation, scale.slope_width);
    const Field<float> slope = slope_of(rise);
    progress.poll();
    const float relief = std::max(scale.high - scale.low, 1e-3F);
    const Field<float> ridge = ridges(elevation, 0.05F * relief);
    progress.poll();
    const float snow = smoothstep(kSnowRelief, kFullSnowRelief, scale.high - scale.low);
    Field<Colour> colours(grid);
    for_each_row(grid, [&](int row) {
        Patches patches(1, kPatchShare * std::max(grid.width(), grid.height()), kPatchOctaves);
        Patches grains(2, kGrainCells * grid.cell_size, 2);
        for (int column = 0; column < grid.columns; ++column) {
            const float z = elevation(column, row);
            if (is_no_data(z)) continue;
            const float s = slope(column, row);
            // Noise is keyed by the place from the terrain's corner, so that a shifted terrain looks the
            // same.
            const double x = (column + 0.5) * grid.cell_size;
            const double y = (row + 0.5) * grid.cell_size;
            const Site site{.height = (z - scale.low) / relief,
                            .steep = s / scale.steep,
                            .ridge = ridge(column, row),
                            .patch = patches(x, y),
                            .grain = grains(x, y),
                            .north = s > 0.0F ? -rise.north(column, row) / s : 0.0F,
                            .snow = snow};
            colours(column, row) = z < scale.sea_level ? kSand : cover(site);
        }
    });
    return colours;
}

}  // namespace thalweg
