#include "thalweg/render/map.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr int kSmall = 220;  // pixels

struct Pixel {
    int red, green, blue;
};

Pixel pixel(const Image& image, int x, int y) {
    const std::size_t at = 3 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
    return {image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]};
}

Field<float> hills(int columns, int rows, double cell_size = 30.0) {
    Field<float> field(
        Grid{.columns = columns, .rows = rows, .cell_size = cell_size, .north = rows * cell_size});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            field(column, row) = static_cast<float>(600.0 + 300.0 * std::sin(7.0 * column / columns) *
                                                                std::cos(5.0 * row / rows));
    return field;
}

/// A river from west to east through the middle of `grid`.
RiverNetwork straight_river(const Grid& grid) {
    RiverNetwork rivers;
    Reach reach;
    for (int i = 0; i <= 8; ++i)
        reach.points.push_back({grid.west + grid.width() * i / 8.0, grid.north - 0.5 * grid.height(), 100.0});
    reach.bankfull_discharge = 20.0;
    reach.upland_area = 1e9;
    reach.width = 40.0;
    rivers.reaches.push_back(reach);
    return rivers;
}

Image small_map(const Field<float>& elevation, const RiverNetwork* rivers = nullptr,
                MapParameters parameters = {}) {
    if (parameters.size == MapParameters{}.size) parameters.size = kSmall;
    QuietProgress progress;
    return draw_map(elevation, rivers, parameters, progress);
}

double difference(const Image& a, const Image& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int{a.rgb[i]} - int{b.rgb[i]});
    return sum / static_cast<double>(a.rgb.size());
}

TEST(Map, has_the_size_that_was_asked_for_along_its_longer_side) {
    for (const auto& [columns, rows] : {std::pair{64, 64}, {90, 30}, {30, 90}}) {
        const Image image = small_map(hills(columns, rows));
        EXPECT_EQ(std::max(image.width, image.height), kSmall) << columns << " x " << rows;
        EXPECT_EQ(image.rgb.size(), std::size_t{3} * image.width * image.height);
    }
}

TEST(Map, shows_a_river_in_blue_where_it_runs) {
    const Field<float> elevation = hills(60, 60);
    const RiverNetwork rivers = straight_river(elevation.grid());
    MapParameters bare;
    bare.legend = false;
    const Image with = small_map(elevation, &rivers, bare);
    const Image without = small_map(elevation, nullptr, bare);
    const int middle = with.height / 2;
    int changed = 0;
    for (int x = with.width / 4; x < 3 * with.width / 4; ++x) {
        // The line may fall between two rows of pixels.
        Pixel bluest = pixel(with, x, middle);
        for (const int y : {middle - 1, middle + 1})
            if (pixel(with, x, y).blue - pixel(with, x, y).red > bluest.blue - bluest.red)
                bluest = pixel(with, x, y);
        changed += bluest.blue > bluest.red + 25;
        EXPECT_EQ(pixel(with, x, middle - 20).red, pixel(without, x, middle - 20).red);
    }
    EXPECT_GT(changed, with.width / 2 - 3);
}

TEST(Map, shows_water_in_its_own_shape_where_a_layer_tells_of_it_and_no_line_of_a_river) {
    const Field<float> elevation = hills(60, 60);
    const RiverNetwork rivers = straight_river(elevation.grid());
    Field<float> depth(elevation.grid());
    for (int row = 40; row < 50; ++row)
        for (int column = 0; column < 60; ++column) depth(column, row) = column < 30 ? 0.2F : 3.0F;
    QuietProgress progress;
    MapParameters bare;
    bare.size = 240;
    bare.legend = false;
    const Image dry = draw_map(elevation, nullptr, bare, progress);
    const Image wet = draw_map(elevation, &rivers, bare, progress, {.water_depth = &depth});
    const auto blue = [](const Image& image, double across, double down) {
        const Pixel colour =
            pixel(image, static_cast<int>(across * image.width), static_cast<int>(down * image.height));
        return colour.blue - colour.red;
    };
    EXPECT_GT(blue(wet, 0.75, 0.75), blue(dry, 0.75, 0.75) + 60);
    EXPECT_GT(blue(wet, 0.25, 0.75), blue(dry, 0.25, 0.75) + 40);
    EXPECT_GT(pixel(wet, 60, 180).red, pixel(wet, 180, 180).red + 40);  // shallows are pale
    for (const double across : {0.1, 0.3, 0.5, 0.7, 0.9})
        EXPECT_EQ(blue(wet, across, 0.5), blue(dry, across, 0.5)) << across;
}

