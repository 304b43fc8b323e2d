// Colour: sRGB and linear light.
#pragma once

#include <cstdint>
#include <string>

namespace thalweg {

/// A colour with components from 0 to 1. Whether they are sRGB values or linear light is said by whoever
/// holds one; scales, legends and maps hold sRGB, the 3-D view holds linear light.
struct Colour {
    float red = 0.0F;
    float green = 0.0F;
    float blue = 0.0F;

    friend bool operator==(const Colour&, const Colour&) = default;
};

/// What a colour stands for: an id of a layer of categories, or what covers the land.
struct Category {
    std::string name;
    Colour colour;  // sRGB
};

/// Component by component.
constexpr Colour operator+(Colour a, Colour b) {
    return {a.red + b.red, a.green + b.green, a.blue + b.blue};
}
constexpr Colour operator*(Colour a, Colour b) {
    return {a.red * b.red, a.green * b.green, a.blue * b.blue};
}
constexpr Colour operator*(Colour a, float factor) {
    return {a.red * factor, a.green * factor, a.blue * factor};
}

/// `a` where share is 0, `b` where it is 1.
constexpr Colour mix(Colour a, Colour b, float share) {
    return a * (1.0F - share) + b * share;
}

/// The sRGB colour written 0xRRGGBB, as in a style sheet.
constexpr Colour srgb(std::uint32_t hex) {
    constexpr float kFull = 255.0F;
    return {static_cast<float>(hex >> 16 & 0xFF) / kFull, static_cast<float>(hex >> 8 & 0xFF) / kFull,
            static_cast<float>(hex & 0xFF) / kFull};
}

/// The same written "#rrggbb", as formations have it (rock/formation.hpp).
Colour srgb(const std::string& text);

/// Between sRGB and linear light, component by component (IEC 61966-2-1).
///
/// Example:
///     const Colour between = to_srgb(mix(to_linear(srgb(0x1b4965)), to_linear(srgb(0xffffff)), 0.5F));
Colour to_linear(Colour srgb);
Colour to_srgb(Colour linear);

/// CIE 1976 lightness L* of an sRGB colour, 0 (black) to 100 (white), against the D65 white.
float lightness(Colour srgb);

/// A component from 0 to 1 as a byte, rounded to the nearest; values beyond are cut off.
constexpr std::uint8_t to_byte(float component) {
    const float scaled = component * 255.0F + 0.5F;
    return scaled <= 0.0F ? std::uint8_t{0} : static_cast<std::uint8_t>(scaled >= 255.0F ? 255.0F : scaled);
}

}  // namespace thalweg
