// The transfer function of sRGB.
#pragma once

#include <cmath>

namespace thalweg {

/// Between a component of an sRGB colour and linear light, 0 to 1 (IEC 61966-2-1).
///
/// Example:
///     const float half_as_bright = linear_to_srgb(0.5F * srgb_to_linear(0.8F));
inline float srgb_to_linear(float component) {
    return component <= 0.04045F ? component / 12.92F : std::pow((component + 0.055F) / 1.055F, 2.4F);
}
inline float linear_to_srgb(float light) {
    return light <= 0.0031308F ? light * 12.92F : 1.055F * std::pow(light, 1.0F / 2.4F) - 0.055F;
}

}  // namespace thalweg