TEST(Map, leaves_rivers_out_when_asked) {
    const Field<float> elevation = hills(40, 40);
    const RiverNetwork rivers = straight_river(elevation.grid());
    MapParameters parameters;
    parameters.rivers = false;
    EXPECT_EQ(small_map(elevation, &rivers, parameters).rgb, small_map(elevation).rgb);
}

TEST(Map, of_the_same_terrain_is_the_same_at_two_resolutions) {
    const Image coarse = small_map(hills(80, 80, 60.0));
    const Image fine = small_map(hills(320, 320, 15.0));
    EXPECT_LT(difference(coarse, fine), 4.0);
}

TEST(Map, is_brighter_on_slopes_towards_the_sun) {
    Field<float> ridge = hills(60, 60);
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 60; ++column)
            ridge(column, row) = static_cast<float>(900 - 15 * std::abs(column - 30));
    MapParameters parameters;
    parameters.legend = false;
    parameters.sun_azimuth = 270.0;
    const Image image = small_map(ridge, nullptr, parameters);
    EXPECT_GT(pixel(image, image.width / 3, image.height / 2).red,
              pixel(image, 2 * image.width / 3, image.height / 2).red + 20);
}

TEST(Map, draws_water_below_the_sea_level_alone) {
    Field<float> island = hills(50, 50);
    for (float& z : island) z -= 600.0F;
    MapParameters parameters;
    parameters.legend = false;
    parameters.shading = 0.0;
    const auto blue = [&](const Image& image) {
        int count = 0;
        for (int i = 0; i < image.width * image.height; ++i) {
            const Pixel p = pixel(image, i % image.width, i / image.width);
            count += p.blue > p.red + 15;
        }
        return count;
    };
    EXPECT_EQ(blue(small_map(island, nullptr, parameters)), 0);
    parameters.sea_level = 0.0;
    const Image sea = small_map(island, nullptr, parameters);
    EXPECT_GT(blue(sea), 8000);
    // Raised ground with its sea looks the same.
    for (float& z : island) z += 512.0F;
    parameters.sea_level = 512.0;
    EXPECT_NEAR(blue(small_map(island, nullptr, parameters)), blue(sea), 5);
}

TEST(Map, shows_paper_where_there_is_no_data) {
    Field<float> holed = hills(60, 60);
    for (int row = 20; row < 40; ++row)
        for (int column = 20; column < 40; ++column) holed(column, row) = kNoData;
    const Image image = small_map(holed);
    const Pixel corner = pixel(image, 0, 0);
    MapParameters bare;
    bare.legend = false;
    const Image map = small_map(holed, nullptr, bare);
    const Pixel hole = pixel(map, map.width / 2, map.height / 2);
    EXPECT_EQ(hole.red, corner.red);
    EXPECT_EQ(hole.blue, corner.blue);
    EXPECT_NE(pixel(map, map.width / 5, map.height / 2).blue, corner.blue);
}

TEST(Map, draws_flat_slender_and_tiny_terrain) {
    for (const auto& [columns, rows] : {std::pair{1, 1}, {1, 40}, {40, 1}, {2, 2}, {500, 2}}) {
        const Field<float> flat(Grid{.columns = columns, .rows = rows, .cell_size = 10.0}, 5.0F);
        EXPECT_EQ(std::max(small_map(flat).width, small_map(flat).height), kSmall);
    }
}

