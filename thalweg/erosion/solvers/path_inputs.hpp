// What the closed forms of erosion need of a tree's cells.
#pragma once

#include <limits>
#include <span>

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

}  // namespace thalweg
