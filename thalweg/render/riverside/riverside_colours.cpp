#include "thalweg/render/riverside/riverside_colours.hpp"

#include "thalweg/grid/gradient.hpp"
#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/noise/bases.hpp"
#include "thalweg/render/colour/smoothstep.hpp"
#include "thalweg/render/riverside/fractal.hpp"
#include "thalweg/render/shading/cover_colours.hpp"
#include "thalweg/render/shading/patches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace thalweg {
namespace {

constexpr double kStoneSize = 0.35;   // m, across cobbles of a gravel bed
constexpr double kPebbleSize = 0.11;  // m
constexpr double kTuftSize = 0.5;     // m
constexpr float kTurfHeight = 0.08F;  // m above the water where turf begins; empirical
constexpr float kWetHeight = 0.25F;   // m above the water that waves keep wet; empirical

/// Noises of a riverside, from large patches to pebbles. Each thread has its own.
struct RiversideNoise {
    Patches patches{71, 9.0, 4};
    Patches grain{72, 0.45, 2};
    Patches tufts{73, kTuftSize, 3};
    CellularBasis stones{random_bits(74, Stream::Render)};
    CellularBasis pebbles{random_bits(75, Stream::Render)};

    /// 0 between stones, 1 on their backs.
    float stone(Position p) { return 1.0F - stones(p.x / kStoneSize, p.y / kStoneSize); }
    float pebble(Position p) { return 1.0F - pebbles(p.x / kPebbleSize, p.y / kPebbleSize); }
};

BedCover cover_at(const Field<float>& cover, std::int64_t cell) {
    if (cover.empty() || is_no_data(cover[cell])) return BedCover::Soil;
    return static_cast<BedCover>(std::clamp(std::lround(cover[cell]), 0L, 5L));
}

Colour cover_colour(BedCover cover) {
    constexpr Colour kSoil{0.105F, 0.078F, 0.050F};
    constexpr Colour kSilt{0.130F, 0.108F, 0.078F};
    constexpr Colour kSand{0.300F, 0.250F, 0.180F};
    constexpr Colour kGravel{0.215F, 0.200F, 0.178F};
    constexpr Colour kBoulders{0.135F, 0.130F, 0.122F};
    constexpr Colour kBedrock{0.122F, 0.115F, 0.106F};
    switch (cover) {
        case BedCover::Silt:
            return kSilt;
        case BedCover::Sand:
            return kSand;
        case BedCover::Gravel:
            return kGravel;
        case BedCover::Boulders:
            return kBoulders;
        case BedCover::Bedrock:
            return kBedrock;
        case BedCover::Soil:
            break;
    }
    return kSoil;
}

bool is_stony(BedCover cover) {
    return cover == BedCover::Gravel || cover == BedCover::Boulders;
}

/// The share of turf on soil: above the water, less on steep banks.
float turf_share(float above_water, float slope, float patch) {
    const float high = is_no_data(above_water)
                           ? 1.0F
                           : smoothstep(0.4F * kTurfHeight, 1.6F * kTurfHeight, above_water + 0.06F * patch);
    return high * smoothstep(1.9F, 1.2F, slope);
}

/// The share of soil that floods wash out to sand and gravel: a strip along the water.
float washed_share(float above_water, float patch) {
    if (is_no_data(above_water)) return 0.0F;
    return smoothstep(3.0F * kTurfHeight, 0.5F * kTurfHeight, above_water + 0.06F * patch);
}

Colour turf_colour(float patch, float tuft) {
    constexpr Colour kMeadow{0.058F, 0.080F, 0.026F};
    constexpr Colour kDry{0.120F, 0.112F, 0.056F};
    const Colour grass = mix(kMeadow, kDry, smoothstep(0.0F, 1.2F, patch + 0.3F * tuft));
    return grass * (1.0F + 0.35F * tuft);
}

}  // namespace

