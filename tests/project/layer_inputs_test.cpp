#include "thalweg/project/model/layer_inputs.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/pictures.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/stages/noise_stage.hpp"
#include "thalweg/project/stages/strokes_stage.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "scratch_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Landscape flat(int cells, float height) {
    Landscape landscape;
    landscape.grid = make_grid(3200.0, 3200.0, cells);
    landscape.seed = 4;
    landscape.set("elevation", Field<float>(landscape.grid, height), constant_source(height));
    return landscape;
}

float joined(LayerMode mode, float before, float addition) {
    Landscape landscape = flat(4, before);
    join_layer(landscape, "elevation", constant_source(addition), mode, progress);
    const auto& layer = landscape.get<Layer>("elevation");
    EXPECT_EQ(layer.values, layer.source(landscape.grid, progress));
    return layer.values(1, 1);
}

TEST(JoinLayer, combines_old_and_new_as_the_mode_says) {
    EXPECT_EQ(joined(LayerMode::Add, 3.0F, 5.0F), 8.0F);
    EXPECT_EQ(joined(LayerMode::Set, 3.0F, 5.0F), 5.0F);
    EXPECT_EQ(joined(LayerMode::Multiply, 3.0F, 5.0F), 15.0F);
    EXPECT_EQ(joined(LayerMode::Minimum, 3.0F, 5.0F), 3.0F);
    EXPECT_EQ(joined(LayerMode::Maximum, 3.0F, 5.0F), 5.0F);
}

TEST(JoinLayer, begins_an_absent_layer_at_zero) {
    Landscape landscape = flat(4, 1.0F);
    join_layer(landscape, "uplift", constant_source(2.0F), LayerMode::Add, progress);
    EXPECT_EQ(landscape.layer("uplift")(0, 0), 2.0F);
}

TEST(JoinLayer, keeps_cells_without_data_unless_it_sets_them) {
    for (const LayerMode mode :
         {LayerMode::Add, LayerMode::Multiply, LayerMode::Minimum, LayerMode::Maximum}) {
        Landscape landscape = flat(4, 1.0F);
        Field<float> with_gap = landscape.layer("elevation");
        with_gap(2, 2) = kNoData;
        landscape.set("elevation", std::move(with_gap));
        join_layer(landscape, "elevation", constant_source(7.0F), mode, progress);
        EXPECT_TRUE(is_no_data(landscape.layer("elevation")(2, 2)));
        EXPECT_FALSE(is_no_data(landscape.layer("elevation")(1, 2)));
    }
    Landscape landscape = flat(4, kNoData);
    join_layer(landscape, "elevation", constant_source(7.0F), LayerMode::Set, progress);
    EXPECT_EQ(landscape.layer("elevation")(2, 2), 7.0F);
}

TEST(JoinLayer, leaves_a_layer_without_source_when_it_had_none) {
    Landscape landscape = flat(4, 1.0F);
    landscape.set("elevation", landscape.layer("elevation"));
    join_layer(landscape, "elevation", constant_source(2.0F), LayerMode::Add, progress);
    EXPECT_FALSE(landscape.get<Layer>("elevation").source);
    EXPECT_EQ(landscape.layer("elevation")(0, 0), 3.0F);
}

TEST(LayerSources, of_painted_noise_reproduce_the_layer_on_its_grid_and_resemble_it_on_a_coarser_one) {
    Landscape landscape = flat(64, 100.0F);
    QuietProgress quiet;
    NoiseStageParameters noise;
    noise.noise.amplitude = 50.0;
    noise.noise.wavelength = 1600.0;
    noise.noise.octaves = 1;
    StrokesParameters strokes;
    strokes.strokes.push_back(
        {.points = {1600.0, 1600.0}, .radius = 400.0, .falloff = 800.0, .strength = 300.0});
    StageContext context{landscape, "", quiet, {}};
    find_stage("noise").run(&noise, context);
    find_stage("strokes").run(&strokes, context);

    const auto& layer = landscape.get<Layer>("elevation");
    EXPECT_EQ(layer.source(landscape.grid, progress), layer.values);
    const Field<float> coarse = layer.source(landscape.grid.coarser(), progress);
    float greatest_difference = 0.0F;
    for (int row = 0; row < 32; ++row)
        for (int column = 0; column < 32; ++column) {
            const float mean =
                0.25F * (layer.values(2 * column, 2 * row) + layer.values(2 * column + 1, 2 * row) +
                         layer.values(2 * column, 2 * row + 1) + layer.values(2 * column + 1, 2 * row + 1));
            greatest_difference = std::max(greatest_difference, std::abs(coarse(column, row) - mean));
        }
    EXPECT_LT(greatest_difference, 3.0F);
    EXPECT_GT(layer.values(32, 32), 340.0F);
}

TEST(NoiseStage, draws_another_pattern_for_another_variant) {
    NoiseStageParameters parameters;
    QuietProgress quiet;
    const auto made = [&](int variant) {
        Landscape landscape = flat(32, 0.0F);
        parameters.variant = variant;
        StageContext context{landscape, "", quiet, {}};
        find_stage("noise").run(&parameters, context);
        return landscape.layer("elevation");
    };
    EXPECT_EQ(made(1), made(1));
    EXPECT_NE(made(0), made(1));
    EXPECT_NE(made(1), made(2));
}

TEST(PlaceRaster, stretches_a_picture_without_coordinates_over_the_grid) {
    const ScratchFolder folder;
    Image picture{.width = 8, .height = 8, .rgb = {}};
    for (int byte = 0; byte < 3 * 8 * 8; ++byte)
        picture.rgb.push_back(static_cast<std::uint8_t>(30 * (byte / 3 % 8)));
    write_png(folder / "painted.png", picture);
    ASSERT_FALSE(read_raster_info(folder / "painted.png").georeferenced);
    const Grid grid = make_grid(3200.0, 3200.0, 16);
    const PlacedRaster placed = place_raster(lay_raster(folder / "painted.png", grid), "painted.png", grid);
    const Field<float> values = placed.source(grid, progress);
    EXPECT_THAT(placed.notes, ElementsAre(HasSubstr("of which band 1 is read"),
                                          HasSubstr("painted.png was resampled from 8 x 8 cells of 400 m")));
    EXPECT_EQ(values(0, 3), 0.0F);
    EXPECT_EQ(values(15, 3), 210.0F);
    EXPECT_THROW(lay_raster(folder / "painted.png", make_grid(3200.0, 1600.0, 16)), Error);
}

TEST(InputSource, takes_a_number_a_layer_or_a_raster) {
    const ScratchFolder folder;
    Landscape landscape = flat(8, 3.0F);
    write_raster(folder / "same.tif", Field<float>(landscape.grid, 9.0F), RasterFormat::GeoTiff);
    QuietProgress quiet;
    StageContext context{landscape, folder / "", quiet, {}};
    EXPECT_EQ(input_source({.number = 2.0, .layer = ""}, context)(landscape.grid, progress)(0, 0), 2.0F);
    EXPECT_EQ(input_source({.number = 2.0, .layer = "elevation"}, context)(landscape.grid, progress)(0, 0),
              3.0F);
    EXPECT_EQ(input_source({.number = 2.0, .layer = "same.tif"}, context)(landscape.grid, progress)(0, 0),
              9.0F);
    EXPECT_THAT(context.diagnostics.notes, IsEmpty());
    EXPECT_THROW(input_source({.number = 0.0, .layer = "rain"}, context), Error);
}

}  // namespace
}  // namespace thalweg
