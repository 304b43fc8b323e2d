// Colour scales: from values to colours.
#pragma once

#include "thalweg/render/colour.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// A colour scale: control points over [0, 1], joined by straight lines in sRGB.
class ColourMap {
  public:
    struct Stop {
        double at = 0.0;  // place on the scale, 0 to 1, ascending
        Colour colour;    // sRGB
    };

    /// At least two stops; `source` tells where the scale comes from.
    ColourMap(std::string name, std::string source, std::vector<Stop> stops);

    /// Two or more stops at equal distances, written 0xRRGGBB.
    ColourMap(std::string name, std::string source, const std::vector<std::uint32_t>& hex_colours);

    /// sRGB colour at `place`; the ends hold beyond 0 and 1. O(stops).
    [[nodiscard]] Colour at(double place) const;
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& source() const { return source_; }

  private:
    std::string name_;
    std::string source_;
    std::vector<Stop> stops_;
};

/// Scales that ship with the program. Viridis, Magma and Cividis rise evenly in lightness, so that equal
/// steps of the value look equal, also in grey and to the colour-blind; Water falls evenly (deeper is
/// darker); Vik is for signed values and lightest in its middle.
enum class Scale { Viridis, Magma, Cividis, Water, Vik };

/// The scale of that name, which lives as long as the program.
///
/// Example:
///     const Colour quarter = colour_map(Scale::Viridis).at(0.25);
const ColourMap& colour_map(Scale scale);

/// Tints of land by height: place 0 is the lowest land, 1 the highest.
enum class LandTint { Natural, Dry, Grey };

/// The tint of that name, which lives as long as the program.
const ColourMap& land_tint(LandTint tint);

/// Tint of the sea by depth: place 0 is the shore, 1 the deepest water.
const ColourMap& sea_tint();

/// Colours for ids, where order has no meaning: neighbouring ids differ clearly in hue, all are equally
/// light, and an id has the same colour in every picture. The hue turns by the golden angle from id to id.
Colour category_colour(std::int64_t id);

}  // namespace thalweg
