// Plants: they cover ground that little water runs over and that stays where it is, and hold it by their
// roots.
#pragma once

#include "thalweg/particles/particle_state.hpp"

#include <vector>

namespace thalweg {

/// Plant cover, 0 to 1, a time step later; `step` is that time over the time of growth T.
///   dv/dt = (1 - v - stress v) / T, by one implicit step
/// On still ground, without stress, 1 - v falls as (1 + step)^-n; else v comes to 1 / (1 + stress).
inline float grown_cover(float cover, float stress, float step) {
    return (cover + step) / (1.0F + step * (1.0F + stress));
}

/// Lets plants grow for a cycle in which the ground has come from `before`, units, to where it is: their
/// stress is discharge over plant_discharge, and change of elevation over plant_erosion.
void grow_plants(ParticleState& state, const Field<std::int32_t>& before);

/// Share of what droplets would take that roots hold, of each cell; empty where no plants grow.
std::vector<float> roots_of(const ParticleState& state);

}  // namespace thalweg
