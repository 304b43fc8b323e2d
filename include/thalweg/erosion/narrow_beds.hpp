// Beds of channels that are narrower than the cells that hold them.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

struct NarrowBedParameters {
    double channel_area = 1e6;  // m^2: what drains to the heads of channels
    double share = 1.0;         // 1, of the whole effect; 0 leaves beds as they are
};

/// Elevation of channels as a survey shows it, whose cells are wider than they: the mean of bed and banks.
///
///   z' = z + b (m - z)     b = share max(0, 1 - w / l) on channels, half as much on cells beside them
///
///   m   mean of the 3 x 3 cells around, with weights 1 2 1 along rows and columns
///   w   2.70 m (A / 1 km^2)^0.352, bankfull width (Bieger et al. 2015, all of the United States)
///   l   cell size
///
/// Without it such channels are slots, one cell wide, which hillshades show as dotted lines. No bed is
/// lowered, and each falls to the next by a tenth of what it fell before, at least: where banks stand higher
/// below than above, a bed rises less.
///
/// elevation: m, NaN is no data, on the grid of `flow`, which tells channels. Roots, the edge of the grid and
/// cells beside one without data keep their elevation. Ground beside channels may come to lie in pits:
/// drain_pits. O(cells); 9 bytes a cell; same bits on any number of threads; polls `progress`.
///
/// Example:
///     const Field<float> blended = blend_narrow_beds(elevation, flow, {.channel_area = 1e6}, progress);
Field<float> blend_narrow_beds(const Field<float>& elevation, const FlowResult& flow,
                               const NarrowBedParameters& parameters, Progress& progress);

}  // namespace thalweg
