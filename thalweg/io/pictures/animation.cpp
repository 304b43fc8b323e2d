#include "thalweg/io/animation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include <fmt/format.h>
#include <webp/encode.h>
#include <webp/mux.h>

namespace thalweg {
namespace {

constexpr float kQuality = 80.0F;      // of 100; forms stay, files are a fifth of lossless ones
constexpr int kEffort = 4;             // of 6
constexpr int kKeyDistance = 24;       // frames, at most, from one that stands alone to the next
constexpr double kMillisecond = 1e-3;  // s

WebPAnimEncoderOptions encoder_options() {
    WebPAnimEncoderOptions options;
    WebPAnimEncoderOptionsInit(&options);
    options.kmin = kKeyDistance / 2;
    options.kmax = kKeyDistance;
    return options;
}

WebPConfig picture_options() {
    WebPConfig config;
    WebPConfigInit(&config);
    config.quality = kQuality;
    config.method = kEffort;
    config.thread_level = 0;  // equal bytes
    return config;
}

}  // namespace

AnimationFormat animation_format_of(const std::filesystem::path& file) {
    const std::string extension = lower_case_extension(file);
    if (extension == ".webp") return AnimationFormat::Webp;
    if (extension == ".mp4") return AnimationFormat::Mp4;
    throw Error::input(fmt::format("{} is not allowed: give a name that ends in .webp or .mp4",
                                   file.empty() ? "\"\"" : file.string()));
}

void Animation::check_sides(int width, int height) {
    if (width < 1 || height < 1 || std::max(width, height) > kLargestAnimationSide)
        throw Error::input(
            fmt::format("an animation of {} x {} pixels is not allowed: give sides from 1 to {}", width,
                        height, kLargestAnimationSide));
}

std::unique_ptr<Animation> make_animation(AnimationFormat format, const Image& first, double frame_rate,
                                          double rest) {
    if (format == AnimationFormat::Mp4)
        return std::make_unique<Mp4Animation>(first.width, first.height, frame_rate, rest);
    return std::make_unique<WebpAnimation>(first.width, first.height, frame_rate, rest);
}

struct WebpAnimation::Encoder {
    WebPAnimEncoder* frames = nullptr;
    WebPConfig config = picture_options();
    int width;
    int height;
    double frame_time;  // s
    double rest;        // s
    int count = 0;

    Encoder(int columns, int rows, double frame_rate, double last_rest)
        : width(columns), height(rows), frame_time(1.0 / frame_rate), rest(last_rest) {
        const WebPAnimEncoderOptions options = encoder_options();
        frames = WebPAnimEncoderNew(width, height, &options);
        if (frames == nullptr) throw std::bad_alloc();
    }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;
    ~Encoder() { WebPAnimEncoderDelete(frames); }

    /// When the next picture begins, or the last one ends.
    [[nodiscard]] int milliseconds(double rest_after = 0.0) const {
        return static_cast<int>(std::lround((count * frame_time + rest_after) / kMillisecond));
    }

    [[noreturn]] void fail() const {
        throw Error::failure(fmt::format("an animation of {} x {} pixels can't be encoded: {}", width, height,
                                         WebPAnimEncoderGetError(frames)));
    }
};

WebpAnimation::WebpAnimation(int width, int height, double frame_rate, double rest)
    : Animation(width, height) {
    check_sides(width, height);
    encoder_ = std::make_unique<Encoder>(width, height, frame_rate, rest);
}

WebpAnimation::~WebpAnimation() = default;

void WebpAnimation::add(const Image& image) {
    WebPPicture picture;
    WebPPictureInit(&picture);
    picture.use_argb = 1;
    picture.width = image.width;
    picture.height = image.height;
    const bool added =
        WebPPictureImportRGB(&picture, image.rgb.data(), 3 * image.width) != 0 &&
        WebPAnimEncoderAdd(encoder_->frames, &picture, encoder_->milliseconds(), &encoder_->config) != 0;
    WebPPictureFree(&picture);
    if (!added) encoder_->fail();
    ++encoder_->count;
}

std::vector<std::byte> WebpAnimation::finish() {
    const int end = encoder_->milliseconds(encoder_->rest - encoder_->frame_time);
    WebPData data;
    WebPDataInit(&data);
    if (WebPAnimEncoderAdd(encoder_->frames, nullptr, end, nullptr) == 0 ||
        WebPAnimEncoderAssemble(encoder_->frames, &data) == 0)
        encoder_->fail();
    std::vector<std::byte> bytes(data.size);
    std::memcpy(bytes.data(), data.bytes, data.size);
    WebPDataClear(&data);
    return bytes;
}

}  // namespace thalweg
