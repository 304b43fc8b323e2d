#include "thalweg/render/view.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/render/shading/land_cover.hpp"
#include "thalweg/render/view/camera.hpp"
#include "thalweg/render/view/floor_light.hpp"
#include "thalweg/render/view/ground.hpp"
#include "thalweg/render/view/outline.hpp"
#include "thalweg/render/view/ray_scene.hpp"
#include "thalweg/render/view/view_light.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

Field<float> terrain(int columns, int rows, const std::function<double(int column, int row)>& height,
                     double cell_size = 100.0) {
    Field<float> field(
        Grid{.columns = columns, .rows = rows, .cell_size = cell_size, .north = rows * cell_size});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            field(column, row) = static_cast<float>(height(column, row));
    return field;
}

Field<float> hills(int columns, int rows, double cell_size = 100.0) {
    return terrain(
        columns, rows,
        [&](int column, int row) {
            return 500.0 +
                   300.0 * std::sin(9.0 * (column + 0.5) / columns) * std::cos(7.0 * (row + 0.5) / rows);
        },
        cell_size);
}

ViewParameters small() {
    ViewParameters parameters;
    parameters.width = 96;
    parameters.height = 64;
    parameters.samples = 2;
    return parameters;
}

Image view_of(const Field<float>& elevation, const ViewParameters& parameters = small(),
              const RiverNetwork* rivers = nullptr) {
    QuietProgress progress;
    return draw_view(elevation, rivers, parameters, progress);
}

double difference(const Image& a, const Image& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.rgb.size(); ++i) sum += std::abs(int{a.rgb[i]} - int{b.rgb[i]});
    return sum / static_cast<double>(a.rgb.size());
}

/// Mean excess of blue over red in the picture.
double blueness(const Image& image) {
    double sum = 0.0;
    for (std::size_t i = 0; i < image.rgb.size(); i += 3) sum += int{image.rgb[i + 2]} - int{image.rgb[i]};
    return 3.0 * sum / static_cast<double>(image.rgb.size());
}

TEST(Camera, stands_as_near_as_all_points_in_the_picture_allow) {
    const std::vector<Vector3> points = {{-50, -30, 0}, {50, -30, 0}, {50, 30, 0}, {-50, 30, 20}, {0, 0, 40}};
    for (const double azimuth : {0.0, 100.0, 215.0}) {
        const Margins margins;
        const Camera camera(azimuth, 30.0, 40.0, 300, 200, margins, points);
        float left = 300.0F, right = 0.0F, top = 200.0F, bottom = 0.0F;
        for (const Vector3& point : points) {
            EXPECT_GT(camera.depth(point), 0.0F);
            float x = 0.0F, y = 0.0F;
            camera.project(point, x, y);
            left = std::min(left, x);
            right = std::max(right, x);
            top = std::min(top, y);
            bottom = std::max(bottom, y);
        }
        const float free_side = 300.0F * margins.side, free_top = 200.0F * margins.top;
        const float free_bottom = 200.0F * margins.bottom;
        EXPECT_GE(left, free_side - 0.1F);
        EXPECT_LE(right, 300.0F - free_side + 0.1F);
        EXPECT_GE(top, free_top - 0.1F);
        EXPECT_LE(bottom, 200.0F - free_bottom + 0.1F);
        // Nearer, some point would leave the picture: one pair of sides is touched.
        const bool wide = std::abs(left - free_side) < 0.1F && std::abs(300.0F - free_side - right) < 0.1F;
        const bool tall = std::abs(top - free_top) < 0.1F && std::abs(200.0F - free_bottom - bottom) < 0.1F;
        EXPECT_TRUE(wide || tall) << azimuth;
    }
}

TEST(Camera, ray_through_a_points_place_in_the_picture_meets_the_point) {
    const std::vector<Vector3> points = {{-50, -30, 0}, {50, 30, 10}};
    const Camera camera(160.0, 25.0, 35.0, 320, 200, Margins{}, points);
    for (const Vector3& point : points) {
        float x = 0.0F, y = 0.0F;
        camera.project(point, x, y);
        EXPECT_NEAR(dot(camera.direction(x, y), normalised(point - camera.place())), 1.0, 1e-6);
    }
}

TEST(Block, has_a_wall_wherever_solid_meets_what_is_not) {
    EXPECT_EQ(wall_edges(make_block(hills(5, 4), 0.0F)).size(), 2U * (4 + 3));
    Field<float> holed = hills(6, 6);
    holed(2, 2) = kNoData;  // takes 2 x 2 quads out of the middle: 8 more edges
    EXPECT_EQ(wall_edges(make_block(holed, 0.0F)).size(), 4U * 5 + 8U);
}

