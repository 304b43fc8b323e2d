// The sheet of a map: where map, title, scale bar and legend stand, and how they are drawn. Private to
// render.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/render/drawing/canvas.hpp"
#include "thalweg/render/map.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace thalweg {

/// Colours of everything on a map that is not terrain, sRGB.
inline constexpr Colour kPaper = srgb(0xF7F4EE);
inline constexpr Colour kInk = srgb(0x33322F);
inline constexpr Colour kFaintInk = srgb(0x7C7870);

/// Where things stand on the picture, pixels.
struct MapSheet {
    int width = 0;
    int height = 0;
    double unit = 0.0;  // a hundredth of the picture's longer side: all margins and letters scale with it
    Box map;            // whole pixels
    Box footer;         // under the map, empty without a legend
    Grid pixels;        // the map's pixels in the world
};

/// Lays out a map of `grid` on a picture whose longer side is `size` pixels: the map as large as title and
/// legend leave room for.
MapSheet lay_out_map(const Grid& grid, int size, bool with_title, bool with_legend);

/// The factor on elevations for the shading of terrain that is resampled to a map's pixels.
double exaggeration_of(const Field<float>& terrain, const Grid& pixels, const MapParameters& parameters);

/// A mark on a colour bar.
struct BarTick {
    double at = 0.0;  // place on the bar, 0 to 1
    std::string label;
};

/// A colour bar, or with `swatches` above 0 a row of that many patches whose middles are at
/// (i + 0.5) / swatches.
struct ColourBar {
    std::string title;
    std::function<Colour(double place)> colour;
    std::vector<BarTick> ticks;
    int swatches = 0;
};

/// Frame, title and, where the sheet has a footer, scale bar and colour bar.
void draw_furniture(Canvas& canvas, const MapSheet& sheet, const std::string& title, const ColourBar& bar);

}  // namespace thalweg
