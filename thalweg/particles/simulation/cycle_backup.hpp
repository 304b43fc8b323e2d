// What a cycle changes of a state, as it was, so that a cycle that is cancelled leaves nothing behind.
#pragma once

#include "thalweg/particles/droplets/stream_cells.hpp"
#include "thalweg/particles/particle_state.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace thalweg {

/// Averages of streams over the grid, m^3/yr.
struct StreamAverages {
    Field<float> discharge;
    Field<float> momentum_east;
    Field<float> momentum_south;

    explicit StreamAverages(const Grid& grid) : discharge(grid), momentum_east(grid), momentum_south(grid) {}

    void swap_with(ParticleState& state);
};

/// A copy of what cycles change here and there, and of cells that are not 0 in fields that are 0 nearly
/// everywhere; averages of streams, which change once in a cycle and everywhere, are swapped for others. 8
/// bytes a cell, 12 for each cell with water and 8 for each in debt (4 a cell more with soil, and as many for
/// each pigment and for plants). O(cells).
class CycleBackup {
  public:
    explicit CycleBackup(const ParticleState& state);

    /// units
    [[nodiscard]] const Field<std::int32_t>& elevation() const { return elevation_; }

    /// Gives a state other averages of streams.
    void change_averages(ParticleState& state, StreamAverages&& averages);
    /// Makes the state what it was. The backup is of no more use then.
    void restore(ParticleState& state);

  private:
    struct CellUnits {
        std::int32_t cell;
        std::int32_t units;
    };
    struct CellWater {
        std::int32_t cell;
        std::int32_t lake;
        std::int32_t units;
    };

    /// Those that are not 0.
    class SparseUnits {
      public:
        explicit SparseUnits(const UnitField& of);
        void restore(UnitField& field) const;

      private:
        std::vector<CellUnits> cells_;
        std::map<std::int64_t, std::int64_t> large_;
    };

    static std::vector<CellWater> water_of(const ParticleState& state);
    void restore_water(ParticleState& state) const;

    Field<std::int32_t> elevation_;
    Field<std::int32_t> loose_;
    Field<std::int32_t> soil_;
    std::vector<Field<float>> pigments_;
    Field<float> plant_cover_;
    SparseUnits debt_;
    SparseUnits soil_debt_;
    std::vector<CellWater> water_at_rest_;
    std::map<std::int64_t, std::int64_t> large_water_;
    std::vector<StreamAverages> averages_;  // one once they have changed
    std::vector<ParticleLake> lakes_;
    SedimentBudget sediment_;
    SoilBudget soil_budget_;
    WaterBudget water_;
    std::int64_t cycles_;
    std::int64_t averaged_;
    std::int64_t droplets_;
    std::int64_t moves_;
};

}  // namespace thalweg
