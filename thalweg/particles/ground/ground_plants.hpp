// Plants: they cover ground that little water runs over and that stays where it is, hold it by their roots,
// and make soil of it.
#pragma once

#include "thalweg/particles/particle_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
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

/// Cycles after which soil forms at once for all of them: whole units would lose what forms slowly, if it did
/// in each. `step` is the time step over the time in which soil forms.
inline std::int64_t soil_forms_every(double step) {
    constexpr double kLeastShare = 1.0 / 1024.0;  // of what is missing, that forms at once
    constexpr double kMostCycles = 0x1p40;
    return static_cast<std::int64_t>(std::clamp(std::ceil(kLeastShare / step), 1.0, kMostCycles));
}

/// Units of soil that plants make in `years` where there are `soil`; T, `soil_time`, is the time in which it
/// forms. They come to `limit`, units:
///   dS/dt = (limit - S) / T, by one implicit step
/// so that limit - S falls as (1 + years / T)^-n. Whole units: nothing forms where less than half of one
/// would.
inline std::int32_t formed_soil(std::int32_t soil, double limit, double years, double soil_time) {
    const double formed = (limit - static_cast<double>(soil)) * (years / (years + soil_time));
    return formed > 0.0 ? static_cast<std::int32_t>(std::lround(formed)) : 0;
}

/// Lets soil form for a cycle out of what lies beneath it, on land where plants are: to soil_limit times
/// their cover.
void form_soil(ParticleState& state);

/// Share of what droplets would take that roots hold, of each cell; empty where no plants grow.
std::vector<float> roots_of(const ParticleState& state);

/// Share by which roots raise slopes, of each cell; empty where they don't.
std::vector<float> held_slopes_of(const ParticleState& state);

}  // namespace thalweg
