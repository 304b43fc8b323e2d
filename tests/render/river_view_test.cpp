#include "thalweg/render/river_view.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/render/riverside/floating_things.hpp"
#include "thalweg/render/riverside/riverside_colours.hpp"
#include "thalweg/render/riverside/trees.hpp"
#include "thalweg/render/view.hpp"
#include "thalweg/render/view/camera.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// A straight channel from west to east, 8 m wide between banks 1 m high, with still water.
struct Channel {
    RiverGround ground;
    RiverWater water;

    explicit Channel(double depth, BedCover bed = BedCover::Sand) {
        const Grid grid{.columns = 120, .rows = 100, .cell_size = 0.25, .west = 100.0, .north = 225.0};
        ground = {.elevation = Field<float>(grid, 51.0F),
                  .water_level = Field<float>(grid, kNoData),
                  .cover = Field<float>(grid)};
        for (int row = 0; row < grid.rows; ++row)
            for (int column = 0; column < grid.columns; ++column) {
                if (std::abs(grid.y(row) - 212.5) > 4.0) continue;
                ground.elevation(column, row) = static_cast<float>(50.0 - depth);
                ground.water_level(column, row) = 50.0F;
                ground.cover(column, row) = static_cast<float>(bed);
            }
        water.elevation = ground.water_level;
    }
};

RiverViewParameters small_view() {
    return {.width = 96,
            .height = 54,
            .eye = {115.0, 206.0},
            .eye_height = 4.0,
            .target = {115.0, 212.5},
            .field_of_view = 30.0,
            .scatter = false,
            .samples = 1};
}

Image drawn(const Channel& channel, const RiverViewParameters& parameters = small_view()) {
    QuietProgress progress;
    return RiverView(channel.ground, parameters, progress).draw(channel.water, progress);
}

/// Mean of one channel of the picture's middle, 0 to 255.
double middle(const Image& image, int channel) {
    double sum = 0.0;
    for (int y = image.height / 2 - 4; y < image.height / 2 + 4; ++y)
        for (int x = image.width / 2 - 8; x < image.width / 2 + 8; ++x)
            sum += image.rgb[3 * (static_cast<std::size_t>(y) * image.width + x) + channel];
    return sum / (8.0 * 16.0);
}

TEST(RiverView, shows_a_dry_channel_where_there_is_no_water) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    Channel channel(1.0);
    const Image full = drawn(channel);
    for (Field<float>* level : {&channel.water.elevation, &channel.ground.water_level})
        *level = Field<float>(level->grid(), kNoData);
    const Image dry = drawn(channel);
    EXPECT_GT(middle(dry, 0), middle(full, 0) + 20.0);  // sand
    EXPECT_GT(middle(dry, 0), middle(dry, 2));
}

TEST(RiverView, lets_one_see_the_bed_through_shallow_water_and_loses_red_first_in_deep) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Image shallow = drawn(Channel(0.1));
    const Image deep = drawn(Channel(3.0));
    EXPECT_GT(middle(shallow, 0), 1.5 * middle(deep, 0));
    EXPECT_GT(middle(deep, 1), middle(deep, 0));
    EXPECT_GT(middle(shallow, 0), middle(shallow, 2));  // sand
}

TEST(RiverView, is_clearer_in_clear_water) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    RiverViewParameters clear = small_view();
    clear.clarity = 20.0;
    RiverViewParameters muddy = small_view();
    muddy.clarity = 0.2;
    EXPECT_GT(middle(drawn(Channel(1.0), clear), 0), 1.3 * middle(drawn(Channel(1.0), muddy), 0));
}

TEST(RiverView, mirrors_the_sky_the_more_the_flatter_one_looks) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    RiverViewParameters flat = small_view();
    flat.eye_height = 0.9;
    flat.eye = {101.0, 209.5};
    flat.target = {125.0, 212.5};
    EXPECT_GT(middle(drawn(Channel(3.0), flat), 2), 1.5 * middle(drawn(Channel(3.0)), 2));
}

