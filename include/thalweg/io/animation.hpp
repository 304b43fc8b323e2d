// Animations as WebP, which browsers and image viewers play, and as MP4, which every player does.
#pragma once

#include "thalweg/render/image.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

namespace thalweg {

inline constexpr int kLargestAnimationSide = 4096;  // pixels; WebP itself bears 16383

/// What an animation is written as.
enum class AnimationFormat { Webp, Mp4 };

/// By the ending of a file's name, .webp or .mp4. Throws Error::input for any other.
AnimationFormat animation_format_of(const std::filesystem::path& file);

/// Pictures of one size that follow one another, compressed with loss as they are added. Equal pictures give
/// equal bytes; on the calling thread alone. Each picture stands for 1 / frame_rate seconds, the last one for
/// `rest` seconds. frame_rate [1/s] above 0.
class Animation {
  public:
    Animation(const Animation&) = delete;
    Animation& operator=(const Animation&) = delete;
    virtual ~Animation() = default;

    [[nodiscard]] int width() const { return width_; }    // pixels, of what is shown
    [[nodiscard]] int height() const { return height_; }  // likewise

    /// All images must have one size, which is that of the animation or smaller (Mp4Animation). Throws
    /// Error::failure.
    virtual void add(const Image& image) = 0;

    /// The file's bytes, of at least one picture; nothing can be added afterwards. Throws Error::failure.
    virtual std::vector<std::byte> finish() = 0;

  protected:
    Animation(int width, int height) : width_(width), height_(height) {}

    /// Throws Error::input for sides of 0 or above kLargestAnimationSide.
    static void check_sides(int width, int height);

  private:
    int width_;
    int height_;
};

/// An animation that begins again for ever. About 8 bytes a pixel, and the compressed pictures.
///
/// Example:
///     Image white = {.width = 640, .height = 400};
///     white.rgb.assign(3 * 640 * 400, 255);
///     WebpAnimation animation(640, 400, 12.0, 2.0);
///     animation.add(white);
///     write_file_atomically("white.webp", animation.finish());
class WebpAnimation final : public Animation {
  public:
    /// Throws Error::input for sides of 0 or above kLargestAnimationSide.
    WebpAnimation(int width, int height, double frame_rate, double rest);
    ~WebpAnimation() override;

    void add(const Image& image) override;
    std::vector<std::byte> finish() override;

  private:
    struct Encoder;
    std::unique_ptr<Encoder> encoder_;
};

/// A film of H.264 (baseline) in an MP4 file. Its sides are even: beyond the right and lower edge
/// of images of odd ones their last pixels go on. Colour has half the pixels of brightness.
/// Holds the compressed pictures.
///
/// Example:
///     Image white = {.width = 640, .height = 400};
///     white.rgb.assign(3 * 640 * 400, 255);
///     Mp4Animation film(640, 400, 12.0, 2.0);
///     film.add(white);
///     write_file_atomically("white.mp4", film.finish());
class Mp4Animation final : public Animation {
  public:
    /// Throws Error::input as WebpAnimation, and for more than 9 437 184 pixels.
    Mp4Animation(int width, int height, double frame_rate, double rest);
    ~Mp4Animation() override;

    void add(const Image& image) override;
    std::vector<std::byte> finish() override;

  private:
    struct Encoder;
    std::unique_ptr<Encoder> encoder_;
};

/// Either, for images of that size.
std::unique_ptr<Animation> make_animation(AnimationFormat format, const Image& first, double frame_rate,
                                          double rest);

}  // namespace thalweg