TEST(Block, without_a_square_of_data_is_refused) {
    EXPECT_THAT([] { make_block(Field<float>(Grid{.columns = 3, .rows = 3}, kNoData), 0.0F); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("2 x 2 cells with data")));
}

TEST(RayScene, is_hit_where_a_slope_lies) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    // A plane rising to the east by one half, also with a hole, so that grids and quads are both met.
    Field<float> plane = terrain(90, 80, [](int column, int) { return 50.0 * column; });
    for (const bool holed : {false, true}) {
        if (holed) plane(70, 70) = kNoData;
        const Block block = make_block(plane, -500.0F);
        const RayScene scene(block);
        for (const int column : {3, 40, 64, 85}) {
            const Vector3 vertex = block.vertex(column, 33);
            const Hit hit =
                scene.first_hit({vertex.x + 20.0F, vertex.y + 10.0F, 9000.0F}, {0.0F, 0.0F, -1.0F});
            EXPECT_EQ(hit.part, Part::Surface);
            EXPECT_NEAR(hit.distance, 9000.0F - (vertex.z + 10.0F), 0.5F);
            EXPECT_NEAR(hit.normal.z, 1.0 / std::sqrt(1.25), 1e-3);
        }
        const Vector3 hole = block.vertex(70, 70);
        EXPECT_EQ(scene.first_hit({hole.x, hole.y, 9000.0F}, {0.0F, 0.0F, -1.0F}).part,
                  holed ? Part::Nothing : Part::Surface);
    }
}

TEST(RayScene, shows_walls_from_the_side_and_blocks_the_sun) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Block block = make_block(terrain(20, 20, [](int, int) { return 300.0; }), 0.0F);
    const RayScene scene(block);
    const Hit hit = scene.first_hit({-5000.0F, 0.0F, 150.0F}, {1.0F, 0.0F, 0.0F});
    EXPECT_EQ(hit.part, Part::Wall);
    EXPECT_NEAR(hit.distance, 5000.0F - 950.0F, 0.1F);
    EXPECT_NEAR(hit.normal.x, -1.0, 1e-5);
    EXPECT_TRUE(scene.is_blocked({-5000.0F, 0.0F, 150.0F}, {1.0F, 0.0F, 0.0F}));
    EXPECT_FALSE(scene.is_blocked({-5000.0F, 0.0F, 350.0F}, {1.0F, 0.0F, 0.0F}));
}

TEST(FloorLights, lie_in_shadow_beside_the_block_away_from_the_sun) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Block block = make_block(terrain(20, 20, [](int, int) { return 400.0; }), 0.0F);
    const RayScene scene(block);
    // Sun in the west at 45 degrees: the shadow reaches 400 m to the east of the wall at x = 950.
    const FloorLights floor(scene, block, towards(270.0, 45.0), 1.0, 1500.0, QuietProgress());
    EXPECT_LT(floor.at(1150.0F, 0.0F).sun, 0.05F);
    EXPECT_GT(floor.at(1700.0F, 0.0F).sun, 0.95F);
    EXPECT_GT(floor.at(-1150.0F, 0.0F).sun, 0.95F);
    EXPECT_LT(floor.at(1010.0F, 0.0F).sky, 0.7F);
    EXPECT_GT(floor.at(2300.0F, 0.0F).sky, floor.at(1100.0F, 0.0F).sky);
}

TEST(Ground, of_flat_land_has_full_sky_full_sun_and_no_bounce) {
    const auto flat = terrain(40, 30, [](int, int) { return 120.0; });
    QuietProgress progress;
    const Field<GroundPoint> ground =
        light_ground(flat, flat, land_cover(flat, land_scale(flat), progress), Sun{}, 1.0, progress);
    const GroundPoint point = ground_at(ground, 11.3F, 7.8F);
    EXPECT_NEAR(point.sky, 1.0F, 1e-4F);
    EXPECT_NEAR(point.sun, 1.0F, 1e-4F);
    EXPECT_NEAR(point.bounce, 0.0F, 1e-4F);
    EXPECT_EQ(point.depth, 0.0F);
    EXPECT_GT(point.albedo.green, point.albedo.blue);
}

TEST(Ground, is_greener_low_down_than_on_steep_rock) {
    const auto valley = terrain(
        120, 40, [](int column, int) { return column < 60 ? 0.5 * column : 30.0 + 120.0 * (column - 60); });
    QuietProgress progress;
    const Field<GroundPoint> ground =
        light_ground(valley, valley, land_cover(valley, land_scale(valley), progress), Sun{}, 1.0, progress);
    const auto greenness = [&](int from, int to) {
        double sum = 0.0;
        for (int column = from; column < to; ++column) {
            const Colour albedo = ground(column, 20).albedo;
            sum += albedo.green / (albedo.red + albedo.blue);
        }
        return sum / (to - from);
    };
    EXPECT_GT(greenness(5, 50), 1.15 * greenness(85, 110));
}

