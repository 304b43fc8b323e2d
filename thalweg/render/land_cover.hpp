// Land cover: what would grow and lie on a terrain, as colours.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/render/colour.hpp"

namespace thalweg {

/// Natural albedo (linear light, share of light sent back) of every cell: woods and meadows on low and gentle
/// ground and in hollows, drier grass higher up, rock where it is steep, scree below rock, snow on high
/// gentle ground where the relief is that of mountains, sand below 0 m. Heights and slopes count relative to
/// the terrain's own (its 2nd to 98th percentile of height, its 80th of slope), so that any terrain gets its
/// share of each; noise breaks the borders. An artist's rule, not a model of plants; empirical throughout.
/// elevation [m], not exaggerated. No-data cells get black. O(cells); same bits on any number of threads.
Field<Colour> land_cover(const Field<float>& elevation, const Progress& progress);

}  // namespace thalweg