TEST(RiverView, is_white_where_there_is_foam_and_shows_leaves) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    Channel channel(1.0);
    const Image plain = drawn(channel);
    channel.water.foam = Field<float>(channel.ground.elevation.grid(), 1.0F);
    const Image foaming = drawn(channel);
    for (int c = 0; c < 3; ++c) EXPECT_GT(middle(foaming, c), middle(plain, c) + 60.0);
    channel.water.foam = {};
    for (int i = 0; i < 400; ++i)
        channel.water.leaves.push_back(
            {.middle = {114.0 + 0.1 * (i % 20), 211.5 + 0.1 * static_cast<double>(i / 20)},
             .bits = static_cast<std::uint64_t>(i)});
    EXPECT_GT(middle(drawn(channel), 0), middle(plain, 0) + 20.0);
    std::swap(channel.water.leaves, channel.water.foam_patches);
    for (FloatingThing& patch : channel.water.foam_patches) patch.left = 0.9;
    EXPECT_GT(middle(drawn(channel), 2), middle(plain, 2) + 40.0);
    for (FloatingThing& patch : channel.water.foam_patches) patch.left = 0.0;
    EXPECT_EQ(drawn(channel).rgb, plain.rgb);
}

TEST(RiverView, shows_the_country_around_it_up_to_its_rim) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    // From 4 m up, level: what lies beyond the ground is sky, unless there are hills.
    RiverViewParameters level = small_view();
    level.target = {115.0, 224.0};
    level.eye_height = 1.7;
    Channel channel(1.0);
    const Image open = drawn(channel, level);
    const Grid far{.columns = 40, .rows = 40, .cell_size = 10.0, .west = -85.0, .north = 412.5};
    channel.ground.surroundings = {{.elevation = Field<float>(far, 60.0F)}};
    const Image closed = drawn(channel, level);
    const auto pixel = [](const Image& image, int x, int y) {
        const std::size_t place = 3 * (static_cast<std::size_t>(y) * image.width + x);
        return std::array<int, 3>{image.rgb[place], image.rgb[place + 1], image.rgb[place + 2]};
    };
    // Ground that begins 9 m higher at the rim hides the sky, and no gap is left at its foot.
    for (int y = 0; y < open.height; ++y) {
        const bool was_sky = pixel(open, 48, y)[2] > pixel(open, 48, y)[1];
        if (was_sky) {
            EXPECT_LE(pixel(closed, 48, y)[2], pixel(closed, 48, y)[1]) << y;
        }
    }
    EXPECT_GT(pixel(open, 48, 5)[2], pixel(open, 48, 5)[1]);
}

TEST(RiverView, grows_grass_on_banks_and_lays_stones_on_gravel) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    Channel channel(0.05, BedCover::Gravel);
    RiverViewParameters grown = small_view();
    grown.scatter = true;
    const Image bare = drawn(channel);
    const Image rich = drawn(channel, grown);
    EXPECT_NE(bare.rgb, rich.rgb);
    // Nothing grows on open water over sand.
    const Channel sandy(3.0);
    EXPECT_NEAR(middle(drawn(sandy, grown), 1), middle(drawn(sandy), 1), 6.0);
}

TEST(RiverView, has_the_same_bits_on_any_number_of_threads) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Channel channel(0.6, BedCover::Gravel);
    RiverViewParameters grown = small_view();
    grown.scatter = true;
    const auto drawn_on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return drawn(channel, grown).rgb;
    };
    EXPECT_EQ(drawn_on(8), drawn_on(1));
}

TEST(RiverView, refuses_other_grids_and_places_off_the_ground_with_a_sentence) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    Channel channel(0.6);
    RiverViewParameters off = small_view();
    off.target = {5.0, 212.0};
    EXPECT_THAT([&] { drawn(channel, off); },
                ThrowsMessage<Error>(HasSubstr("looks from or to (5, 212) m, which lies off its ground")));
    channel.water.elevation = Field<float>(Grid{.columns = 3, .rows = 3, .cell_size = 1.0}, 1.0F);
    EXPECT_THAT([&] { drawn(channel); },
                ThrowsMessage<Error>(HasSubstr("elevation of the water of a river view has 3 x 3 cells")));
}