Field<float> level_around(const Field<float>& water_level, double reach) {
    Field<float> level = water_level;
    const Grid& grid = level.grid();
    std::vector<std::int64_t> shore;
    for (std::int64_t cell = 0; cell < level.size(); ++cell)
        if (!is_no_data(level[cell])) shore.push_back(cell);
    const int rings = static_cast<int>(std::ceil(reach / grid.cell_size));
    std::vector<std::int64_t> next;
    for (int ring = 0; ring < rings && !shore.empty(); ++ring) {
        next.clear();
        for (const std::int64_t cell : shore) {
            const int column = grid.column_of(cell);
            const int row = grid.row_of(cell);
            for (int j = -1; j <= 1; ++j)
                for (int i = -1; i <= 1; ++i) {
                    if (!grid.contains(column + i, row + j)) continue;
                    const std::int64_t beside = grid.index(column + i, row + j);
                    if (!is_no_data(level[beside])) continue;
                    level[beside] = level[cell];
                    next.push_back(beside);
                }
        }
        std::swap(shore, next);
    }
    return level;
}

Field<float> turf_cover(const RiverGround& ground, const Field<float>& level) {
    const Field<float>& elevation = ground.elevation;
    const Gradient rise = gradient(elevation);
    Field<float> turf(elevation.grid());
    for_each_row(elevation.grid(), [&](int row) {
        RiversideNoise noise;
        for (int column = 0; column < elevation.columns(); ++column) {
            const std::int64_t cell = elevation.grid().index(column, row);
            if (cover_at(ground.cover, cell) != BedCover::Soil) continue;
            const Position place = elevation.grid().centre(column, row);
            turf[cell] =
                turf_share(elevation[cell] - level[cell], std::hypot(rise.east[cell], rise.north[cell]),
                           noise.patches(place.x, place.y));
        }
    });
    return turf;
}

Field<float> stone_density(const RiverGround& ground, const Field<float>& level, const Field<float>& turf) {
    constexpr std::array<std::array<int, 2>, 5> kBeside = {{{0, 0}, {3, 0}, {-3, 0}, {0, 3}, {0, -3}}};
    constexpr std::array<float, 6> kDensity = {0.0F, 0.6F, 3.0F, 1.0F, 0.12F, 0.03F};  // by BedCover
    const Field<float>& elevation = ground.elevation;
    const Gradient rise = gradient(elevation);
    Field<float> density(elevation.grid());
    for_each_row(elevation.grid(), [&](int row) {
        RiversideNoise noise;
        for (int column = 0; column < elevation.columns(); ++column) {
            const std::int64_t cell = elevation.grid().index(column, row);
            const BedCover cover = cover_at(ground.cover, cell);
            // They roll off steep ground, and off tops with steep sides.
            float steepest = 0.0F;
            for (const auto& [i, j] : kBeside) {
                const int c = std::clamp(column + i, 0, elevation.columns() - 1);
                const int r = std::clamp(row + j, 0, elevation.rows() - 1);
                steepest = std::max(steepest, std::hypot(rise.east(c, r), rise.north(c, r)));
            }
            const float stays = smoothstep(0.9F, 0.5F, steepest);
            density[cell] = stays * kDensity[static_cast<std::size_t>(cover)];
            if (cover != BedCover::Soil) continue;
            const Position place = elevation.grid().centre(column, row);
            const float patch = noise.patches(place.x, place.y);
            density[cell] =
                0.8F * stays * (1.0F - turf[cell]) * washed_share(elevation[cell] - level[cell], patch);
        }
    });
    return density;
}

Field<float> rock_cover(const RiverGround& ground) {
    Field<float> rock(ground.elevation.grid());
    for (std::int64_t cell = 0; cell < rock.size(); ++cell) {
        const BedCover cover = cover_at(ground.cover, cell);
        rock[cell] = cover == BedCover::Bedrock || cover == BedCover::Boulders ? 1.0F : 0.0F;
    }
    return rock;
}

Field<float> fine_relief(const RiverGround& ground, const Field<float>& turf) {
    const Field<float>& elevation = ground.elevation;
    Field<float> relief(elevation.grid());
    for_each_row(elevation.grid(), [&](int row) {
        RiversideNoise noise;
        for (int column = 0; column < elevation.columns(); ++column) {
            const std::int64_t cell = elevation.grid().index(column, row);
            const Position place = elevation.grid().centre(column, row);
            const BedCover cover = cover_at(ground.cover, cell);
            if (is_stony(cover)) {
                relief[cell] = 0.03F * (noise.stone(place) - 0.6F) + 0.02F * noise.grain(place.x, place.y);
                continue;
            }
            relief[cell] = 0.015F * noise.grain(place.x, place.y) +
                           turf[cell] * (0.04F * noise.tufts(place.x, place.y) +
                                         0.05F * noise.patches(place.x, place.y));
        }
    });
    return relief;
}

