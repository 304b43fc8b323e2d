// Primitives made ready for kernels.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/water/surface/prepared_primitive.hpp"
#include "thalweg/water/water_primitive.hpp"

namespace thalweg {

/// `corner` [m] is the tile's; `datum` [m] what elevations are measured from.
PreparedPrimitive prepared(const WaterPrimitive& primitive, const WaterSetting& setting, double time,
                           Position corner, double datum);

}  // namespace thalweg
