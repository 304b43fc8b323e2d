// Pictures to PNG.
#pragma once

#include "thalweg/render/image.hpp"

#include <filesystem>

namespace thalweg {

/// Writes an 8-bit sRGB PNG whole or not at all; equal pixels, equal bytes. Throws Error::failure.
///
/// Example:
///     #include "thalweg/render/map.hpp"
///     write_png("map.png", draw_map(elevation, nullptr, {}, progress));
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace thalweg
