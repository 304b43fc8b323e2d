// Water at rest: lakes by fill, spill and merge.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/spill_tree.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Where water runs over ground as it is, and over which saddles it leaves depressions.
struct GroundDrainage {
    Field<float> elevation;               // m
    std::vector<std::uint8_t> direction;  // per cell (directions.hpp)
    Basins basins;
    SpillTree spills;
};

/// roots: cells where water leaves. O(cells + links log basins).
GroundDrainage drain_ground(Field<float> elevation, const Field<std::uint8_t>& roots, Progress& progress);

/// The directions in which water runs once all depressions are filled. O(cells).
std::vector<std::uint8_t> directions_over_filled(GroundDrainage drainage);

/// Water at rest after it has come to level.
struct LevelledWater {
    UnitField water;           // units of each cell
    Field<std::int32_t> lake;  // 1 + the number of its lake; 0 outside
    std::vector<ParticleLake> lakes;
    std::int64_t outflow = 0;        // units on a cell, that spilled out of the domain
    std::int64_t drained_cells = 0;  // whose water comes out of the domain, through lakes that are full too
    std::int64_t cells = 0;          // with data
};

/// Lets the water of each cell (units) run down, fill depressions and spill (fill_spill_merge.hpp). Nothing
/// of it is lost: what doubles round away is added where the first lake is deepest, or to the outflow.
/// `is_full` fills all depressions instead, whatever the water. Cost as there, but for the fields: the result
/// has the memory of `water` and `lake`; what `lake` holds does not matter.
LevelledWater level_water(const GroundDrainage& drainage, UnitField water, Field<std::int32_t> lake,
                          bool is_full, Progress& progress);

}  // namespace thalweg
