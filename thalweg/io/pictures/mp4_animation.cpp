#include "thalweg/core/error.hpp"
#include "thalweg/io/animation.hpp"
#include "thalweg/io/pictures/film_crop.hpp"
#include "thalweg/io/pictures/mp4_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <wels/codec_api.h>

namespace thalweg {

/// Brightness of all pixels and two differences of colour of every 2 x 2, as BT.709 has them.
struct FilmPlanes {
    int width;
    int height;
    std::vector<unsigned char> brightness;
    std::array<std::vector<unsigned char>, 2> colours;  // blue, red

    FilmPlanes(int columns, int rows)
        : width(columns),
          height(rows),
          brightness(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows)) {
        for (auto& plane : colours) plane.resize(brightness.size() / 4);
    }
};

namespace {

constexpr int kQuantiser = 22;           // of 51; letters stay clean, files are two thirds of those of WebP
constexpr int kPicturesAtMost = 24;      // from one that stands alone to the next
constexpr int kMacroblock = 16;          // pixels, side
constexpr int kMostMacroblocks = 36864;  // of H.264 level 5.2
constexpr std::uint32_t kTicksPerSecond = 30000;
constexpr std::size_t kLengthBytes = 4;

/// An even side, as half the pixels hold colour.
int even_side(int side) {
    return side + side % 2;
}

int macroblocks(int side) {
    return (side + kMacroblock - 1) / kMacroblock;
}

/// What is coded, of which a part is shown. The encoder itself would go on in black beyond the edge, which
/// darkens what lies before it.
int coded_side(int side) {
    return macroblocks(side) * kMacroblock;
}

/// Red, green and blue of 0 to 255, summed over pixels.
struct ColourSum {
    double red = 0.0;
    double green = 0.0;
    double blue = 0.0;

    [[nodiscard]] double brightness() const { return 0.2126 * red + 0.7152 * green + 0.0722 * blue; }
};

unsigned char byte_of(double value) {
    return static_cast<unsigned char>(std::clamp(std::lround(value), 0L, 255L));
}

/// Pixels beyond the picture are those of its edge.
ColourSum colour_at(const Image& image, int column, int row) {
    const auto x = static_cast<std::size_t>(std::min(column, image.width - 1));
    const auto y = static_cast<std::size_t>(std::min(row, image.height - 1));
    const std::size_t first = 3 * (y * static_cast<std::size_t>(image.width) + x);
    return {static_cast<double>(image.rgb[first]), static_cast<double>(image.rgb[first + 1]),
            static_cast<double>(image.rgb[first + 2])};
}

void fill_planes(const Image& image, FilmPlanes& planes) {
    constexpr double kBlueRange = 2.0 * (1.0 - 0.0722);
    constexpr double kRedRange = 2.0 * (1.0 - 0.2126);
    for (int row = 0; row < planes.height; row += 2)
        for (int column = 0; column < planes.width; column += 2) {
            ColourSum sum;
            for (const auto& [x, y] : {std::pair{column, row}, std::pair{column + 1, row},
                                       std::pair{column, row + 1}, std::pair{column + 1, row + 1}}) {
                const ColourSum colour = colour_at(image, x, y);
                planes.brightness[static_cast<std::size_t>(y) * static_cast<std::size_t>(planes.width) +
                                  static_cast<std::size_t>(x)] =
                    byte_of(16.0 + 219.0 / 255.0 * colour.brightness());
                sum.red += 0.25 * colour.red;
                sum.green += 0.25 * colour.green;
                sum.blue += 0.25 * colour.blue;
            }
            const std::size_t cell =
                static_cast<std::size_t>(row / 2) * static_cast<std::size_t>(planes.width / 2) +
                static_cast<std::size_t>(column / 2);
            planes.colours[0][cell] =
                byte_of(128.0 + 224.0 / 255.0 * (sum.blue - sum.brightness()) / kBlueRange);
            planes.colours[1][cell] =
                byte_of(128.0 + 224.0 / 255.0 * (sum.red - sum.brightness()) / kRedRange);
        }
}

SEncParamExt film_settings(ISVCEncoder& encoder, int width, int height, double frame_rate) {
    constexpr unsigned char kBt709 = 1;
    SEncParamExt settings{};
    encoder.GetDefaultParams(&settings);
    settings.iUsageType = CAMERA_VIDEO_REAL_TIME;
    settings.iPicWidth = width;
    settings.iPicHeight = height;
    settings.fMaxFrameRate = static_cast<float>(std::max(1.0, frame_rate));
    settings.iRCMode = RC_OFF_MODE;  // one quality, whatever the size
    settings.bEnableFrameSkip = false;
    settings.uiIntraPeriod = kPicturesAtMost;
    settings.eSpsPpsIdStrategy = CONSTANT_ID;
    settings.iMultipleThreadIdc = 1;  // equal bytes
    settings.bEnableDenoise = false;
    settings.bEnableBackgroundDetection = false;
    settings.bEnableAdaptiveQuant = false;
    SSpatialLayerConfig& layer = settings.sSpatialLayers[0];
    layer.iVideoWidth = width;
    layer.iVideoHeight = height;
    layer.fFrameRate = settings.fMaxFrameRate;
    layer.uiProfileIdc = PRO_BASELINE;  // which every player knows
    layer.iDLayerQp = kQuantiser;
    layer.sSliceArgument.uiSliceMode = SM_SINGLE_SLICE;
    layer.bVideoSignalTypePresent = true;
    layer.uiVideoFormat = VF_UNDEF;
    layer.bFullRange = false;
    layer.bColorDescriptionPresent = true;
    layer.uiColorPrimaries = layer.uiTransferCharacteristics = layer.uiColorMatrix = kBt709;
    return settings;
}

/// A unit without the zeros and the one before it.
std::span<const unsigned char> without_start(std::span<const unsigned char> unit) {
    const auto one = std::ranges::find(unit, static_cast<unsigned char>(1));
    return unit.subspan(static_cast<std::size_t>(one - unit.begin()) + 1);
}

}  // namespace

