// Light and colour of a view: what each part of the picture sends to the camera. Private to render.
#pragma once

#include "thalweg/render/colour.hpp"
#include "thalweg/render/view.hpp"
#include "thalweg/render/view/block.hpp"
#include "thalweg/render/view/ground.hpp"
#include "thalweg/render/view/river_paint.hpp"
#include "thalweg/render/view/vector3.hpp"

namespace thalweg {

/// What the shading of a view's block needs to know of it.
struct ViewSubject {
    const Block& block;
    const Field<GroundPoint>& ground;
    const RiverPaint& rivers;
    Vector3 sun;              // unit, towards it
    float relief;             // m, of the terrain, exaggerated
    float exaggeration;       // 1
    const GroundColour& cut;  // may be empty
};

/// Light from a place on the surface, linear, before the tone curve. `direction` is the camera ray's.
Colour surface_light(const ViewSubject& subject, Vector3 place, Vector3 direction);

/// Light from a place on a wall with the given outward normal: soil and strata, or water below sea level.
Colour wall_light(const ViewSubject& subject, Vector3 place, Vector3 normal, bool sunny);

/// Film-like curve from light to linear display values: bright light rolls off softly (Narkowicz 2015, a fit
/// of the ACES curve).
Colour tone_curve(Colour light);

/// Linear display colour of the background at a share of the picture's height from its top.
Colour background(float from_top);

}  // namespace thalweg
