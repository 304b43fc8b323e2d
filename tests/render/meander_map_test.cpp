#include "thalweg/render/meander_map.hpp"

#include "thalweg/core/execution.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "tests/meander/histories.hpp"
#include "tests/refusal.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using Rgb = std::array<int, 3>;

/// 4 km x 2 km from x = 0, y = -500 to 1500 m: at 400 pixels, 10 m each.
const Grid kPlace{.columns = 80, .rows = 40, .cell_size = 50.0, .west = 0.0, .north = 1500.0};
const MeanderMapStyle kStyle{.size = 400};

Rgb pixel_at(const Image& image, double x, double y) {
    const auto column = static_cast<std::size_t>(x / 10.0);
    const auto row = static_cast<std::size_t>((1500.0 - y) / 10.0);
    const std::size_t first = 3 * (row * static_cast<std::size_t>(image.width) + column);
    return {image.rgb[first], image.rgb[first + 1], image.rgb[first + 2]};
}

int difference(const Rgb& a, const Rgb& b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

bool is_blue(const Rgb& colour) {
    return colour[2] > colour[0] + 30 && colour[2] > colour[1] + 10;
}

Image drawn(const MeanderHistory& history, const MeanderMapStyle& style = kStyle,
            std::optional<double> year = {}) {
    QuietProgress progress;
    return draw_meander_map(history, kPlace, style, progress, year);
}

TEST(MeanderMap, shows_the_channel_where_it_is_and_sand_and_woods_behind_it) {
    const Image image = drawn(moving_channel(10.0, 5.0, 100.0));
    ASSERT_EQ(image.width, 400);
    ASSERT_EQ(image.height, 200);
    const Rgb channel = pixel_at(image, 2005.0, 1000.0);
    const Rgb sand = pixel_at(image, 2005.0, 925.0);
    const Rgb old = pixel_at(image, 2005.0, 55.0);
    const Rgb ground = pixel_at(image, 2005.0, 1305.0);
    EXPECT_TRUE(is_blue(channel));
    EXPECT_GT(sand[0], sand[2] + 30);
    EXPECT_GT(sand[0], 180);
    EXPECT_GT(old[1], old[0]);
    EXPECT_GT(difference(sand, old), 120);
    EXPECT_GT(difference(old, ground), 30);
    EXPECT_LT(difference(pixel_at(image, 2005.0, -300.0), ground), 60);
    // In its true width, 10 pixels.
    int water = 0;
    for (double y = 905.0; y < 1100.0; y += 10.0) water += is_blue(pixel_at(image, 2005.0, y)) ? 1 : 0;
    EXPECT_NEAR(water, 10, 1);
}

TEST(MeanderMap, shows_a_thin_channel_on_a_small_picture) {
    const Image image = drawn(moving_channel(0.0, 5.0, 10.0, 2.0));
    EXPECT_TRUE(is_blue(pixel_at(image, 2005.0, 1.0)) || is_blue(pixel_at(image, 2005.0, -1.0)));
}

TEST(MeanderMap, shows_lakes_that_fade_as_they_fill) {
    MeanderHistory history =
        history_of([](double) { return straight_line(4000.0, -400.0, 100.0); }, 10.0, 200.0);
    std::vector<RiverPoint> points;
    for (int i = 0; i <= 60; ++i) {
        const double angle = 1.25 * std::numbers::pi - 1.5 * std::numbers::pi * i / 60.0;
        points.push_back({2000.0 + 400.0 * std::cos(angle), 600.0 + 400.0 * std::sin(angle), 0.0});
    }
    history.courses.push_back(
        {.id = 7, .reach = 1, .year = 0.0, .line = channel_line(points, 100.0, 3.0, 80.0)});
    const Rgb young = pixel_at(drawn(history, kStyle, 10.0), 2005.0, 1000.0);
    const Rgb later = pixel_at(drawn(history, kStyle, 200.0), 2005.0, 1000.0);
    EXPECT_TRUE(is_blue(young));
    EXPECT_FALSE(is_blue(later));
    MeanderMapStyle quick = kStyle;
    quick.maps.oxbow_fill_time = 10.0;
    EXPECT_GT(difference(pixel_at(drawn(history, quick, 200.0), 2005.0, 1000.0), later), 5);
}

TEST(MeanderMap, shows_the_light_on_ground_that_is_given) {
    Field<float> elevation(kPlace);
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        elevation[cell] = static_cast<float>(100.0 * std::sin(0.3 * static_cast<double>(cell % 80)));
    MeanderMapStyle style = kStyle;
    style.elevation = &elevation;
    const Image image = drawn(moving_channel(10.0, 5.0, 20.0), style);
    int lightest = 0;
    int darkest = 255;
    for (double x = 5.0; x < 4000.0; x += 10.0) {
        const Rgb here = pixel_at(image, x, 1205.0);
        lightest = std::max(lightest, here[1]);
        darkest = std::min(darkest, here[1]);
    }
    EXPECT_GT(lightest, darkest + 40);
}

TEST(MeanderMap, is_the_same_whichever_years_were_drawn_before_and_on_any_number_of_threads) {
    const MeanderHistory history = simulated_history(4000.0, 40.0, 120.0, 5.0);
    const auto drawn_on = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        return drawn(history).rgb;
    };
    const auto expected = drawn_on(1);
    EXPECT_EQ(drawn_on(2), expected);
    EXPECT_EQ(drawn_on(8), expected);
    QuietProgress progress;
    MeanderMap map(history, kPlace, kStyle);
    for (const double year : {0.0, 30.0, 65.0}) map.draw(year, progress);
    EXPECT_EQ(map.draw(120.0, progress).rgb, expected);
}

TEST(MeanderMap, of_no_channel_is_ground) {
    const Image image = drawn({});
    EXPECT_EQ(image.width, 400);
    EXPECT_FALSE(is_blue(pixel_at(image, 2005.0, 505.0)));
    EXPECT_LT(difference(pixel_at(image, 2005.0, 505.0), pixel_at(image, 405.0, 905.0)), 80);
}

TEST(MeanderMap, has_a_legend_and_a_title_where_they_are_wanted) {
    MeanderMapStyle style = kStyle;
    style.legend = true;
    style.title = "Year 100";
    const MeanderHistory history = moving_channel(10.0, 5.0, 100.0);
    const Image image = drawn(history, style);
    EXPECT_EQ(std::max(image.width, image.height), 400);
    EXPECT_EQ(image.rgb[0], 0xF7);
    style.colours = MeanderColours::Ages;
    EXPECT_NE(drawn(history, style).rgb, image.rgb);
}

TEST(MeanderMap, refuses_years_that_go_back) {
    const MeanderHistory history = moving_channel(10.0, 5.0, 20.0);
    MeanderMap map(history, kPlace, kStyle);
    QuietProgress progress;
    map.draw(15.0, progress);
    EXPECT_EQ(refusal_of([&] { map.draw(10.0, progress); }),
              "year 10 lies before year 15, which has been drawn: years never go back");
}

TEST(MeanderMap, refuses_sizes_and_grids_that_are_none) {
    const MeanderHistory history = moving_channel(10.0, 5.0, 20.0);
    EXPECT_NE(refusal_of([&] { drawn(history, {.size = 3}); }), "");
    QuietProgress progress;
    EXPECT_NE(refusal_of([&] { draw_meander_map(history, Grid{}, kStyle, progress); }), "");
}

}  // namespace
}  // namespace thalweg