TEST(Trees, stand_as_densely_as_the_layer_forest_says) {
    // From the west to the east: wood, half as much, none.
    const Grid grid{.columns = 60, .rows = 60, .cell_size = 20.0, .west = -600.0, .north = 600.0};
    Field<float> forest(grid, 0.0F);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < 36; ++column) forest(column, row) = column < 30 ? 0.9F : 0.45F;
    const auto site = [](Position p) {
        const bool is_ground = std::abs(p.y) < 110.0 && std::abs(p.x) < 250.0;
        return TreeSite{
            .place = {static_cast<float>(p.x), static_cast<float>(p.y), is_ground ? 0.0F : kNoData},
            .above_water = kNoData,
            .soil = 1.0F};
    };
    struct Leaves {
        std::size_t wood = 0;
        std::size_t half = 0;
        std::size_t open = 0;
    };
    const auto leaves_of = [&](const Field<float>* layer) {
        std::vector<Triangle> triangles;
        const Trees trees(site, layer, {0.0F, -400.0F, 2.0F}, {0.0F, 0.0F, 2.0F}, {0.0, -400.0}, triangles);
        Leaves leaves;
        for (const Triangle& triangle : triangles) {
            const float x = triangle.front().x;
            if (x > -110.0F && x < -20.0F) ++leaves.wood;
            if (x > 20.0F && x < 110.0F) ++leaves.half;
            if (x > 150.0F && x < 240.0F) ++leaves.open;
        }
        return leaves;
    };
    const Leaves with_layer = leaves_of(&forest);
    EXPECT_GT(with_layer.half, 100U);
    EXPECT_GT(with_layer.wood, with_layer.half);
    EXPECT_EQ(with_layer.open, 0U);
    // Where the layer knows nothing, trees stand as without it.
    const Field<float> unknown(grid, kNoData);
    const Leaves without_layer = leaves_of(nullptr);
    EXPECT_EQ(leaves_of(&unknown).open, without_layer.open);
    EXPECT_GT(without_layer.open, 0U);
}

TEST(StoneDensity, is_that_of_the_cover_on_gentle_ground_and_none_beside_steep_ground) {
    const Grid grid{.columns = 40, .rows = 8, .cell_size = 0.25};
    RiverGround ground{.elevation = Field<float>(grid, 5.0F),
                       .water_level = Field<float>(grid, kNoData),
                       .cover = Field<float>(grid, static_cast<float>(BedCover::Gravel))};
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 20; column < 24; ++column)
            ground.elevation(column, row) += 0.5F * static_cast<float>(column - 19);  // 2 m/m
    const Field<float> bare(grid);
    const Field<float> density = stone_density(ground, Field<float>(grid, kNoData), bare);
    EXPECT_EQ(density(5, 4), 1.0F);
    EXPECT_EQ(density(21, 4), 0.0F);
    EXPECT_EQ(density(18, 4), 0.0F);  // within three cells of it
    for (float& cover : ground.cover) cover = static_cast<float>(BedCover::Soil);
    // Away from water soil has none.
    EXPECT_EQ(stone_density(ground, Field<float>(grid, kNoData), bare)(5, 4), 0.0F);
}

TEST(LevelAround, carries_the_nearest_level_as_far_as_is_asked) {
    Field<float> water(Grid{.columns = 9, .rows = 3, .cell_size = 2.0, .north = 6.0}, kNoData);
    water(4, 1) = 7.0F;
    const Field<float> level = level_around(water, 4.0);
    for (int column = 0; column < 9; ++column)
        for (int row = 0; row < 3; ++row)
            EXPECT_EQ(is_no_data(level(column, row)), std::abs(column - 4) > 2) << column;
    EXPECT_EQ(level(2, 0), 7.0F);
}

TEST(Leaves, lie_where_they_are_and_nowhere_else) {
    const Leaves leaves({{.middle = {10.0, 20.0}}, {.middle = {-3.0, -4.0}}});
    EXPECT_NE(leaves.at({10.0, 20.0}), nullptr);
    EXPECT_NE(leaves.at({-3.01, -4.01}), nullptr);
    EXPECT_EQ(leaves.at({10.06, 20.06}), nullptr);
    EXPECT_EQ(Leaves({}).at({0.0, 0.0}), nullptr);
}

