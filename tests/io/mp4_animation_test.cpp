#include "thalweg/io/animation.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/io/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <wels/codec_api.h>

namespace thalweg {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Rgb = std::array<int, 3>;
using Span = std::span<const std::byte>;

constexpr Rgb kRed = {220, 30, 20};
constexpr Rgb kBlue = {20, 40, 200};
constexpr Rgb kPaper = {247, 244, 238};

/// Left half in one colour, right half in another.
Image halves(int width, int height, Rgb left, Rgb right) {
    Image image{.width = width, .height = height, .rgb = {}};
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            for (const int value : 2 * column < width ? left : right)
                image.rgb.push_back(static_cast<std::uint8_t>(value));
    return image;
}

std::uint32_t number_at(Span bytes, std::size_t at, int size = 4) {
    std::uint32_t number = 0;
    for (int i = 0; i < size; ++i)
        number = number << 8 | std::to_integer<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]);
    return number;
}

std::string text_at(Span bytes, std::size_t at) {
    std::string text;
    for (std::size_t i = at; i < at + 4; ++i) text += static_cast<char>(bytes[i]);
    return text;
}

/// What is in the box at the end of the path.
Span box_at(Span bytes, const std::vector<std::string>& path) {
    for (const std::string& name : path) {
        std::size_t at = 0;
        while (at + 8 <= bytes.size() && text_at(bytes, at + 4) != name) at += number_at(bytes, at);
        if (at + 8 > bytes.size()) return {};
        bytes = bytes.subspan(at + 8, number_at(bytes, at) - 8);
    }
    return bytes;
}

Span table(Span file, const std::string& name) {
    return box_at(file, {"moov", "trak", "mdia", "minf", "stbl", name});
}

/// What a player shows.
struct Shown {
    int width = 0;
    int height = 0;
    std::vector<Rgb> left;   // of each picture, a quarter from its left edge
    std::vector<Rgb> right;  // likewise from its right edge
};

Rgb colour_of(double brightness, double blue, double red) {
    const double y = (brightness - 16.0) * 255.0 / 219.0;
    const double b = y + (blue - 128.0) * 255.0 / 224.0 * 2.0 * (1.0 - 0.0722);
    const double r = y + (red - 128.0) * 255.0 / 224.0 * 2.0 * (1.0 - 0.2126);
    const double g = (y - 0.2126 * r - 0.0722 * b) / 0.7152;
    return {static_cast<int>(std::lround(r)), static_cast<int>(std::lround(g)),
            static_cast<int>(std::lround(b))};
}

class Decoder {
  public:
    Decoder() {
        WelsCreateDecoder(&decoder_);
        SDecodingParam parameters{};
        parameters.sVideoProperty.eVideoBsType = VIDEO_BITSTREAM_AVC;
        parameters.eEcActiveIdc = ERROR_CON_DISABLE;
        decoder_->Initialize(&parameters);
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() {
        decoder_->Uninitialize();
        WelsDestroyDecoder(decoder_);
    }

    /// Takes units, each behind a start of its own.
    void take(const std::vector<std::uint8_t>& units, Shown& shown) {
        std::array<unsigned char*, 3> planes{};
        SBufferInfo info{};
        EXPECT_EQ(
            decoder_->DecodeFrameNoDelay(units.data(), static_cast<int>(units.size()), planes.data(), &info),
            dsErrorFree);
        if (info.iBufferStatus != 1) return;
        const SSysMEMBuffer& buffer = info.UsrData.sSystemBuffer;
        shown.width = buffer.iWidth;
        shown.height = buffer.iHeight;
        const auto colour_at = [&](int x, int y) {
            const int half = (y / 2) * buffer.iStride[1] + x / 2;
            return colour_of(planes[0][y * buffer.iStride[0] + x], planes[1][half], planes[2][half]);
        };
        shown.left.push_back(colour_at(buffer.iWidth / 4, buffer.iHeight / 2));
        shown.right.push_back(colour_at(buffer.iWidth - 2, buffer.iHeight - 2));
    }

  private:
    ISVCDecoder* decoder_ = nullptr;
};

void append_unit(std::vector<std::uint8_t>& units, Span unit) {
    units.insert(units.end(), {0, 0, 0, 1});
    for (const std::byte byte : unit) units.push_back(std::to_integer<std::uint8_t>(byte));
}

/// Both sets of parameters.
std::vector<std::uint8_t> parameters_of_film(Span file) {
    const Span entry = table(file, "stsd").subspan(8 + 8 + 78);
    const Span settings = box_at(entry, {"avcC"});
    std::vector<std::uint8_t> units;
    const std::size_t first = number_at(settings, 6, 2);
    append_unit(units, settings.subspan(8, first));
    append_unit(units, settings.subspan(8 + first + 3, number_at(settings, 8 + first + 1, 2)));
    return units;
}

Shown play_film(Span file) {
    Decoder decoder;
    Shown shown;
    decoder.take(parameters_of_film(file), shown);
    const Span sizes = table(file, "stsz");
    std::size_t at = number_at(table(file, "stco"), 8);
    for (std::size_t i = 0; i < number_at(sizes, 8); ++i) {
        const std::size_t end = at + number_at(sizes, 12 + 4 * i);
        std::vector<std::uint8_t> units;
        while (at < end) {
            const std::size_t size = number_at(file, at);
            append_unit(units, file.subspan(at + 4, size));
            at += 4 + size;
        }
        decoder.take(units, shown);
    }
    EXPECT_EQ(at, file.size());
    return shown;
}

void expect_near(const Rgb& found, const Rgb& drawn) {
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i], drawn[i], 6);
}