struct Mp4Animation::Encoder {
    ISVCEncoder* codec = nullptr;
    FilmPlanes planes;
    double frame_time;  // s
    double rest;        // s
    Mp4Film film;

    Encoder(int width, int height, double frame_rate, double last_rest)
        : planes(coded_side(width), coded_side(height)),
          frame_time(1.0 / frame_rate),
          rest(last_rest),
          film{.width = width, .height = height, .ticks_per_second = kTicksPerSecond} {
        if (WelsCreateSVCEncoder(&codec) != 0) throw std::bad_alloc();
        int silence = WELS_LOG_QUIET;
        codec->SetOption(ENCODER_OPTION_TRACE_LEVEL, &silence);
        const SEncParamExt settings = film_settings(*codec, planes.width, planes.height, frame_rate);
        if (codec->InitializeExt(&settings) == cmResultSuccess) return;
        WelsDestroySVCEncoder(codec);
        fail();
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() {
        codec->Uninitialize();
        WelsDestroySVCEncoder(codec);
    }

    /// When the picture of this number begins.
    [[nodiscard]] std::uint32_t ticks(std::size_t picture, double rest_after = 0.0) const {
        const double seconds = static_cast<double>(picture) * frame_time + rest_after;
        return static_cast<std::uint32_t>(std::llround(seconds * kTicksPerSecond));
    }

    void add_unit(std::span<const unsigned char> unit, Mp4Picture& picture) {
        constexpr int kTypes = 0x1F;  // bits of the first byte
        constexpr int kSequenceParameters = 7;
        constexpr int kPictureParameters = 8;
        const auto bytes = std::as_bytes(without_start(unit));
        const int type = std::to_integer<int>(bytes.front()) & kTypes;
        if (type == kSequenceParameters) {
            film.sequence_parameters =
                with_crop(bytes, planes.width - film.width, planes.height - film.height);
        } else if (type == kPictureParameters) {
            film.picture_parameters.assign(bytes.begin(), bytes.end());
        } else {
            for (std::size_t i = 0; i < kLengthBytes; ++i)
                picture.units.push_back(static_cast<std::byte>(bytes.size() >> (8 * (kLengthBytes - 1 - i))));
            picture.units.insert(picture.units.end(), bytes.begin(), bytes.end());
        }
    }

    [[noreturn]] void fail() const {
        throw Error::failure(
            fmt::format("an animation of {} x {} pixels can't be encoded as H.264", film.width, film.height));
    }
};

Mp4Animation::Mp4Animation(int width, int height, double frame_rate, double rest)
    : Animation(even_side(width), even_side(height)) {
    check_sides(width, height);
    if (macroblocks(width) * macroblocks(height) > kMostMacroblocks)
        throw Error::input(fmt::format("an .mp4 of {} x {} pixels is not allowed: give at most {} pixels",
                                       width, height, kMostMacroblocks * kMacroblock * kMacroblock));
    encoder_ = std::make_unique<Encoder>(this->width(), this->height(), frame_rate, rest);
}

Mp4Animation::~Mp4Animation() = default;

void Mp4Animation::add(const Image& image) {
    FilmPlanes& planes = encoder_->planes;
    fill_planes(image, planes);
    SSourcePicture source{};
    source.iColorFormat = videoFormatI420;
    source.iPicWidth = planes.width;
    source.iPicHeight = planes.height;
    source.iStride[0] = planes.width;
    source.iStride[1] = source.iStride[2] = planes.width / 2;
    source.pData[0] = planes.brightness.data();
    source.pData[1] = planes.colours[0].data();
    source.pData[2] = planes.colours[1].data();
    SFrameBSInfo coded{};
    if (encoder_->codec->EncodeFrame(&source, &coded) != cmResultSuccess ||
        coded.eFrameType == videoFrameTypeSkip || coded.eFrameType == videoFrameTypeInvalid)
        encoder_->fail();
    Mp4Picture picture;
    picture.stands_alone = coded.eFrameType == videoFrameTypeIDR;
    for (int i = 0; i < coded.iLayerNum; ++i) {
        const SLayerBSInfo& layer = coded.sLayerInfo[i];
        const unsigned char* unit = layer.pBsBuf;
        for (int k = 0; k < layer.iNalCount; unit += layer.pNalLengthInByte[k++])
            encoder_->add_unit({unit, static_cast<std::size_t>(layer.pNalLengthInByte[k])}, picture);
    }
    encoder_->film.pictures.push_back(std::move(picture));
}

std::vector<std::byte> Mp4Animation::finish() {
    std::vector<Mp4Picture>& pictures = encoder_->film.pictures;
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        const bool is_last = i + 1 == pictures.size();
        const std::uint32_t end = is_last ? encoder_->ticks(i, encoder_->rest) : encoder_->ticks(i + 1);
        pictures[i].duration = end - encoder_->ticks(i);
    }
    return mp4_file(encoder_->film);
}

}  // namespace thalweg
