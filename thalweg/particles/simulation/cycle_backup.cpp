#include "thalweg/particles/simulation/cycle_backup.hpp"

#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <utility>

namespace thalweg {
namespace {

/// value(cell) of those cells where bits(cell) are not 0.
template <class Bits, class Value>
auto cells_where(std::int64_t cells, const Bits& bits, const Value& value) {
    using Found = decltype(value(cells));
    constexpr std::int64_t kCellsPerSearch = 1 << 16;
    constexpr std::int64_t kTogether = 16;
    return parallel_concat<Found>(0, cells, kCellsPerSearch, [&](std::int64_t first, std::int64_t last) {
        std::vector<Found> found;
        for (; first < last; first += kTogether) {
            const std::int64_t end = std::min(first + kTogether, last);
            std::int32_t any = 0;
            for (std::int64_t cell = first; cell < end; ++cell) any |= bits(cell);
            if (any == 0) continue;
            for (std::int64_t cell = first; cell < end; ++cell)
                if (bits(cell) != 0) found.push_back(value(cell));
        }
        return found;
    });
}

}  // namespace

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
      debt_(state.debt),
      soil_debt_(state.soil_debt),
      water_at_rest_(water_of(state)),
      large_water_(state.water_at_rest.large()),
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
    debt_.restore(state.debt);
    soil_debt_.restore(state.soil_debt);
    restore_water(state);
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

CycleBackup::SparseUnits::SparseUnits(const UnitField& of)
    : cells_(cells_where(
          of.size(), [&](std::int64_t cell) { return of.small()[cell]; },
          [&](std::int64_t cell) {
              return CellUnits{.cell = static_cast<std::int32_t>(cell), .units = of.small()[cell]};
          })),
      large_(of.large()) {
}

void CycleBackup::SparseUnits::restore(UnitField& field) const {
    field = UnitField(field.grid());
    for (const auto& [cell, units] : cells_) field.set(cell, units);
    for (const auto& [cell, units] : large_) field.set(cell, units);
}

std::vector<CycleBackup::CellWater> CycleBackup::water_of(const ParticleState& state) {
    const Field<std::int32_t>& units = state.water_at_rest.small();
    return cells_where(
        units.size(), [&](std::int64_t cell) { return units[cell] | state.lake[cell]; },
        [&](std::int64_t cell) {
            return CellWater{
                .cell = static_cast<std::int32_t>(cell), .lake = state.lake[cell], .units = units[cell]};
        });
}

void CycleBackup::restore_water(ParticleState& state) const {
    state.water_at_rest = UnitField(state.elevation.grid());
    state.lake = Field<std::int32_t>(state.elevation.grid());
    for (const auto& [cell, lake, units] : water_at_rest_) {
        state.lake[cell] = lake;
        state.water_at_rest.set(cell, units);
    }
    for (const auto& [cell, units] : large_water_) state.water_at_rest.set(cell, units);
}

}  // namespace thalweg
