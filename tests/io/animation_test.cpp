#include "thalweg/io/animation.hpp"

#include <array>
#include <cstdlib>
#include <string>

#include "tests/io/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <webp/demux.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rgb = std::array<int, 3>;

Image plain(int width, int height, Rgb colour) {
    Image image{.width = width, .height = height, .rgb = {}};
    for (int cell = 0; cell < width * height; ++cell)
        for (const int value : colour) image.rgb.push_back(static_cast<std::uint8_t>(value));
    return image;
}

/// What a player shows.
struct Played {
    int width = 0;
    int height = 0;
    int loops = -1;
    std::vector<int> ends;     // ms, of each frame
    std::vector<Rgb> corners;  // upper left pixel of each frame
};

Played play(const std::vector<std::byte>& bytes) {
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
    WebPAnimDecoder* decoder = WebPAnimDecoderNew(&data, nullptr);
    Played played;
    if (decoder == nullptr) return played;
    WebPAnimInfo info;
    WebPAnimDecoderGetInfo(decoder, &info);
    played.width = static_cast<int>(info.canvas_width);
    played.height = static_cast<int>(info.canvas_height);
    played.loops = static_cast<int>(info.loop_count);
    while (WebPAnimDecoderHasMoreFrames(decoder) != 0) {
        std::uint8_t* rgba = nullptr;
        int end = 0;
        WebPAnimDecoderGetNext(decoder, &rgba, &end);
        played.ends.push_back(end);
        played.corners.push_back({rgba[0], rgba[1], rgba[2]});
    }
    WebPAnimDecoderDelete(decoder);
    return played;
}

constexpr Rgb kRed = {220, 30, 20};
constexpr Rgb kBlue = {20, 40, 200};

std::vector<std::byte> red_and_blue(double frame_rate, double rest) {
    WebpAnimation animation(37, 25, frame_rate, rest);
    for (const Rgb& colour : {kRed, kBlue, kRed}) animation.add(plain(37, 25, colour));
    return animation.finish();
}

TEST(Animation, plays_its_pictures_in_order_for_ever) {
    const Played played = play(red_and_blue(10.0, 1.5));
    EXPECT_EQ(played.width, 37);
    EXPECT_EQ(played.height, 25);
    EXPECT_EQ(played.loops, 0);  // for ever
    EXPECT_THAT(played.ends, ElementsAre(100, 200, 1700));
    ASSERT_EQ(played.corners.size(), 3U);
    const auto expect_near = [](const Rgb& found, const Rgb& drawn) {
        for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], drawn[i], 12);
    };
    expect_near(played.corners[0], kRed);
    expect_near(played.corners[1], kBlue);
    expect_near(played.corners[2], kRed);
}

TEST(Animation, of_one_picture_is_a_picture) {
    WebpAnimation animation(8, 8, 12.0, 2.0);
    animation.add(plain(8, 8, kRed));
    EXPECT_EQ(play(animation.finish()).corners.size(), 1U);
}

TEST(Animation, shows_equal_pictures_for_as_long_as_they_take_together) {
    WebpAnimation animation(16, 16, 10.0, 1.0);
    for (const Rgb& colour : {kRed, kRed, kRed, kBlue, kBlue}) animation.add(plain(16, 16, colour));
    const Played played = play(animation.finish());
    ASSERT_GE(played.ends.size(), 2U);
    EXPECT_EQ(played.ends.back(), 1400);
}

TEST(Animation, that_is_equal_gives_equal_bytes) {
    EXPECT_EQ(red_and_blue(12.0, 2.0), red_and_blue(12.0, 2.0));
}

TEST(Animation, without_pixels_or_with_too_many_is_refused) {
    for (const int side : {0, -3, kLargestAnimationSide + 1}) {
        const Error error = error_of([&] { WebpAnimation(side, 20, 10.0, 1.0); });
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_THAT(error.what(), HasSubstr(std::to_string(side) + " x 20 pixels is not allowed"));
    }
}

}  // namespace
}  // namespace thalweg
