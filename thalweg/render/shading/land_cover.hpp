// Land cover: what would grow and lie on a terrain, as colours.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"

#include <limits>

namespace thalweg {

/// What heights and slopes count relative to.
struct LandScale {
    float low = 0.0F;          // m
    float high = 0.0F;         // m
    float steep = 0.0F;        // m/m
    double slope_width = 0.0;  // m, standard deviation of the gaussian over which slopes are taken; 0: none
    float sea_level = -std::numeric_limits<float>::infinity();  // m
};

/// A terrain's own, without a sea: its 2nd and 98th percentile of height and its 80th of slope. elevation
/// [m], not exaggerated. `slope_width` becomes the scale's.
LandScale land_scale(const Field<float>& elevation, double slope_width = 0.0);

/// Natural albedo (linear light, share of light sent back) of every cell: woods and meadows on low and gentle
/// ground and in hollows, drier grass higher up, rock where it is steep, scree below rock, snow on high
/// gentle ground where the relief is that of mountains, sand below the sea level. Heights and slopes count
/// relative to `scale`, so that any terrain gets its share of each by its own; noise breaks the borders. An
/// artist's rule, not a model of plants; empirical throughout. elevation [m], not exaggerated. No-data cells
/// get black. O(cells); same bits on any number of threads.
Field<Colour> land_cover(const Field<float>& elevation, const LandScale& scale, const Progress& progress);

}  // namespace thalweg
