#include "thalweg/core/error.hpp"
#include "thalweg/particles/particle_state.hpp"
#include "thalweg/particles/simulation/first_state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace thalweg {

void change_particles(ParticleState& state, const ParticleParameters& parameters) {
    Field<float> elevation(state.elevation.grid());
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) elevation[cell] = height_of(state, cell);
    check_on(parameters, elevation);
    ParticleParameters before = std::exchange(state.parameters, parameters);
    try {
        check_water(state);
        if (parameters.plant_time == 0.0)
            state.plant_cover = {};
        else if (state.plant_cover.empty())
            state.plant_cover = Field<float>(state.elevation.grid());
        if (has_soil(parameters) && state.soil.empty()) make_soil(state);
    } catch (...) {
        state.parameters = std::move(before);
        throw;
    }
}

namespace {

/// Units of so many metres above the datum.
std::int32_t units_above(const ParticleState& state, double above) {
    constexpr double kMost = 8000.0;  // m from the datum
    if (!(std::abs(above) <= kMost))
        throw Error::input(fmt::format("elevation = {} m: droplets that run take from {} to {} m",
                                       static_cast<float>(state.datum + above), state.datum - kMost,
                                       state.datum + kMost));
    return static_cast<std::int32_t>(std::llround(above / kElevationUnit));
}

/// Puts so many units of loose ground on a cell, or takes them away.
void raise_loose(ParticleState& state, std::int64_t cell, std::int32_t units) {
    if (units == 0) return;
    const double above = static_cast<double>(state.elevation[cell]) + static_cast<double>(units);
    state.elevation[cell] = units_above(state, above * kElevationUnit);
    state.loose[cell] += units;
    state.sediment.entered += units;
}

/// By how many units a thickness differs from `present`; 0 where it is as that, and where there is no data.
std::int32_t change_of_thickness(const ParticleState& state, std::int64_t cell, std::int32_t present,
                                 float thickness) {
    if (state.elevation[cell] == kNoGround || is_no_data(thickness)) return 0;
    if (thickness == static_cast<float>(static_cast<double>(present) * kElevationUnit)) return 0;
    constexpr float kMost = 8000.0F;  // m
    if (!(thickness <= kMost))
        throw Error::input(
            fmt::format("a thickness of {} m is not allowed: give up to {} m", thickness, kMost));
    const double units = std::max(0.0, static_cast<double>(thickness)) / kElevationUnit;
    return static_cast<std::int32_t>(std::llround(units)) - present;
}

}  // namespace

void change_particle_sediment(ParticleState& state, const Field<float>& thickness) {
    check_cells(state, thickness);
    ParticleState changed = state;
    for (std::int64_t cell = 0; cell < thickness.size(); ++cell) {
        const std::int32_t soil = changed.soil.empty() ? 0 : changed.soil[cell];
        const std::int32_t present = changed.loose[cell] - soil;
        raise_loose(changed, cell, change_of_thickness(changed, cell, present, thickness[cell]));
    }
    state = std::move(changed);
}

void change_particle_soil(ParticleState& state, const Field<float>& thickness) {
    check_cells(state, thickness);
    ParticleState changed = state;
    if (changed.soil.empty()) make_soil(changed);
    for (std::int64_t cell = 0; cell < thickness.size(); ++cell) {
        const std::int32_t change = change_of_thickness(changed, cell, changed.soil[cell], thickness[cell]);
        raise_loose(changed, cell, change);
        changed.soil[cell] += change;
        changed.soil_budget.entered += change;
    }
    state = std::move(changed);
}

void change_particle_ground(ParticleState& state, const Field<float>& elevation) {
    check_cells(state, elevation);
    ParticleState changed = state;
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell) {
        const float height = elevation[cell];
        const float before = height_of(state, cell);
        if (is_no_data(height) || is_no_data(before) || height == before) continue;
        const std::int32_t units = units_above(state, static_cast<double>(height) - state.datum);
        const std::int32_t raised = units - changed.elevation[cell];
        const std::int32_t taken = std::min(std::max(-raised, 0), changed.loose[cell]);
        changed.loose[cell] -= taken;
        if (!changed.soil.empty()) {
            const std::int32_t of_soil = std::min(taken, changed.soil[cell]);
            changed.soil[cell] -= of_soil;
            changed.soil_budget.entered -= of_soil;
        }
        changed.sediment.bedrock += raised + taken;
        changed.sediment.entered += raised;
        changed.elevation[cell] = units;
    }
    state = std::move(changed);
}

}  // namespace thalweg