Field<Colour> riverside_albedo(const RiverGround& ground, const Field<float>& level, const Field<float>& turf,
                               const Field<Colour>& land) {
    const Field<float>& elevation = ground.elevation;
    const Gradient rise = gradient(elevation);
    Field<Colour> albedo(elevation.grid());
    for_each_row(elevation.grid(), [&](int row) {
        RiversideNoise noise;
        for (int column = 0; column < elevation.columns(); ++column) {
            const std::int64_t cell = elevation.grid().index(column, row);
            const Position place = elevation.grid().centre(column, row);
            const BedCover cover = cover_at(ground.cover, cell);
            const float patch = noise.patches(place.x, place.y);
            const auto grain_at = [&](double u, double v) { return noise.grain(u, v); };
            const float grain = on_slope(place, static_cast<double>(elevation[cell]), rise.east[cell],
                                         rise.north[cell], grain_at);
            Colour colour = cover_colour(cover) * (1.0F + 0.18F * grain + 0.14F * patch);
            if (is_stony(cover)) {
                // Each stone has its own brightness, with shade between them; none lie on steep sides.
                const float lie = smoothstep(1.2F, 0.5F, std::hypot(rise.east[cell], rise.north[cell]));
                const float bright =
                    (0.45F + 0.8F * noise.stone(place)) * (0.72F + 0.4F * noise.pebble(place));
                colour = colour * (0.8F + lie * (bright - 0.8F));
            }
            const float above = elevation[cell] - level[cell];
            if (cover == BedCover::Soil)
                colour = mix(colour,
                             mix(cover_colour(BedCover::Sand), cover_colour(BedCover::Gravel), 0.6F) *
                                 (0.8F + 0.3F * grain),
                             washed_share(above, patch));
            if (turf[cell] > 0.0F) {
                const float tuft = noise.tufts(place.x, place.y);
                colour =
                    mix(colour, land.empty() ? turf_colour(patch, tuft) : land[cell] * (1.0F + 0.35F * tuft),
                        turf[cell]);
            }
            const float wet = is_no_data(above) ? 0.0F
                                                : smoothstep(1.5F * kWetHeight, 0.6F * kWetHeight,
                                                             above + 0.05F * patch + 0.04F * grain);
            albedo[cell] = colour * (1.0F - 0.58F * wet * (1.0F - 0.8F * turf[cell]));
        }
    });
    return albedo;
}

LandGrowth land_growth(const LandLayers& land, const Field<float>& elevation, const Progress& progress) {
    if (land.empty()) return {};
    const Grid& grid = elevation.grid();
    LandLayers open = land;
    open.forest = nullptr;  // trees stand singly
    LandGrowth growth{
        .colours = cover_colours(open, elevation, -std::numeric_limits<double>::infinity(), progress),
        .grown = Field<float>(grid),
        .straw = Field<float>(grid)};
    const auto layer = [&](const Field<float>* given) {
        Field<float> shares = given == nullptr ? Field<float>(grid) : resample(*given, grid);
        for (float& share : shares)
            if (is_no_data(share)) share = 0.0F;
        return shares;
    };
    const Field<float> vegetation = layer(land.vegetation);
    const Field<float> rock = layer(land.bare_rock);
    const Field<float> scree = layer(land.scree);
    const Field<float> snow = layer(land.snow);
    for (std::int64_t cell = 0; cell < vegetation.size(); ++cell) {
        const float soil = 1.0F - std::min(rock[cell] + scree[cell], 1.0F);
        const float dense = vegetation[cell] / std::max(soil, 0.05F);
        growth.grown[cell] = soil * (1.0F - snow[cell]) * smoothstep(0.0F, 0.6F, dense);
        growth.straw[cell] = smoothstep(1.0F, 0.7F, dense);
    }
    return growth;
}

}  // namespace thalweg
