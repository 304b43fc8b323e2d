#include "thalweg/particles/ground/ground_plants.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace thalweg {
namespace {

constexpr std::int64_t kPlantCellsPerTask = 1 << 15;

std::vector<float> share_of_cover(const ParticleState& state, double share) {
    std::vector<float> of_cells(state.plant_cover.begin(), state.plant_cover.end());
    for (float& of_cell : of_cells) of_cell *= static_cast<float>(share);
    return of_cells;
}

}  // namespace

void grow_plants(ParticleState& state, const Field<std::int32_t>& before) {
    if (state.plant_cover.empty()) return;
    const ParticleParameters& p = state.parameters;
    const auto step = static_cast<float>(p.time_step / p.plant_time);
    const auto per_discharge = static_cast<float>(1.0 / p.plant_discharge);
    const auto per_unit = static_cast<float>(kElevationUnit / p.time_step / p.plant_erosion);
    parallel_for(0, state.plant_cover.size(), kPlantCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            if (state.elevation[cell] == kNoGround) continue;
            const auto change = static_cast<float>(std::abs(state.elevation[cell] - before[cell]));
            const float stress = per_discharge * state.discharge[cell] + per_unit * change;
            state.plant_cover[cell] = grown_cover(state.plant_cover[cell], stress, step);
        }
    });
}

void form_soil(ParticleState& state) {
    const ParticleParameters& p = state.parameters;
    if (state.soil.empty() || state.plant_cover.empty() || p.soil_time == 0.0) return;
    const std::int64_t every = soil_forms_every(p.time_step / p.soil_time);
    if ((state.cycles + 1) % every != 0) return;
    const double years = p.time_step * static_cast<double>(every);
    const double limit = p.soil_limit / kElevationUnit;
    const auto form = [&](std::int64_t first, std::int64_t last) {
        std::int64_t sum = 0;
        for (std::int64_t cell = first; cell < last; ++cell) {
            const double height = state.datum + kElevationUnit * state.elevation[cell];
            const bool is_land = state.lake[cell] == 0 && !(height < p.sea_level);
            if (state.elevation[cell] == kNoGround || !is_land) continue;
            const double of_cell = limit * static_cast<double>(state.plant_cover[cell]);
            const std::int32_t formed = formed_soil(state.soil[cell], of_cell, years, p.soil_time);
            state.soil[cell] += formed;
            state.loose[cell] = std::max(state.loose[cell], state.soil[cell]);
            sum += formed;
        }
        return sum;
    };
    state.soil_budget.entered +=
        parallel_reduce(0, state.soil.size(), kPlantCellsPerTask, std::int64_t{0}, form, std::plus<>{});
}

std::vector<float> roots_of(const ParticleState& state) {
    return share_of_cover(state, state.parameters.root_strength);
}

std::vector<float> held_slopes_of(const ParticleState& state) {
    if (state.parameters.root_repose == 0.0) return {};
    return share_of_cover(state, state.parameters.root_repose);
}

}  // namespace thalweg
