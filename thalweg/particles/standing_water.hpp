// Water at rest: lakes by fill, spill and merge.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

/// Water at rest after it has come to level.
struct LevelledWater {
    Field<std::int64_t> water;  // units of each cell
    Field<std::int32_t> lake;   // 1 + the number of its lake; 0 outside
    std::vector<ParticleLake> lakes;
    std::int64_t outflow = 0;        // units on a cell, that spilled out of the domain
    std::int64_t drained_cells = 0;  // whose water comes out of the domain, through lakes that are full too
    std::int64_t cells = 0;          // with data
};

/// Lets the water of each cell (units) run down, fill depressions and spill (fill_spill_merge.hpp). Nothing
/// of it is lost: what doubles round away is added where the first lake is deepest, or to the outflow.
/// `is_full` fills all depressions instead, whatever the water. elevation: m; roots: cells where water
/// leaves. Cost as there.
LevelledWater level_water(const Field<float>& elevation, const Field<std::uint8_t>& roots,
                          const Field<std::int64_t>& water, bool is_full, Progress& progress);

}  // namespace thalweg
