#include "thalweg/particles/simulation/cycle_backup.hpp"

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {

void StreamAverages::swap_with(ParticleState& state) {
    std::swap(discharge, state.discharge);
    std::swap(momentum_east, state.momentum_east);
    std::swap(momentum_south, state.momentum_south);
}

CycleBackup::CycleBackup(const ParticleState& state)
    : elevation_(state.elevation),
      loose_(state.loose),
      soil_(state.soil),
      pigments_(state.pigments),
      plant_cover_(state.plant_cover),
      debt_(cells_of(state.debt)),
      soil_debt_(cells_of(state.soil_debt)),
      water_at_rest_(cells_of(state.water_at_rest)),
      lake_(cells_of(state.lake)),
      lakes_(state.lakes),
      sediment_(state.sediment),
      soil_budget_(state.soil_budget),
      water_(state.water),
      cycles_(state.cycles),
      averaged_(state.averaged),
      droplets_(state.droplets),
      moves_(state.moves) {
}

void CycleBackup::change_averages(ParticleState& state, StreamAverages&& averages) {
    averages_.push_back(std::move(averages));
    averages_.back().swap_with(state);
}

void CycleBackup::restore(ParticleState& state) {
    state.elevation = std::move(elevation_);
    state.loose = std::move(loose_);
    state.soil = std::move(soil_);
    state.pigments = std::move(pigments_);
    state.plant_cover = std::move(plant_cover_);
    restore(state.debt, debt_);
    restore(state.soil_debt, soil_debt_);
    // Where lakes were being levelled there are none of these two.
    if (state.water_at_rest.empty()) state.water_at_rest = Field<std::int64_t>(state.elevation.grid());
    if (state.lake.empty()) state.lake = Field<std::int32_t>(state.elevation.grid());
    restore(state.water_at_rest, water_at_rest_);
    restore(state.lake, lake_);
    if (!averages_.empty()) averages_.back().swap_with(state);
    state.lakes = std::move(lakes_);
    state.sediment = sediment_;
    state.soil_budget = soil_budget_;
    state.water = water_;
    state.cycles = cycles_;
    state.averaged = averaged_;
    state.droplets = droplets_;
    state.moves = moves_;
}

template <class T>
CycleBackup::Sparse<T> CycleBackup::cells_of(const Field<T>& field) {
    constexpr std::int64_t kCellsPerSearch = 1 << 16;
    constexpr std::int64_t kTogether = 16;
    return parallel_concat<CellValue<T>>(
        0, field.size(), kCellsPerSearch, [&](std::int64_t first, std::int64_t last) {
            Sparse<T> found;
            for (; first < last; first += kTogether) {
                const std::int64_t end = std::min(first + kTogether, last);
                T any{};
                for (std::int64_t cell = first; cell < end; ++cell) any |= field[cell];
                if (any == 0) continue;
                for (std::int64_t cell = first; cell < end; ++cell)
                    if (field[cell] != 0)
                        found.push_back({.cell = static_cast<std::int32_t>(cell), .value = field[cell]});
            }
            return found;
        });
}

template <class T>
void CycleBackup::restore(Field<T>& field, const Sparse<T>& cells) {
    std::ranges::fill(field, T{});
    for (const CellValue<T>& of_cell : cells) field[of_cell.cell] = of_cell.value;
}

}  // namespace thalweg
