// Shaded relief for maps: all light on the terrain in one number.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"
#include "thalweg/render/hillshade.hpp"

namespace thalweg {

/// Root mean square slope of the cells with data, m/m; 0 where none has a neighbour.
double mean_slope(const Field<float>& elevation);

/// The factor on elevations that brings their mean slope to that of a well shaded map (empirical), within 0.2
/// to 40; 1 for flat terrain.
double map_exaggeration(const Field<float>& elevation);

/// Light on each cell over that on open flat ground, 1: main sun with soft cast shadows, two weaker suns
/// beside it (so that slopes along the light keep their form), and the sky. About 0.1 to 1.6. O(cells); same
/// bits on any number of threads; polls `progress`.
Field<float> relief_light(const Field<float>& elevation, const Sun& sun, double exaggeration,
                          const Progress& progress);

/// An sRGB tint in the given light: cool and dark in shade, warm and light on sunny slopes (Imhof 1982,
/// ch. 10). `strength` scales the departure from flat ground's light.
Colour lit(Colour tint, float light, float strength);

}  // namespace thalweg
