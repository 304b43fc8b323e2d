// What the analytical erosion engine works on.
#pragma once

#include "thalweg/erosion/drainage_source.hpp"
#include "thalweg/erosion/drawn_river.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/layer_source.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// What is eroded. All sources must be pure functions of the grid that they are asked for: coarse levels ask
/// them for coarse grids over the same place.
struct ErosionInputs {
    Grid grid;                // of the result
    LayerSource elevation;    // z0, m; NaN: no data, such cells stay so and their neighbours drain out
    LayerSource uplift;       // u, m/yr, finite wherever there is elevation; ignored on boundary cells
    LayerSource erodibility;  // k, m^(1-2m)/yr, > 0; empty: the law's own
    LayerSource precipitation_factor;  // weight of drainage area, 1, >= 0; empty: 1
    Field<std::uint8_t>
        boundary;  // non-zero: keeps its elevation and drains out; empty: the edges of the data
    std::vector<DrainageSource> sources = {};  // of drainage area that enters from elsewhere
    std::vector<DrawnRiver> rivers = {};       // along which water must run, at every size and time
};

/// The cells that keep their elevation and drain out, 1, else 0: those of `boundary` (on the grid of
/// `elevation`, m) that have data, or the edges of the data where it is empty. O(cells).
///
/// Example:
///     const Field<std::uint8_t> roots = root_cells(elevation, inputs.boundary);
Field<std::uint8_t> root_cells(const Field<float>& elevation, const Field<std::uint8_t>& boundary);

}  // namespace thalweg