TEST(Map, refuses_terrain_without_data_in_one_sentence) {
    const Field<float> nothing(Grid{.columns = 7, .rows = 5}, kNoData);
    try {
        small_map(nothing);
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::Input);
        EXPECT_THAT(error.what(), testing::HasSubstr("elevation of 7 x 5 cells"));
    }
}

TEST(Map, has_the_same_pixels_on_any_number_of_threads) {
    const Field<float> elevation = hills(300, 200);
    const RiverNetwork rivers = straight_river(elevation.grid());
    const ExecutionScope on_one_thread({.threads = 1});
    const Image one = small_map(elevation, &rivers);
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(small_map(elevation, &rivers).rgb, one.rgb) << threads;
    }
}

TEST(Map, stops_when_it_is_cancelled) {
    QuietProgress progress;
    progress.cancel();
    EXPECT_THROW(draw_map(hills(20, 20), nullptr, {}, progress), Cancelled);
}

TEST(Map, declares_every_parameter_with_unit_sentence_and_a_default_in_range) {
    for (const Parameter& parameter : parameters_of<MapParameters>().parameters()) {
        EXPECT_FALSE(parameter.notes.sentence.empty()) << parameter.name;
        MapParameters target;
        EXPECT_NO_THROW(parameter.set(&target, parameter.default_value)) << parameter.name;
    }
}

TEST(LayerMap, grows_darker_with_the_logarithm_of_the_drainage_area) {
    Field<float> area(Grid{.columns = 50, .rows = 20, .cell_size = 10.0});
    for (int row = 0; row < 20; ++row)
        for (int column = 0; column < 50; ++column)
            area(column, row) = std::pow(10.0F, 2.0F + 6.0F * static_cast<float>(column) / 49.0F);
    QuietProgress progress;
    MapParameters parameters{.size = kSmall, .shading = 0.0, .legend = false};
    const Image image =
        draw_layer_map(area, nullptr, layer_style("drainage_area", "m^2"), parameters, progress);
    const auto light = [&](double share) {
        const Pixel p = pixel(image, static_cast<int>(share * image.width), image.height / 2);
        return lightness(srgb(static_cast<std::uint32_t>(p.red << 16 | p.green << 8 | p.blue)));
    };
    EXPECT_NEAR(light(0.5), 0.5F * (light(0.08) + light(0.92)), 8.0F);
    EXPECT_GT(light(0.1), light(0.3) + 8.0F);
    EXPECT_GT(light(0.6), light(0.9) + 8.0F);
}

TEST(LayerMap, keeps_ids_whole_and_shows_paper_for_zero) {
    Field<float> basin(Grid{.columns = 3, .rows = 1, .cell_size = 10.0});
    basin(0, 0) = 0.0F;
    basin(1, 0) = 4.0F;
    basin(2, 0) = 9.0F;
    QuietProgress progress;
    MapParameters parameters{.size = kSmall, .shading = 0.0, .legend = false};
    const Image image = draw_layer_map(basin, nullptr, layer_style("basin", "1"), parameters, progress);
    const int middle = image.height / 2;
    const Pixel paper = pixel(image, 0, 0);
    EXPECT_EQ(pixel(image, image.width / 5, middle).red, paper.red);
    EXPECT_EQ(pixel(image, image.width / 2, middle).red, to_byte(category_colour(4).red));
    EXPECT_EQ(pixel(image, 4 * image.width / 5, middle).green, to_byte(category_colour(9).green));
}

TEST(LayerMap, gives_categories_the_colours_of_what_they_stand_for) {
    Field<float> formation(Grid{.columns = 3, .rows = 1, .cell_size = 10.0});
    formation(0, 0) = 1.0F;
    formation(1, 0) = 2.0F;
    formation(2, 0) = 7.0F;
    LayerStyle style = layer_style("formation", "1");
    style.categories = {{"marl", srgb(0xff0000)}, {"chalk", srgb(0x0000ff)}};
    QuietProgress progress;
    MapParameters parameters{.size = kSmall, .shading = 0.0, .legend = false};
    const Image image = draw_layer_map(formation, nullptr, style, parameters, progress);
    const int middle = image.height / 2;
    EXPECT_EQ(pixel(image, image.width / 5, middle).red, 255);
    EXPECT_EQ(pixel(image, image.width / 2, middle).blue, 255);
    EXPECT_EQ(pixel(image, 4 * image.width / 5, middle).green, to_byte(category_colour(7).green))
        << "one without a name";
    parameters.legend = true;
    EXPECT_GT(draw_layer_map(formation, nullptr, style, parameters, progress).height, image.height);
}

