// Image: 8-bit sRGB pictures in memory.
#pragma once

#include <cstdint>
#include <vector>

namespace thalweg {

/// Rows from the top, three bytes (red, green, blue; sRGB) a pixel.
struct Image {
    int width = 0;   // pixels
    int height = 0;  // pixels
    std::vector<std::uint8_t> rgb;
};

}  // namespace thalweg
