// How much of the coded pictures of a film is shown.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace thalweg {

/// The sequence parameters of H.264 (ITU-T H.264, 7.3.2.1.1; baseline, whole pictures, nothing cropped) with
/// so many pixels cropped from the right and the lower edge, even numbers. O(bytes).
std::vector<std::byte> with_crop(std::span<const std::byte> sequence_parameters, int right, int bottom);

}  // namespace thalweg
