// Hillslope relief that is finer than the cells, added to their mean elevation.
#pragma once

#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/grid/field.hpp"

#include <span>

namespace thalweg {

/// What hillslopes follow.
struct HillslopeReliefLaw {
    ErosionLaw law = {};
    double slope_exponent = 1.0;  // n
    double relief = 0.4;          // r, cells: height of a cell's hillslopes over their slope
};

/// Raises ground at its steady state by the mean height of the hillslopes that its cells are too coarse to
/// show, so that the terrain of a coarse grid has the elevations of a fine one (measured:
/// docs/theory/erosion.md):
///   elevation += r s dx,   s = u / a(A*), with the thermal term
/// or, where the slope exponent is not 1, s of steady_slopes (slope_law.hpp) at A*. A node stands for the
/// valley in its cell. Less on rivers, by 8 cells over the drainage area, so that they run out at the level
/// of their outlets. s is the steepest that the law holds up: u uplift, A* the hillslope area
/// (erosion_law.hpp), or a cell's without hillslopes. area: m^2. Roots stay.
void add_unresolved_relief(const ErosionLevel& level, const HillslopeReliefLaw& law,
                           std::span<const float> area, Field<float>& elevation);

}  // namespace thalweg
