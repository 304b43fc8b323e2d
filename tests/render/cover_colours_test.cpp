#include "thalweg/render/shading/cover_colours.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/render/map.hpp"

#include <limits>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kNoSea = -std::numeric_limits<double>::infinity();

Grid small_grid(double cell_size = 30.0) {
    return {.columns = 60, .rows = 60, .cell_size = cell_size, .north = 60.0 * cell_size};
}

/// Mean albedo of land under these layers.
Colour mean_of(const LandLayers& layers, double sea_level = kNoSea) {
    const Field<float> level(small_grid(), 100.0F);
    Colour sum;
    for (const Colour& colour : cover_colours(layers, level, sea_level, QuietProgress())) sum = sum + colour;
    return sum * (1.0F / 3600.0F);
}

float brightness(Colour colour) {
    return (colour.red + colour.green + colour.blue) / 3.0F;
}

const Field<float> kAll(small_grid(), 1.0F);
const Field<float> kHalf(small_grid(), 0.5F);

TEST(CoverColours, darken_from_snow_to_scree_rock_grass_and_forest) {
    const float snow = brightness(mean_of({.snow = &kAll}));
    const float scree = brightness(mean_of({.scree = &kAll}));
    const float rock = brightness(mean_of({.bare_rock = &kAll}));
    const float grass = brightness(mean_of({.vegetation = &kAll}));
    const float forest = brightness(mean_of({.vegetation = &kAll, .forest = &kAll}));
    EXPECT_GT(snow, 2.0F * scree);
    EXPECT_GT(scree, 1.2F * rock);
    EXPECT_GT(rock, grass);
    EXPECT_GT(grass, 1.3F * forest);
}

TEST(CoverColours, of_plants_are_green_and_of_dry_ground_are_not) {
    const Colour grass = mean_of({.vegetation = &kAll});
    const Colour forest = mean_of({.vegetation = &kAll, .forest = &kAll});
    const Colour dry = mean_of({.vegetation = &kHalf});
    EXPECT_GT(grass.green, grass.red);
    EXPECT_GT(forest.green, forest.red);
    EXPECT_GT(dry.red, dry.green);
}

TEST(CoverColours, of_rock_lean_to_the_colour_of_its_formation) {
    const Field<float> rock(small_grid(), 1.0F);
    const Colour red = mean_of({.bare_rock = &rock, .rock = Field<Colour>(small_grid(), srgb(0xC05030))});
    const Colour grey = mean_of({.bare_rock = &rock});
    EXPECT_GT(red.red / red.blue, 1.3F * grey.red / grey.blue);
}

TEST(CoverColours, of_ground_that_is_known_are_those_of_rock_scree_and_soil_alike) {
    const auto ratio = [](const LandLayers& layers) {
        const Colour mean = mean_of(layers);
        return mean.red / mean.blue;
    };
    const Field<Colour> red(small_grid(), srgb(0xC05030));
    const float alone = ratio({.ground = red});
    EXPECT_GT(alone, 1.3F * ratio({.bare_rock = &kAll}));
    EXPECT_NEAR(ratio({.bare_rock = &kAll, .ground = red}), alone, 0.02F * alone);
    EXPECT_NEAR(ratio({.scree = &kAll, .ground = red}), alone, 0.02F * alone);
    EXPECT_EQ(ratio({.vegetation = &kAll, .forest = &kAll, .ground = red}),
              ratio({.vegetation = &kAll, .forest = &kAll}));
    // Legends name what it is mixed of.
    const LandLayers land = {.bare_rock = &kAll, .ground = red, .ground_kinds = {{"marl", srgb(0xC05030)}}};
    const std::vector<Category> legend = cover_legend(land);
    ASSERT_EQ(legend.size(), 1U);
    EXPECT_EQ(legend[0].name, "marl");
}

TEST(CoverColours, of_half_a_cover_come_in_patches) {
    const Field<float> level(small_grid(), 100.0F);
    float least = 1.0F, greatest = 0.0F;
    for (const Colour& colour : cover_colours({.snow = &kHalf}, level, kNoSea, QuietProgress())) {
        least = std::min(least, brightness(colour));
        greatest = std::max(greatest, brightness(colour));
    }
    EXPECT_LT(least, 0.3F);
    EXPECT_GT(greatest, 0.6F);
}

TEST(CoverColours, show_sand_below_the_sea_and_nothing_without_data) {
    const Colour land = mean_of({.vegetation = &kAll});
    const Colour sea = mean_of({.vegetation = &kAll}, 200.0);
    EXPECT_GT(sea.red, 2.0F * land.red);
    const Field<float> gap(small_grid(), kNoData);
    for (const Colour& colour : cover_colours({.snow = &kAll}, gap, kNoSea, QuietProgress()))
        ASSERT_EQ(colour, Colour{});
}

TEST(CoverColours, take_layers_on_other_cells_than_the_picture_s) {
    Field<float> coarse(Grid{.columns = 2, .rows = 1, .cell_size = 900.0, .north = 1800.0}, 0.0F);
    coarse(1, 0) = 1.0F;
    const Field<float> level(small_grid(), 100.0F);
    const Field<Colour> colours = cover_colours({.snow = &coarse}, level, kNoSea, QuietProgress());
    EXPECT_LT(brightness(colours(3, 30)), 0.3F);
    EXPECT_GT(brightness(colours(57, 30)), 0.6F);
}

TEST(CoverColours, are_the_same_on_any_number_of_threads) {
    const Field<float> level(Grid{.columns = 400, .rows = 300, .cell_size = 4.5, .north = 1800.0}, 100.0F);
    std::vector<std::vector<Colour>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(
            cover_colours({.vegetation = &kHalf, .snow = &kHalf}, level, kNoSea, QuietProgress()).values());
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

TEST(CoverColours, of_forest_in_snow_stay_dark) {
    EXPECT_LT(brightness(mean_of({.vegetation = &kAll, .forest = &kAll, .snow = &kAll})),
              0.4F * brightness(mean_of({.vegetation = &kAll, .snow = &kAll})));
}

TEST(Map, of_covered_land_shows_the_cover_and_names_it) {
    QuietProgress progress;
    Field<float> slope(small_grid());
    for (std::int64_t cell = 0; cell < slope.size(); ++cell)
        slope[cell] = 0.3F * static_cast<float>(cell % 60);
    Field<float> west(small_grid());
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 30; ++column) west(column, row) = 1.0F;
    const Image map = draw_map(slope, nullptr, {.size = 300, .legend = false}, progress,
                               {.vegetation = &kAll, .snow = &west});
    const auto red = [&](int x) { return int{map.rgb[3 * (static_cast<std::size_t>(150) * map.width + x)]}; };
    EXPECT_GT(red(80), red(220) + 80);
    EXPECT_EQ(cover_legend({.vegetation = &kAll, .snow = &west}).size(), 3U);
}

}  // namespace
}  // namespace thalweg
