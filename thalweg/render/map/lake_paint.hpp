// Standing water on the land around it. Private to render.
#pragma once

#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour_map.hpp"
#include "thalweg/render/drawing/canvas.hpp"
#include "thalweg/render/map/map_sheet.hpp"

#include <functional>

namespace thalweg {

/// What a map of lakes shows.
struct LakeMap {
    const Field<float>& depth;                  // m, per cell of the layer; 0 is dry, NaN no data
    const Field<float>& land;                   // m, elevation per pixel; empty where it is not known
    const Field<float>& light;                  // relief.hpp, per pixel; NaN where there is no land
    std::function<Colour(double depth)> water;  // sRGB, by depth in m
    LandTint tint = LandTint::Natural;
    double shading = 1.0;  // strength, 0 to 2
};

/// Paints water by its depth, land by its height, or as paper where that is not known. Light falls on land
/// alone, since water lies flat. A shore runs half-way between wet and dry cells, smooth on small pixels; a
/// large pixel has the mean colour of what lies in it. O(pixels + cells).
void paint_lakes(Canvas& canvas, const MapSheet& sheet, const LakeMap& lakes);

}  // namespace thalweg
