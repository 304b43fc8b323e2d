#include "thalweg/render/view/picture.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/render/view/ray_scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace thalweg {
namespace {

constexpr int kPixelRows = 4;  // in a piece of parallel work
constexpr int kBands = 20;     // pieces of the picture between reports of progress

/// Mean over a pixel's rays, as sRGB.
Colour pixel_colour(const Camera& camera, int x, int y, int height, int samples, const RayColours& colours) {
    const std::uint64_t bits =
        random_bits(0, Stream::Render, 0, static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y));
    Colour sum;
    std::array<CameraRay, kRaysAtOnce> rays;
    constexpr int kMost = static_cast<int>(kRaysAtOnce);
    for (int first = 0; first < samples; first += kMost) {
        const auto count = static_cast<std::size_t>(std::min(kMost, samples - first));
        for (std::size_t i = 0; i < count; ++i) {
            const float k = static_cast<float>(first) + static_cast<float>(i);
            const float u = unit_float(bits) + 0.7548776662F * k;
            const float v = unit_float(bits << 24) + 0.5698402910F * k;
            const float across = static_cast<float>(x) + u - std::floor(u);
            const float down = static_cast<float>(y) + v - std::floor(v);
            rays[i] = {camera.direction(across, down), down / static_cast<float>(height)};
        }
        sum = sum + colours(std::span(rays).first(count));
    }
    return to_srgb(sum * (1.0F / static_cast<float>(samples)));
}

}  // namespace

Image trace_picture(const Camera& camera, int width, int height, int samples, const RayColours& colours,
                    Progress& progress) {
    Image image{.width = width, .height = height, .rgb = {}};
    image.rgb.resize(std::size_t{3} * width * height);
    for (int band = 0; band < kBands; ++band) {
        progress.report(static_cast<double>(band) / kBands, "tracing the view");
        parallel_for(std::int64_t{height} * band / kBands, std::int64_t{height} * (band + 1) / kBands,
                     kPixelRows, [&](std::int64_t first, std::int64_t last) {
                         progress.poll();
                         std::uint8_t* rgb = image.rgb.data() + 3 * first * width;
                         for (int y = static_cast<int>(first); y < last; ++y) {
                             for (int x = 0; x < width; ++x) {
                                 const Colour colour = pixel_colour(camera, x, y, height, samples, colours);
                                 *rgb++ = to_byte(colour.red);
                                 *rgb++ = to_byte(colour.green);
                                 *rgb++ = to_byte(colour.blue);
                             }
                         }
                     });
    }
    progress.report(1.0, "view drawn");
    return image;
}

}  // namespace thalweg
