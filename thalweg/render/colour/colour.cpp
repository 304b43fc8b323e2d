#include "thalweg/render/colour.hpp"

#include <cmath>

namespace thalweg {
namespace {

float component_to_linear(float s) {
    return s <= 0.04045F ? s / 12.92F : std::pow((s + 0.055F) / 1.055F, 2.4F);
}

float component_to_srgb(float l) {
    return l <= 0.0031308F ? l * 12.92F : 1.055F * std::pow(l, 1.0F / 2.4F) - 0.055F;
}

}  // namespace

Colour to_linear(Colour srgb) {
    return {component_to_linear(srgb.red), component_to_linear(srgb.green), component_to_linear(srgb.blue)};
}

Colour to_srgb(Colour linear) {
    return {component_to_srgb(linear.red), component_to_srgb(linear.green), component_to_srgb(linear.blue)};
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
