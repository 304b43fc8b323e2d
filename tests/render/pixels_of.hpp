// Pixels of a picture by their colour.
#pragma once

#include "thalweg/render/chart/chart.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <cmath>
#include <vector>

namespace thalweg {

/// Pixels of about one colour, of 255 within the tolerance.
inline std::vector<CanvasPoint> pixels_of(const Image& image, Colour colour, int tolerance = 12) {
    std::vector<CanvasPoint> found;
    const int wanted[] = {to_byte(colour.red), to_byte(colour.green), to_byte(colour.blue)};
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const auto first = 3 * (static_cast<std::size_t>(y) * image.width + static_cast<std::size_t>(x));
            bool is_near = true;
            for (std::size_t i = 0; i < 3; ++i)
                is_near = is_near && std::abs(image.rgb[first + i] - wanted[i]) < tolerance;
            if (is_near) found.push_back({static_cast<double>(x), static_cast<double>(y)});
        }
    return found;
}

}  // namespace thalweg
