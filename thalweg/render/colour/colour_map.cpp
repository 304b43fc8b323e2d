#include "thalweg/render/colour_map.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

namespace thalweg {

ColourMap::ColourMap(std::string name, std::string source, std::vector<Stop> stops)
    : name_(std::move(name)), source_(std::move(source)), stops_(std::move(stops)) {
    assert(stops_.size() >= 2);
}

ColourMap::ColourMap(std::string name, std::string source, const std::vector<std::uint32_t>& hex_colours)
    : name_(std::move(name)), source_(std::move(source)) {
    assert(hex_colours.size() >= 2);
    const double last = static_cast<double>(hex_colours.size() - 1);
    for (std::size_t i = 0; i < hex_colours.size(); ++i)
        stops_.push_back({static_cast<double>(i) / last, srgb(hex_colours[i])});
}

Colour ColourMap::at(double place) const {
    if (!(place > stops_.front().at)) return stops_.front().colour;
    for (std::size_t i = 1; i < stops_.size(); ++i) {
        if (place > stops_[i].at) continue;
        const Stop& from = stops_[i - 1];
        const double share = (place - from.at) / (stops_[i].at - from.at);
        return mix(from.colour, stops_[i].colour, static_cast<float>(share));
    }
    return stops_.back().colour;
}

const ColourMap& colour_map(Scale scale) {
    static const ColourMap viridis("viridis", "matplotlib (Smith and van der Walt 2015, CC0), every tenth",
                                   {0x440154, 0x482475, 0x414487, 0x355F8D, 0x2A788E, 0x21918C, 0x22A884,
                                    0x44BF70, 0x7AD151, 0xBDDF26, 0xFDE725});
    static const ColourMap magma("magma", "matplotlib (Smith and van der Walt 2015, CC0), every tenth",
                                 {0x000004, 0x140E36, 0x3B0F70, 0x641A80, 0x8C2981, 0xB73779, 0xDE4968,
                                  0xF7705C, 0xFE9F6D, 0xFECF92, 0xFCFDBF});
    static const ColourMap cividis(
        "cividis", "Nunez, Anderton and Renslow 2018, every ninth",
        {0x00224E, 0x123570, 0x3B496C, 0x575D6D, 0x707173, 0x8A8678, 0xA59C74, 0xC3B369, 0xE1CC55, 0xFEE838});
    static const ColourMap water(
        "water", "Thalweg: even steps of lightness from 96 to 19",
        {0xEAF6F4, 0xC3E3E8, 0x94CCDC, 0x60B1CF, 0x3893BE, 0x2675A9, 0x21588F, 0x1D3C70, 0x16264E});
    static const ColourMap vik("vik",
                               "Crameri 2018, Scientific colour maps (MIT), every tenth and the middle",
                               {{0.0, srgb(0x001261)},
                                {1.0 / 9.0, srgb(0x033E7D)},
                                {2.0 / 9.0, srgb(0x1E6F9D)},
                                {3.0 / 9.0, srgb(0x71A8C4)},
                                {4.0 / 9.0, srgb(0xC9DDE7)},
                                {0.5, srgb(0xECE5E0)},
                                {5.0 / 9.0, srgb(0xEACEBD)},
                                {6.0 / 9.0, srgb(0xD39774)},
                                {7.0 / 9.0, srgb(0xBE6533)},
                                {8.0 / 9.0, srgb(0x8B2706)},
                                {1.0, srgb(0x590008)}});
    switch (scale) {
        case Scale::Viridis:
            return viridis;
        case Scale::Magma:
            return magma;
        case Scale::Cividis:
            return cividis;
        case Scale::Water:
            return water;
        case Scale::Vik:
            return vik;
    }
    return viridis;
}

const ColourMap& land_tint(LandTint tint) {
    // Thalweg's own, after the practice of Imhof (1982), ch. 13, and Patterson and Jenny (2011): muted
    // greens below, light yellows between, browns and greys above, white on top; light enough to be shaded.
    static const ColourMap natural("natural", "Thalweg, after Patterson and Jenny 2011",
                                   {{0.00, srgb(0x8DB08A)},
                                    {0.12, srgb(0xAAC497)},
                                    {0.28, srgb(0xCDD2A2)},
                                    {0.44, srgb(0xE2D3A4)},
                                    {0.60, srgb(0xD2B486)},
                                    {0.74, srgb(0xBC9C7C)},
                                    {0.86, srgb(0xC2B5AA)},
                                    {1.00, srgb(0xF8F6F3)}});
    static const ColourMap dry("dry", "Thalweg: sand, ochre and rock",
                               {{0.00, srgb(0xC9B48C)},
                                {0.25, srgb(0xE3CF9F)},
                                {0.50, srgb(0xD9A876)},
                                {0.72, srgb(0xB98163)},
                                {0.88, srgb(0xAD8D7F)},
                                {1.00, srgb(0xEDE4DB)}});
    static const ColourMap grey("grey", "Thalweg: paper, for shading alone",
                                {{0.0, srgb(0xE4E2DD)}, {1.0, srgb(0xF7F6F3)}});
    switch (tint) {
        case LandTint::Natural:
            return natural;
        case LandTint::Dry:
            return dry;
        case LandTint::Grey:
            return grey;
    }
    return natural;
}

const ColourMap& sea_tint() {
    static const ColourMap sea("sea", "Thalweg: light shelf to deep blue",
                               {{0.00, srgb(0xC4E0E4)},
                                {0.10, srgb(0xA9D0DC)},
                                {0.35, srgb(0x7FB3CC)},
                                {0.70, srgb(0x5590B4)},
                                {1.00, srgb(0x3A6E97)}});
    return sea;
}

Colour category_colour(std::int64_t id) {
    constexpr double kGoldenAngle = 2.399963229728653;  // radians, pi (3 - sqrt 5)
    constexpr double kTurn = 2.0 * std::numbers::pi;
    constexpr float kChroma = 0.105F;     // empirical: clear, yet inside sRGB at every hue
    constexpr float kLightness = 0.775F;  // Oklab lightness, empirical: bears shading and dark lines
    const double hue = std::fmod(static_cast<double>(id) * kGoldenAngle, kTurn);
    const float a = kChroma * static_cast<float>(std::cos(hue));
    const float b = kChroma * static_cast<float>(std::sin(hue));
    // Oklab to linear sRGB (Ottosson 2020).
    const float l = kLightness + 0.3963377774F * a + 0.2158037573F * b;
    const float m = kLightness - 0.1055613458F * a - 0.0638541728F * b;
    const float s = kLightness - 0.0894841775F * a - 1.2914855480F * b;
    const float l3 = l * l * l, m3 = m * m * m, s3 = s * s * s;
    const Colour linear{4.0767416621F * l3 - 3.3077115913F * m3 + 0.2309699292F * s3,
                        -1.2684380046F * l3 + 2.6097574011F * m3 - 0.3413193965F * s3,
                        -0.0041960863F * l3 - 0.7034186147F * m3 + 1.7076147010F * s3};
    return to_srgb({std::clamp(linear.red, 0.0F, 1.0F), std::clamp(linear.green, 0.0F, 1.0F),
                    std::clamp(linear.blue, 0.0F, 1.0F)});
}

}  // namespace thalweg
