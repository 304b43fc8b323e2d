#include "thalweg/render/shading/cover_colours.hpp"

#include "thalweg/grid/resampling.hpp"
#include "thalweg/grid/rows.hpp"
#include "thalweg/render/shading/patches.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr double kStandShare = 0.06;  // of the longer side: wavelength of stands of one kind of tree
constexpr double kPatchCells = 28.0;  // wavelength of the largest patches, cells of the picture
constexpr int kPatchOctaves = 4;
constexpr double kGrainCells = 3.0;  // wavelength of the finest noise
constexpr float kBreak = 0.30F;      // of a cover's share, by which patches move its border

// Linear light.
constexpr Colour kConifers{0.031F, 0.047F, 0.022F};
constexpr Colour kBroadleaves{0.058F, 0.077F, 0.028F};
constexpr Colour kMeadow{0.103F, 0.113F, 0.053F};
constexpr Colour kStraw{0.190F, 0.165F, 0.095F};
constexpr Colour kSoil{0.150F, 0.112F, 0.074F};
constexpr Colour kRock{0.150F, 0.140F, 0.128F};
constexpr Colour kScree{0.290F, 0.274F, 0.246F};
constexpr Colour kSnow{0.800F, 0.830F, 0.880F};
constexpr Colour kSand{0.38F, 0.33F, 0.22F};

float step_up(float from, float to, float value) {
    const float t = std::clamp((value - from) / (to - from), 0.0F, 1.0F);
    return t * t * (3.0F - 2.0F * t);
}

/// Shares of the covers of a place.
struct Cover {
    float bare_rock = 0.0F;
    float scree = 0.0F;
    float vegetation = 0.0F;
    float forest = 0.0F;
    float snow = 0.0F;
    Colour rock = kRock;
    Colour rubble = kScree;  // of scree
    Colour soil = kSoil;
    float stand = 0.0F;  // noise, about -1 to 1, of large patches
    float patch = 0.0F;  // of small ones
    float grain = 0.0F;
};

/// A cover's share in a patch of the ground that is seen singly: nearer to none or all of it.
float broken(float share, float noise) {
    return step_up(0.18F, 0.82F, share + kBreak * noise * 4.0F * share * (1.0F - share));
}

/// Trees in stands of darker and lighter kinds.
Colour wood_of(const Cover& cover) {
    return mix(kConifers, kBroadleaves, step_up(-0.5F, 0.6F, cover.stand + 0.3F * cover.patch)) *
           (1.0F + 0.20F * cover.grain + 0.12F * cover.patch);
}

/// Soil, which is a little like the rock that it comes from, under grass that is paler the thinner it grows.
Colour turf_of(const Cover& cover) {
    constexpr float kRockInSoil = 0.35F;
    const float covered = cover.vegetation / std::max(1.0F - cover.bare_rock - cover.scree, 0.05F);
    const float dense = std::min(covered, 1.0F) + 0.06F * cover.patch;
    const Colour grass = mix(kStraw, kMeadow, step_up(0.70F, 1.0F, dense));
    return mix(mix(cover.soil, cover.rock, kRockInSoil), grass, step_up(0.0F, 0.6F, dense)) *
           (1.0F + 0.10F * cover.grain + 0.10F * cover.patch);
}

Colour colour_of(const Cover& cover) {
    constexpr float kCanopy = 0.85F;  // of the snow under trees that they hide
    const float trees =
        broken(cover.forest / std::max(cover.vegetation, 0.05F), cover.patch + 0.4F * cover.grain) *
        step_up(0.0F, 0.5F, cover.vegetation);
    Colour colour = mix(turf_of(cover), wood_of(cover), trees);
    const float rough = 0.6F * cover.patch + 0.6F * cover.grain;
    colour =
        mix(colour, mix(cover.rock, cover.rubble, 0.7F) * (1.0F + 0.08F * rough), broken(cover.scree, rough));
    colour = mix(colour, cover.rock * (1.0F + 0.30F * rough), broken(cover.bare_rock, rough));
    const float snow = broken(cover.snow, cover.patch + 0.15F * cover.grain);
    return mix(colour, kSnow, snow * (1.0F - kCanopy * trees));
}