TEST(LayerMap, writes_the_numbers_of_few_categories_without_names_below_their_colours) {
    Field<float> formation(Grid{.columns = 3, .rows = 1, .cell_size = 10.0});
    formation(0, 0) = 1.0F;
    formation(1, 0) = 3.0F;
    formation(2, 0) = 20.0F;
    const LayerStyle plain = layer_style("formation", "1");
    LayerStyle numbered = plain;
    for (int id = 1; id <= 20; ++id) numbered.categories.push_back({std::to_string(id), category_colour(id)});
    QuietProgress progress;
    const MapParameters parameters{.size = kSmall};
    const auto drawn = [&](const LayerStyle& style) {
        return draw_layer_map(formation, nullptr, style, parameters, progress).rgb;
    };
    EXPECT_EQ(drawn(plain), drawn(numbered));
    numbered.categories[2].name = "marl";
    EXPECT_NE(drawn(plain), drawn(numbered));
}

TEST(LayerMap, draws_every_kind_of_scale_over_relief_and_alone) {
    const Field<float> relief = hills(40, 30);
    QuietProgress progress;
    MapParameters parameters{.size = kSmall};
    for (const LayerScale kind : {LayerScale::Linear, LayerScale::Logarithmic, LayerScale::Signed,
                                  LayerScale::Depth, LayerScale::Steps, LayerScale::Categories}) {
        const LayerStyle style{.name = "thing", .unit = "m", .kind = kind};
        const Image alone = draw_layer_map(relief, nullptr, style, parameters, progress);
        const Image shaded = draw_layer_map(relief, &relief, style, parameters, progress);
        EXPECT_EQ(alone.rgb.size(), shaded.rgb.size());
        EXPECT_GT(difference(alone, shaded), 1.0);
    }
}

/// Half land, half a lake `depth` m deep, cells of 10 m.
Field<float> lake_beside_land(float depth) {
    Field<float> water(Grid{.columns = 20, .rows = 10, .cell_size = 10.0}, 0.0F);
    for (int row = 0; row < 10; ++row)
        for (int column = 10; column < 20; ++column) water(column, row) = depth;
    water(19, 9) = 100.0F;
    return water;
}

TEST(LayerMap, tells_the_shallowest_lake_from_dry_land_by_a_sharp_shore) {
    QuietProgress progress;
    MapParameters parameters{.size = kSmall, .shading = 0.0, .legend = false};
    const Field<float> flat(Grid{.columns = 20, .rows = 10, .cell_size = 10.0}, 5.0F);
    const Image image =
        draw_layer_map(lake_beside_land(0.01F), &flat, layer_style("water_depth", "m"), parameters, progress);
    const auto blueness = [&](double share) {
        const Pixel p = pixel(image, static_cast<int>(share * image.width), image.height / 2);
        return p.blue - p.red;
    };
    EXPECT_LT(blueness(0.25), 10);
    EXPECT_GT(blueness(0.75), 40);
    EXPECT_EQ(blueness(0.25), blueness(0.48));
    EXPECT_EQ(blueness(0.75), blueness(0.52));
}

TEST(LayerMap, lays_water_flat_over_its_bed) {
    QuietProgress progress;
    MapParameters parameters{.size = kSmall, .legend = false};
    const Field<float> bed = hills(20, 10);
    const auto drawn = [&](const Field<float>& water) {
        return draw_layer_map(water, &bed, layer_style("water_depth", "m"), parameters, progress);
    };
    const auto roughness = [&](const Image& image) {
        double sum = 0.0;
        for (int x = image.width / 4; x < image.width * 3 / 4; ++x)
            sum +=
                std::abs(pixel(image, x, image.height / 2).red - pixel(image, x - 1, image.height / 2).red);
        return sum;
    };
    const Field<float> lake(bed.grid(), 3.0F), dry(bed.grid(), 0.0F);
    EXPECT_LT(roughness(drawn(lake)), 0.25 * roughness(drawn(dry)));
}

