#include "thalweg/render/colour_map.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(Colour, linear_light_and_srgb_undo_each_other) {
    for (int i = 0; i <= 20; ++i) {
        const float s = static_cast<float>(i) / 20.0F;
        const Colour back = to_srgb(to_linear({s, 1.0F - s, 0.5F}));
        EXPECT_NEAR(back.red, s, 1e-6);
        EXPECT_NEAR(back.green, 1.0F - s, 1e-6);
    }
    EXPECT_NEAR(to_linear({0.5F, 0.5F, 0.5F}).red, 0.21404, 1e-5);  // IEC 61966-2-1
}

TEST(Colour, lightness_runs_from_black_to_white) {
    EXPECT_NEAR(lightness({0.0F, 0.0F, 0.0F}), 0.0, 1e-4);
    EXPECT_NEAR(lightness({1.0F, 1.0F, 1.0F}), 100.0, 1e-3);
    EXPECT_NEAR(lightness(srgb(0x777777)), 50.03, 0.05);
}

TEST(Colour, bytes_are_rounded_and_cut_off) {
    EXPECT_EQ(to_byte(-1.0F), 0);
    EXPECT_EQ(to_byte(2.0F), 255);
    EXPECT_EQ(to_byte(0.5F), 128);
}

TEST(ColourMap, gives_its_stops_and_what_lies_between) {
    const ColourMap map("test", "here",
                        {{0.0, {0.0F, 0.0F, 0.0F}}, {0.25, {1.0F, 0.0F, 0.0F}}, {1.0, {1.0F, 1.0F, 1.0F}}});
    EXPECT_EQ(map.at(0.25), (Colour{1.0F, 0.0F, 0.0F}));
    EXPECT_NEAR(map.at(0.125).red, 0.5, 1e-6);
    EXPECT_EQ(map.at(-3.0), map.at(0.0));
    EXPECT_EQ(map.at(3.0), map.at(1.0));
    EXPECT_EQ(map.at(std::numeric_limits<double>::quiet_NaN()), map.at(0.0));
}

TEST(ColourMap, perceptual_scales_change_evenly_in_lightness) {
    for (const auto& [scale, sign] : {std::pair{Scale::Viridis, 1.0F},
                                      {Scale::Magma, 1.0F},
                                      {Scale::Cividis, 1.0F},
                                      {Scale::Water, -1.0F}}) {
        const ColourMap& map = colour_map(scale);
        const float whole = sign * (lightness(map.at(1.0)) - lightness(map.at(0.0)));
        EXPECT_GT(whole, 60.0F) << map.name();
        for (int i = 0; i < 64; ++i) {
            const float step = sign * (lightness(map.at((i + 1) / 64.0)) - lightness(map.at(i / 64.0)));
            EXPECT_GT(step, 0.4F * whole / 64.0F) << map.name() << " at " << i;
            EXPECT_LT(step, 1.8F * whole / 64.0F) << map.name() << " at " << i;
        }
    }
}

TEST(ColourMap, of_signed_values_is_lightest_in_the_middle) {
    const ColourMap& map = colour_map(Scale::Vik);
    for (int i = 0; i < 30; ++i) {
        EXPECT_LT(lightness(map.at(i / 62.0)), lightness(map.at((i + 1) / 62.0)));
        EXPECT_LT(lightness(map.at(1.0 - i / 62.0)), lightness(map.at(1.0 - (i + 1) / 62.0)));
    }
}

TEST(ColourMap, every_scale_names_its_source) {
    for (const Scale scale : {Scale::Viridis, Scale::Magma, Scale::Cividis, Scale::Water, Scale::Vik})
        EXPECT_FALSE(colour_map(scale).source().empty());
    for (const LandTint tint : {LandTint::Natural, LandTint::Dry, LandTint::Grey})
        EXPECT_FALSE(land_tint(tint).source().empty());
    EXPECT_FALSE(sea_tint().source().empty());
}

TEST(ColourMap, land_tints_are_light_enough_to_be_shaded) {
    for (const LandTint tint : {LandTint::Natural, LandTint::Dry, LandTint::Grey})
        for (int i = 0; i <= 50; ++i) EXPECT_GT(lightness(land_tint(tint).at(i / 50.0)), 55.0F);
}

TEST(CategoryColour, differs_clearly_between_ids_that_follow_each_other) {
    for (std::int64_t id = 0; id < 200; ++id) {
        const Colour a = category_colour(id);
        EXPECT_NEAR(lightness(a), 74.0, 6.0) << id;
        for (std::int64_t other = id + 1; other < id + 5; ++other) {
            const Colour b = category_colour(other);
            const double apart = std::hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
            EXPECT_GT(apart, 0.12) << id << ' ' << other;
        }
    }
}

}  // namespace
}  // namespace thalweg