TEST(ToneCurve, rises_and_never_passes_white) {
    float before = -1.0F;
    for (float light = 0.0F; light < 20.0F; light += 0.05F) {
        const float shown = tone_curve({light, light, light}).red;
        EXPECT_GE(shown, before);
        EXPECT_LE(shown, 1.0F);
        before = shown;
    }
    EXPECT_GT(before, 0.95F);
}

TEST(View, shows_background_above_and_terrain_in_the_middle) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Image image = view_of(hills(50, 40));
    ASSERT_EQ(image.rgb.size(), 3U * 96 * 64);
    const Colour sky = to_srgb(background(0.0F));
    EXPECT_NEAR(image.rgb[0], to_byte(sky.red), 3);
    const std::size_t middle = 3 * (32 * 96 + 48);
    EXPECT_GT(std::abs(int{image.rgb[middle + 2]} - to_byte(sky.blue)), 40);
}

TEST(View, paints_rivers_blue) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Field<float> elevation = hills(50, 50);
    RiverNetwork rivers;
    for (const double share : {0.3, 0.5, 0.7}) {
        Reach reach;
        for (int i = 0; i <= 10; ++i) reach.points.push_back({5000.0 * i / 10.0, 5000.0 * share, 0.0});
        reach.bankfull_discharge = 10.0;
        rivers.reaches.push_back(reach);
    }
    ViewParameters parameters = small();
    const Image with = view_of(elevation, parameters, &rivers);
    const Image without = view_of(elevation, parameters);
    EXPECT_GT(blueness(with), blueness(without) + 0.3);
    parameters.rivers = false;
    EXPECT_EQ(view_of(elevation, parameters, &rivers).rgb, without.rgb);
}

TEST(View, covers_ground_that_is_rough_from_cell_to_cell_in_patches_not_in_dots) {
    constexpr double kRasterCell = 60.0;  // m
    Field<float> rough(Grid{.columns = 120, .rows = 120, .cell_size = 10.0, .north = 1200.0});
    for (std::int64_t cell = 0; cell < rough.size(); ++cell) {
        const double x = rough.grid().x(rough.grid().column_of(cell));
        const double y = rough.grid().y(rough.grid().row_of(cell));
        const double ripple =
            std::sin(std::numbers::pi * x / kRasterCell) * std::sin(std::numbers::pi * y / kRasterCell);
        rough[cell] = static_cast<float>(0.5 * y + 6.0 * ripple);
    }
    const QuietProgress progress;
    const auto dots = [&](double slope_width) {
        const Field<Colour> cover = land_cover(rough, land_scale(rough, slope_width), progress);
        double sum = 0.0;
        for (int row = 20; row < 100; ++row)
            for (int column = 20; column < 100; ++column)
                sum += std::abs(cover(column, row).red - cover(column + 6, row).red);
        return sum;
    };
    EXPECT_LT(dots(kRasterCell), 0.8 * dots(0.0));
}

TEST(View, lays_water_over_what_is_below_the_sea_alone) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    Field<float> island =
        terrain(40, 40, [](int column, int row) { return 300.0 - 30.0 * std::hypot(column - 20, row - 20); });
    ViewParameters parameters = small();
    const Image land = view_of(island, parameters);
    parameters.sea_level = 0.0;
    EXPECT_GT(blueness(view_of(island, parameters)), blueness(land) + 5.0);
}

TEST(View, shows_on_its_cut_sides_the_ground_that_is_given) {
    const Field<float> elevation = hills(60, 60);
    // Red ground below 400 m, which only the sides show, in the eastern half.
    const GroundColour cut = [&](const Position& position, double height) {
        return height < 400.0 && position.x > 3000.0 ? srgb(0xff0000) : srgb(0x808080);
    };
    QuietProgress progress;
    const auto red = [](const Image& image, int from, int to) {
        int count = 0;
        for (int y = 0; y < image.height; ++y)
            for (int x = from; x < to; ++x) {
                const std::uint8_t* p =
                    image.rgb.data() + 3 * (static_cast<std::size_t>(y) * image.width + x);
                count += p[0] > 2 * p[1] && p[0] > 2 * p[2] ? 1 : 0;
            }
        return count;
    };
    ViewParameters from_south = small();
    from_south.azimuth = 180.0;
    const Image image = draw_view(elevation, nullptr, from_south, progress, {.cut = cut});
    EXPECT_EQ(red(view_of(elevation, from_south), 0, image.width), 0);
    EXPECT_GT(red(image, image.width / 2 + 2, image.width), 20);
    EXPECT_EQ(red(image, 0, image.width / 2 - 2), 0);
}