std::vector<std::byte> film_of(int width, int height, int pictures, double frame_rate, double rest) {
    Mp4Animation film(width, height, frame_rate, rest);
    for (int i = 0; i < pictures; ++i)
        film.add(i % 2 == 0 ? halves(width, height, kRed, kPaper) : halves(width, height, kBlue, kRed));
    return film.finish();
}

TEST(Mp4Animation, shows_its_pictures_in_their_order_and_colours) {
    const std::vector<std::byte> film = film_of(96, 64, 40, 10.0, 1.5);
    const Shown shown = play_film(film);
    EXPECT_EQ(shown.width, 96);
    EXPECT_EQ(shown.height, 64);
    ASSERT_EQ(shown.left.size(), 40U);
    for (std::size_t i = 0; i < 40; ++i) {
        expect_near(shown.left[i], i % 2 == 0 ? kRed : kBlue);
        expect_near(shown.right[i], i % 2 == 0 ? kPaper : kRed);
    }
}

TEST(Mp4Animation, of_odd_sides_goes_on_to_even_ones_with_clean_edges) {
    for (const auto& [side, coded] : {std::pair{97, 98}, {64, 64}, {80, 80}, {5, 6}, {1, 2}}) {
        Mp4Animation film(side, 33, 10.0, 1.0);
        EXPECT_EQ(film.width(), coded);
        EXPECT_EQ(film.height(), 34);
        film.add(halves(side, 33, kRed, kRed));
        const std::vector<std::byte> bytes = film.finish();
        const Shown shown = play_film(bytes);
        EXPECT_EQ(shown.width, coded);
        EXPECT_EQ(shown.height, 34);
        ASSERT_EQ(shown.right.size(), 1U);
        expect_near(shown.right[0], kRed);
    }
}

TEST(Mp4Animation, holds_each_picture_for_its_time_and_the_last_one_longer) {
    const std::vector<std::byte> film = film_of(32, 32, 3, 12.0, 2.0);
    const Span media = box_at(film, {"moov", "trak", "mdia", "mdhd"});
    EXPECT_EQ(number_at(media, 12), 30000U);
    EXPECT_EQ(number_at(media, 16), 2U * 2500U + 60000U);
    const Span times = table(film, "stts");
    EXPECT_EQ(number_at(times, 4), 2U);
    EXPECT_THAT(
        (std::array{number_at(times, 8), number_at(times, 12), number_at(times, 16), number_at(times, 20)}),
        ElementsAre(2U, 2500U, 1U, 60000U));
    EXPECT_GE(number_at(table(film, "stss"), 4), 1U);
}

TEST(Mp4Animation, that_is_equal_gives_equal_bytes) {
    EXPECT_EQ(film_of(96, 64, 30, 12.0, 2.0), film_of(96, 64, 30, 12.0, 2.0));
}

TEST(Mp4Animation, without_pixels_or_with_too_many_is_refused) {
    for (const int side : {0, -3, kLargestAnimationSide + 1})
        EXPECT_THAT(error_of([&] { Mp4Animation(side, 20, 10.0, 1.0); }).what(),
                    HasSubstr(std::to_string(side) + " x 20 pixels is not allowed: give sides from 1"));
    const Error error = error_of([] { Mp4Animation(4096, 4096, 10.0, 1.0); });
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_THAT(error.what(), HasSubstr("4096 x 4096 pixels is not allowed: give at most 9437184 pixels"));
}

TEST(AnimationFormat, is_told_by_the_ending_of_the_name) {
    EXPECT_EQ(animation_format_of("a/b.webp"), AnimationFormat::Webp);
    EXPECT_EQ(animation_format_of("b.MP4"), AnimationFormat::Mp4);
    for (const char* name : {"a.gif", "mp4", "a.mp4.txt"})
        EXPECT_EQ(error_of([&] { (void)animation_format_of(name); }).what(),
                  std::string(name) + " is not allowed: give a name that ends in .webp or .mp4");
    EXPECT_THAT(error_of([] { (void)animation_format_of(""); }).what(), HasSubstr("\"\" is not allowed"));
}

}  // namespace
}  // namespace thalweg
