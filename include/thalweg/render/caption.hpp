// Words on a finished picture.
#pragma once

#include "thalweg/render/image.hpp"

#include <string>

namespace thalweg {

/// Writes `text` at the upper left, dark, as on the bright sky of a view. Letters scale with the picture's
/// longer side.
Image with_caption(const Image& image, const std::string& text);

}  // namespace thalweg
