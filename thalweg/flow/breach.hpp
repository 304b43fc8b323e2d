// Carving of breaches: the elevation that agrees with where a flow tree lets water go.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

/// A terrain whose water never flows upwards, and what it took.
struct Breached {
    Field<float> elevation;          // m, NaN where the input is
    std::int64_t lowered_cells = 0;  // cells that lie lower than before
    double volume = 0.0;             // m^3, removed
};

/// The highest surface w <= z that never rises downstream along the tree:
///
///   w(cell) = min(z(cell), min over donors of w(donor))
///
/// A pit's way out is cut down to the pit's own elevation, where it runs level; cells off the breach paths do
/// not change. Source: the carving variant of Cordonnier, Bovy and Braun 2019 (Earth Surface Dynamics 7,
/// 549-562), sec. 2, on elevations. elevation: m, on the tree's grid. O(cells), serial; polls `progress`.
Breached breach_elevation(const Field<float>& elevation, const FlowTree& tree, Progress& progress);

}  // namespace thalweg
