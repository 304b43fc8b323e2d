// Words on a finished picture.
#pragma once

#include "thalweg/render/image.hpp"

#include <string>

namespace thalweg {

/// Writes `text` at the upper left, dark, as on the bright sky of a view, into a copy. Letters scale with
/// the picture's longer side. O(pixels).
///
/// Example:
///     const Image titled = with_caption(draw_view(elevation, nullptr, {}, progress), "250 000 years");
Image with_caption(const Image& image, const std::string& text);

}  // namespace thalweg
