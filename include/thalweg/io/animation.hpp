// Animations as WebP, which browsers and image viewers play.
#pragma once

#include "thalweg/render/image.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace thalweg {

inline constexpr int kLargestAnimationSide = 4096;  // pixels; WebP itself bears 16383

/// Pictures of one size that follow one another for ever, compressed with loss as they are added. Equal
/// pictures give equal bytes; on the calling thread alone. About 8 bytes a pixel, and the compressed
/// pictures.
///
/// Example:
///     Image white = {.width = 640, .height = 400};
///     white.rgb.assign(3 * 640 * 400, 255);
///     WebpAnimation animation(640, 400, 12.0, 2.0);
///     animation.add(white);
///     write_file_atomically("white.webp", animation.finish());
class WebpAnimation {
  public:
    /// Each picture stands for 1 / frame_rate seconds, the last one for `rest` seconds. frame_rate [1/s]
    /// above 0. Throws Error::input for sides of 0 or above kLargestAnimationSide.
    WebpAnimation(int width, int height, double frame_rate, double rest);
    WebpAnimation(const WebpAnimation&) = delete;
    WebpAnimation& operator=(const WebpAnimation&) = delete;
    ~WebpAnimation();

    /// `image` must have the animation's size. Throws Error::failure.
    void add(const Image& image);

    /// The file's bytes, of at least one picture; nothing can be added afterwards. Throws Error::failure.
    std::vector<std::byte> finish();

  private:
    struct Encoder;
    std::unique_ptr<Encoder> encoder_;
};

}  // namespace thalweg
