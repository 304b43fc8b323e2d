// The state that a simulation of particles begins with, and what every state must hold.
#pragma once

#include "thalweg/core/parallel.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace thalweg {

/// Of all cells with data.
template <class Units>
std::int64_t sum_of(const Units& units) {
    constexpr std::int64_t kCellsPerSum = 1 << 14;
    return parallel_reduce(
        0, units.size(), kCellsPerSum, std::int64_t{0},
        [&](std::int64_t first, std::int64_t last) {
            std::int64_t sum = 0;
            for (std::int64_t cell = first; cell < last; ++cell)
                if (units[cell] != kNoGround) sum += units[cell];
            return sum;
        },
        std::plus<>{});
}

/// Elevation of a cell, m; no data where there is none.
inline float height_of(const ParticleState& state, std::int64_t cell) {
    const std::int32_t units = state.elevation[cell];
    if (units == kNoGround) return kNoData;
    return static_cast<float>(state.datum + static_cast<double>(units) * kElevationUnit);
}

/// Throws Error::input for parameters and springs that particles can't start with on this terrain.
void check_on(const ParticleParameters& parameters, const Field<float>& elevation);
/// Throws Error::input for more water than can be counted for ten thousand cycles.
void check_water(const ParticleState& state);

/// Throws Error::input for values on other cells than the ground's.
void check_cells(const ParticleState& state, const Field<float>& values);
/// Throws Error::input for more pigments than are washed at once, or on other cells.
void check_pigments(const ParticleState& state, const std::vector<Field<float>>& pigments);

[[nodiscard]] bool has_soil(const ParticleParameters& parameters);
/// Gives a state soil, of which there is none yet.
void make_soil(ParticleState& state);

/// Throws Error::input for other terrain, parameters or maps than ParticleSimulation takes.
ParticleState first_state(const Field<float>& elevation, const ParticleParameters& parameters,
                          std::uint64_t seed, ParticleMaps maps);

}  // namespace thalweg