TEST(View, of_the_same_terrain_is_the_same_at_two_resolutions) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    EXPECT_LT(difference(view_of(hills(64, 64, 80.0)), view_of(hills(256, 256, 20.0))), 4.0);
}

TEST(View, has_the_same_pixels_on_any_number_of_threads) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Field<float> elevation = hills(120, 90);
    const ExecutionScope on_one_thread({.threads = 1});
    const Image one = view_of(elevation);
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(view_of(elevation).rgb, one.rgb) << threads;
    }
}

TEST(View, draws_flat_slender_tiny_and_holed_terrain) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    Field<float> holed = hills(30, 30);
    for (int row = 0; row < 12; ++row)
        for (int column = 0; column < 30; ++column) holed(column, row) = kNoData;
    for (const Field<float>& field : {terrain(1, 1, [](int, int) { return 0.0; }), hills(1, 50), hills(50, 1),
                                      hills(2, 2), terrain(9, 9, [](int, int) { return -7.0; }), holed})
        EXPECT_EQ(view_of(field).width, 96);
}

TEST(View, refuses_terrain_without_data) {
    EXPECT_THAT([] { view_of(Field<float>(Grid{.columns = 6, .rows = 3}, kNoData)); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("elevation of 6 x 3 cells")));
}

TEST(View, stops_when_it_is_cancelled) {
    QuietProgress progress;
    progress.cancel();
    EXPECT_THROW(draw_view(hills(20, 20), nullptr, small(), progress), Cancelled);
}

TEST(View, without_embree_says_so) {
    if (can_draw_views()) GTEST_SKIP() << "built with Embree";
    EXPECT_THAT([] { view_of(hills(9, 9)); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("THALWEG_WITH_EMBREE")));
}

TEST(View, has_walls_that_face_the_slanting_outline_of_the_data) {
    // Data below a diagonal: its stairs face north and east by turns, the outline north-east.
    const Block block = make_block(
        terrain(40, 40, [](int column, int row) { return row > column ? 10.0 : double{kNoData}; }), 0.0F);
    const Outline outline(block);
    for (const Vector3 stair : {Vector3{0.0F, 1.0F, 0.0F}, Vector3{1.0F, 0.0F, 0.0F}}) {
        const Vector3 normal = outline.outward(block.vertex(20, 21), stair);
        EXPECT_NEAR(normal.x, std::sqrt(0.5), 0.05);
        EXPECT_NEAR(normal.y, std::sqrt(0.5), 0.05);
    }
    const Vector3 south = outline.outward(block.vertex(10, 39), {0.0F, -1.0F, 0.0F});
    EXPECT_EQ(south.y, -1.0F);
}

TEST(View, declares_every_parameter_with_unit_sentence_and_a_default_in_range) {
    for (const Parameter& parameter : parameters_of<ViewParameters>().parameters()) {
        EXPECT_FALSE(parameter.notes.sentence.empty()) << parameter.name;
        ViewParameters target;
        EXPECT_NO_THROW(parameter.set(&target, parameter.default_value)) << parameter.name;
    }
}

TEST(View, with_a_common_scale_shows_that_a_terrain_has_grown) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Field<float> old = hills(60, 60);
    Field<float> young = old;
    for (float& z : young) z *= 0.4F;
    const double by_own_scales = difference(view_of(young), view_of(old));
    ViewParameters parameters = small();
    parameters.scale = CommonScale{{0.0, 800.0}, &old};
    const double by_one_scale = difference(view_of(young, parameters), view_of(old, parameters));
    EXPECT_LT(by_own_scales, 0.4 * by_one_scale);
}

TEST(View, with_a_common_scale_keeps_its_camera) {
    if (!can_draw_views()) GTEST_SKIP() << "built without Embree";
    const Field<float> old = hills(60, 60);
    ViewParameters parameters = small();
    parameters.scale = CommonScale{{0.0, 800.0}, &old};
    // The foot of the block's near corner, a dark wall on a bright table, stays where it is.
    const auto lowest_dark_row = [&](const Field<float>& shown) {
        const Image image = view_of(shown, parameters);
        for (int y = image.height - 1; y >= 0; --y)
            for (int x = 0; x < image.width; ++x) {
                const std::size_t at =
                    3 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
                if (image.rgb[at] < 150) return y;
            }
        return -1;
    };
    Field<float> young = old;
    for (float& z : young) z *= 0.2F;
    EXPECT_GT(lowest_dark_row(old), 32);
    EXPECT_NEAR(lowest_dark_row(young), lowest_dark_row(old), 1);
}

}  // namespace
}  // namespace thalweg