TEST(LayerMap, of_depths_without_relief_leaves_dry_land_as_paper) {
    QuietProgress progress;
    MapParameters parameters{.size = kSmall, .legend = false};
    const Image image = draw_layer_map(lake_beside_land(50.0F), nullptr, layer_style("water_depth", "m"),
                                       parameters, progress);
    const Pixel paper = pixel(image, 0, 0), dry = pixel(image, image.width / 4, image.height / 2);
    EXPECT_EQ(dry.red, paper.red);
    EXPECT_EQ(dry.blue, paper.blue);
}

TEST(LayerMap, of_depths_shows_paper_where_there_is_no_data_and_land_where_no_lake_is) {
    QuietProgress progress;
    MapParameters parameters{.size = kSmall, .shading = 0.0, .legend = false};
    Field<float> depth(Grid{.columns = 20, .rows = 10, .cell_size = 10.0}, 0.0F), land(depth.grid(), 5.0F);
    for (int row = 0; row < 10; ++row)
        for (int column = 0; column < 10; ++column) depth(column, row) = land(column, row) = kNoData;
    const Image image = draw_layer_map(depth, &land, layer_style("water_depth", "m"), parameters, progress);
    const int middle = image.height / 2;
    const Pixel paper = pixel(image, 0, 0), nothing = pixel(image, image.width / 4, middle);
    const Pixel dry = pixel(image, image.width * 3 / 4, middle);
    EXPECT_EQ(nothing.red, paper.red);
    EXPECT_EQ(nothing.blue, paper.blue);
    EXPECT_EQ(dry.green, to_byte(land_tint(LandTint::Natural).at(0.5).green));
}

TEST(LayerMap, of_no_positive_value_on_a_logarithmic_scale_is_still_drawn) {
    const Field<float> dry(Grid{.columns = 9, .rows = 9}, 0.0F);
    QuietProgress progress;
    const Image image =
        draw_layer_map(dry, nullptr, layer_style("discharge", "m^3/s"), {.size = kSmall}, progress);
    EXPECT_EQ(std::max(image.width, image.height), kSmall);
}

TEST(LayerMap, refuses_a_layer_without_data_by_its_name) {
    QuietProgress progress;
    const Field<float> nothing(Grid{.columns = 4, .rows = 4}, kNoData);
    EXPECT_THAT(
        [&] { draw_layer_map(nothing, nullptr, layer_style("slope", "m/m"), {.size = kSmall}, progress); },
        testing::ThrowsMessage<Error>(testing::HasSubstr("layer slope of 4 x 4 cells")));
}

TEST(Map, with_a_common_scale_gives_equal_heights_equal_colours) {
    const Grid grid{.columns = 40, .rows = 40, .cell_size = 30.0};
    const Field<float> low(grid, 100.0F);
    const Field<float> high(grid, 900.0F);
    MapParameters parameters{.size = kSmall, .shading = 0.0, .legend = false};
    QuietProgress progress;
    const auto middle = [&](const Field<float>& terrain) {
        const Image image = draw_map(terrain, nullptr, parameters, progress);
        const Pixel found = pixel(image, image.width / 2, image.height / 2);
        return std::array{found.red, found.green, found.blue};
    };
    EXPECT_EQ(middle(low), middle(high));  // each in the middle of its own heights
    parameters.scale = CommonScale{{0.0, 1000.0}, &high};
    EXPECT_NE(middle(low), middle(high));
    Field<float> both = low;
    both(0, 0) = 900.0F;
    EXPECT_EQ(middle(both), middle(low));
}

}  // namespace
}  // namespace thalweg
