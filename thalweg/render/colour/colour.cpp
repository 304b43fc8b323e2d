#include "thalweg/render/colour.hpp"

#include "thalweg/core/srgb.hpp"

#include <charconv>
#include <cmath>

namespace thalweg {

Colour srgb(const std::string& text) {
    std::uint32_t hex = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), hex, 16);
    return srgb(hex);
}

Colour to_linear(Colour srgb) {
    return {srgb_to_linear(srgb.red), srgb_to_linear(srgb.green), srgb_to_linear(srgb.blue)};
}

Colour to_srgb(Colour linear) {
    return {linear_to_srgb(linear.red), linear_to_srgb(linear.green), linear_to_srgb(linear.blue)};
}

float lightness(Colour srgb) {
    const Colour light = to_linear(srgb);
    // Luminance of linear sRGB (IEC 61966-2-1), then CIE 1976 L*.
    const float luminance = 0.2126F * light.red + 0.7152F * light.green + 0.0722F * light.blue;
    constexpr float kLinearEnd = 216.0F / 24389.0F;
    constexpr float kLinearSlope = 24389.0F / 27.0F;
    return luminance <= kLinearEnd ? kLinearSlope * luminance : 116.0F * std::cbrt(luminance) - 16.0F;
}

}  // namespace thalweg
