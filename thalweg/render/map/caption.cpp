#include "thalweg/render/caption.hpp"

#include "thalweg/render/drawing/canvas.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr double kLetters = 0.032;  // of the longer side

Colour colour_at(const Image& image, int x, int y) {
    const std::uint8_t* rgb =
        image.rgb.data() + 3 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
    return srgb(static_cast<unsigned>(rgb[0]) << 16 | static_cast<unsigned>(rgb[1]) << 8 | rgb[2]);
}

}  // namespace

Image with_caption(const Image& image, const std::string& text) {
    Canvas canvas(image.width, image.height, kPaper);
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) canvas.set_pixel(x, y, colour_at(image, x, y));
    const double size = kLetters * std::max(image.width, image.height);
    const TextStyle style{.size = size, .colour = kInk, .bold = true};
    const Box whole{0.0, 0.0, static_cast<double>(image.width), static_cast<double>(image.height)};
    canvas.clip(whole);  // also tells the canvas of the pixels
    canvas.write(text, {size, 2.0 * size}, style);
    canvas.unclip();
    return canvas.image();
}

}  // namespace thalweg
