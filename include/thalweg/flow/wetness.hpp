// How wet ground is by where water goes: the topographic wetness index, and the height above rivers.
#pragma once

#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// Topographic wetness index ln(a / tan b) of each cell (Beven and Kirkby 1979), with a the specific area, m,
/// and tan b the slope to the receiver, m/m; slopes below kLeastWetnessSlope count as that, because the index
/// of level ground would be infinite. No data where one of the two has none. O(cells).
inline constexpr double kLeastWetnessSlope = 1e-3;  // m/m (empirical: 3 cm on a cell of 30 m)
Field<float> wetness_index(const Field<float>& specific_area, const Field<float>& slope);

/// Height above nearest drainage, m: of each cell above the river cell that its water reaches first (Nobre et
/// al. 2011, Journal of Hydrology 404, 13-29); above the outlet where it reaches none. 0 in rivers. Rivers
/// are cells where `rivers` is not 0, and those below them. elevation: m, no higher at a receiver than at its
/// donors. No data outside. O(cells), serial.
Field<float> height_above_drainage(const FlowTree& tree, const Field<float>& elevation,
                                   const Field<std::uint8_t>& rivers);

}  // namespace thalweg