TEST(FoamPatches, lie_where_they_are_with_bubbles_that_move_along_and_fade) {
    const auto covered = [](Position middle, double left) {
        const FoamPatches patches({{.middle = middle, .bits = 77, .left = left}});
        std::vector<float> shares;
        for (int i = -8; i <= 8; ++i)
            for (int j = -8; j <= 8; ++j)
                shares.push_back(patches.at({middle.x + 0.0625 * i, middle.y + 0.0625 * j}));
        return shares;
    };
    const auto sum = [](const std::vector<float>& shares) {
        return std::accumulate(shares.begin(), shares.end(), 0.0);
    };
    EXPECT_GT(sum(covered({1.0, 2.0}, 0.8)), 1.0);
    EXPECT_THAT(covered({-5.0, 9.25}, 0.8),
                testing::Pointwise(testing::FloatNear(1e-4F), covered({1.0, 2.0}, 0.8)));
    EXPECT_LT(sum(covered({1.0, 2.0}, 0.2)), sum(covered({1.0, 2.0}, 0.8)));
    EXPECT_EQ(sum(covered({1.0, 2.0}, 0.0)), 0.0);
    EXPECT_EQ(FoamPatches({{.middle = {1.0, 2.0}, .left = 0.8}}).at({1.0, 3.0}), 0.0F);
}

TEST(RiverView, has_the_colours_of_the_land_where_layers_tell_them) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    RiverViewParameters level = small_view();
    level.target = {115.0, 206.6};  // the bank
    Channel channel(1.0);
    const Image turf = drawn(channel, level);
    const Grid coarse{.columns = 4, .rows = 4, .cell_size = 10.0, .west = 95.0, .north = 235.0};
    const Field<float> none(coarse, 0.0F);
    const Field<float> all(coarse, 1.0F);
    channel.ground.land = {.bare_rock = &none, .vegetation = &none};
    const Image bare = drawn(channel, level);
    EXPECT_GT(middle(turf, 1), middle(turf, 0));
    EXPECT_GT(middle(bare, 0), middle(bare, 1));
    channel.ground.land.snow = &all;
    EXPECT_GT(middle(drawn(channel, level), 2), middle(bare, 2) + 60.0);
}

TEST(LandGrowth, is_as_thick_as_the_vegetation_and_dry_where_that_is_thin) {
    QuietProgress progress;
    const Field<float> ground(Grid{.columns = 4, .rows = 4, .cell_size = 1.0, .north = 4.0}, 5.0F);
    const auto grown = [&](float share, float rock) {
        const Field<float> vegetation(ground.grid(), share);
        const Field<float> bare(ground.grid(), rock);
        const LandGrowth growth =
            land_growth({.bare_rock = &bare, .vegetation = &vegetation}, ground, progress);
        return std::pair{growth.grown[5], growth.straw[5]};
    };
    EXPECT_EQ(grown(0.0F, 0.0F), (std::pair{0.0F, 1.0F}));
    EXPECT_EQ(grown(1.0F, 0.0F), (std::pair{1.0F, 0.0F}));
    EXPECT_EQ(grown(0.5F, 0.5F), (std::pair{0.5F, 0.0F}));
    EXPECT_TRUE(land_growth({}, ground, progress).colours.empty());
}

TEST(Camera, looks_at_its_target) {
    const Vector3 place{3.0F, -2.0F, 5.0F};
    const Vector3 target{10.0F, 4.0F, 1.0F};
    const Camera camera(place, target, 40.0, 200, 100);
    const Vector3 middle_ray = camera.direction(100.0F, 50.0F);
    EXPECT_NEAR(dot(middle_ray, normalised(target - place)), 1.0, 1e-6);
    // Half of the field of view lies to each side of the longer side's middle.
    EXPECT_NEAR(std::acos(dot(middle_ray, camera.direction(0.0F, 50.0F))) * 180.0 / 3.14159265, 20.0, 1e-3);
}

TEST(RayScene, tells_which_triangle_was_hit) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const std::array<Triangle, 2> triangles{Triangle{Vector3{0, 0, 0}, Vector3{1, 0, 0}, Vector3{0, 1, 0}},
                                            Triangle{Vector3{0, 0, 2}, Vector3{1, 0, 2}, Vector3{0, 1, 2}}};
    const RayScene scene(triangles);
    const Hit above = scene.first_hit({0.2F, 0.2F, 5.0F}, {0.0F, 0.0F, -1.0F});
    EXPECT_EQ(above.part, Part::Surface);
    EXPECT_EQ(above.piece, 1U);
    EXPECT_NEAR(above.distance, 3.0F, 1e-5F);
    EXPECT_EQ(scene.first_hit({0.2F, 0.2F, -5.0F}, {0.0F, 0.0F, 1.0F}).piece, 0U);
    EXPECT_EQ(scene.first_hit({0.9F, 0.9F, 5.0F}, {0.0F, 0.0F, -1.0F}).part, Part::Nothing);
}

}  // namespace
}  // namespace thalweg
