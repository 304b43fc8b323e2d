// How wet ground is by where water goes: the topographic wetness index, and the height above rivers.
#pragma once

#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// Slopes below it count as that in the wetness index, which would be infinite on level ground.
inline constexpr double kLeastWetnessSlope = 1e-3;  // m/m (empirical: 3 cm on a cell of 30 m)

/// Topographic wetness index of each cell, 1 (Beven and Kirkby 1979):
///
///   ln(a / tan b)     a: specific_area [m], tan b: slope downhill [m/m], at least kLeastWetnessSlope
///
/// Both on one grid. No data where one of the two has none. O(cells); the same bits on any number of threads.
///
/// Example:
///     const Field<float> bearing = dinf_bearings(flow.elevation, flow.tree.direction);
///     const Field<float> area = specific_area(flow.drainage_area, bearing);
///     const Field<float> wetness = wetness_index(area, steepest_slope(flow.elevation, lattice));
Field<float> wetness_index(const Field<float>& specific_area, const Field<float>& slope);

/// Height above nearest drainage, m: of each cell above the river cell that its water reaches first (Nobre et
/// al. 2011, Journal of Hydrology 404, 13-29); above the outlet where it reaches none. 0 in rivers. Rivers
/// are cells where `rivers` is not 0, and those below them. elevation: m, no higher at a receiver than at its
/// donors. No data outside. O(cells), serial.
Field<float> height_above_drainage(const FlowTree& tree, const Field<float>& elevation,
                                   const Field<std::uint8_t>& rivers);

}  // namespace thalweg
