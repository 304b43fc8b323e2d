// The closed form of stream power erosion along every river path of a tree.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <limits>
#include <span>
#include <vector>

namespace thalweg {

/// What the closed form needs of every cell, all on one tree's grid.
struct PathInputs {
    std::span<const float> length;    // m, way to the receiver times the slope factor g (slope_factor.hpp)
    std::span<const float> celerity;  // a, m/yr (celerities)
    std::span<const float> uplift;    // u, m/yr; ignored on roots
    std::span<const float> root_fall = {};  // m/yr, read on roots in a transient; empty: base_slope a

    // How closed basins count in a transient: those less deep than `filled_depth` [m] are filled, and drain;
    // of others the base level is the floor, or else the level of the sill.
    float filled_depth = 0.0F;
    bool floors_are_base_levels = false;

    /// m: deeper below its receiver a cell is such a floor.
    [[nodiscard]] float floor_depth() const {
        return floors_are_base_levels ? filled_depth : std::numeric_limits<float>::infinity();
    }
};

/// Elevation at steady state, m:
///   z(x) = z0(root) + sum over the path of (u/a) dx      Tzathas et al. 2024, eq. 9; thermal term eqs. 28,
///   29
/// `elevation` holds the roots' elevations on entry and every cell's on return. A cell rises above its
/// receiver at least at a slope of 1e-6, and by the next float. O(cells); serial; the same bits on any number
/// of threads; polls `progress`.
void solve_steady(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                  Field<float>& elevation, Progress& progress);

/// |dz/dt| along receivers over the largest uplift, per cell: u - a (z - z_r) / length, with the thermal term
/// where the law's own steady slope u/a exceeds the critical one. 0 at steady state, up to float32's rounding
/// of z. NaN for cells without a receiver and those that only the least slope holds up; empty where nothing
/// is uplifted. O(cells), parallel; the same bits on any number of threads.
std::vector<float> steady_residuals(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                                    const Field<float>& elevation);

}  // namespace thalweg