/// A layer on the cells of the picture; zeros for one that is not there.
Field<float> on(const Grid& grid, const Field<float>* layer) {
    return layer == nullptr ? Field<float>(grid, 0.0F) : resample(*layer, grid);
}

/// Rock as grey as most is, tinted by the colour that its formation has on maps.
Colour rock_colour(Colour formation) {
    constexpr float kTint = 0.5F;
    const Colour light = to_linear(formation);
    const float grey = (light.red + light.green + light.blue) / 3.0F;
    // Half as far from grey in lightness as on the map.
    const Colour tinted = light * (0.5F * (0.15F / std::max(grey, 0.01F)) + 0.25F);
    return mix(kRock, tinted, kTint);
}

/// Between the colours of the four cells around a place.
Colour rock_at(const Field<Colour>& rock, Position place) {
    const Grid& grid = rock.grid();
    const double x = std::clamp(grid.column_at(place.x), 0.0, grid.columns - 1.0);
    const double y = std::clamp(grid.row_at(place.y), 0.0, grid.rows - 1.0);
    const int left = static_cast<int>(x), top = static_cast<int>(y);
    const int right = std::min(left + 1, grid.columns - 1), bottom = std::min(top + 1, grid.rows - 1);
    const auto east = static_cast<float>(x - left), south = static_cast<float>(y - top);
    return rock_colour(mix(mix(rock(left, top), rock(right, top), east),
                           mix(rock(left, bottom), rock(right, bottom), east), south));
}

}  // namespace

Field<Colour> cover_colours(const LandLayers& layers, const Field<float>& terrain, double sea_level,
                            const Progress& progress) {
    const Grid& grid = terrain.grid();
    const Field<float> bare_rock = on(grid, layers.bare_rock);
    const Field<float> scree = on(grid, layers.scree);
    const Field<float> vegetation = on(grid, layers.vegetation);
    progress.poll();
    const Field<float> forest = on(grid, layers.forest);
    const Field<float> snow = on(grid, layers.snow);
    progress.poll();
    const auto known = [](float share) { return is_no_data(share) ? 0.0F : share; };
    Field<Colour> colours(grid);
    for_each_row(grid, [&](int row) {
        Patches stands(1, kStandShare * std::max(grid.width(), grid.height()), kPatchOctaves);
        Patches patches(3, kPatchCells * grid.cell_size, kPatchOctaves);
        Patches grains(4, kGrainCells * grid.cell_size, 2);
        for (int column = 0; column < grid.columns; ++column) {
            const float z = terrain(column, row);
            if (is_no_data(z)) continue;
            // From the terrain's corner, so that a shifted terrain looks the same.
            const double x = (column + 0.5) * grid.cell_size;
            const double y = (row + 0.5) * grid.cell_size;
            Cover cover{.bare_rock = known(bare_rock(column, row)),
                        .scree = known(scree(column, row)),
                        .vegetation = known(vegetation(column, row)),
                        .forest = known(forest(column, row)),
                        .snow = known(snow(column, row)),
                        .stand = stands(x, y),
                        .patch = patches(x, y),
                        .grain = grains(x, y)};
            const Position place{grid.x(column), grid.y(row)};
            if (!layers.ground.empty())
                cover.rock = cover.rubble = cover.soil = rock_at(layers.ground, place);
            else if (!layers.rock.empty())
                cover.rock = rock_at(layers.rock, place);
            colours(column, row) = static_cast<double>(z) < sea_level ? kSand : colour_of(cover);
        }
    });
    return colours;
}

std::vector<Category> cover_legend(const LandLayers& layers) {
    std::vector<Category> legend;
    const auto add = [&](const Field<float>* layer, const char* name, Colour colour) {
        if (layer != nullptr) legend.push_back({name, to_srgb(colour)});
    };
    add(layers.forest, "forest", mix(kConifers, kBroadleaves, 0.4F));
    add(layers.vegetation, "grass", kMeadow);
    if (layers.ground.empty()) {
        add(layers.vegetation, "soil", kSoil);
        add(layers.scree, "scree", kScree);
        add(layers.bare_rock, "rock", kRock);
    }
    for (const Category& kind : layers.ground_kinds)
        legend.push_back({kind.name, to_srgb(rock_colour(kind.colour))});
    add(layers.snow, "snow", kSnow);
    return legend;
}

}  // namespace thalweg
