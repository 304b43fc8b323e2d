// The terrain after an increment of time on one network.
#pragma once

#include "thalweg/erosion/erosion_report.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/levels/sediment.hpp"
#include "thalweg/erosion/solvers/transient.hpp"

#include <span>

namespace thalweg {

/// A network with the level that it was found on.
struct LevelNetwork {
    const ErosionLevel& level;
    const ErosionNetwork& network;
};

/// Whose terrain a network was found on: that at the start of an increment, or a later one. On the tree of
/// another terrain many a cell of the start lies below its receiver that is no basin's.
enum class TreeOf { Start, Later };

/// Solves increments of time in closed form (solve_transient), deposition included: with it an increment is
/// solved kSedimentPasses times, first with the sediment that the slopes at its start give, then with that of
/// the solution before. An answer depends on what is given alone. Keeps its memory from call to call.
class IncrementSolver {
  public:
    static constexpr int kSedimentPasses = 2;  // empirical

    explicit IncrementSolver(const ErosionParameters& parameters)
        : law_(parameters.law),
          sediment_(parameters.deposition),
          fills_shallow_basins_(parameters.lattice != ErosionLattice::EightNeighbours) {}

    /// The terrain `years` after `start`, m at the nodes of the level. `terrain` must not be `start`.
    void solve(const LevelNetwork& on, double years, const Field<float>& start, Field<float>& terrain,
               const ErosionRun& run, TreeOf tree_of);

    /// How fast roots fall in the `years` after `start` (open_edges.hpp), put into `network`.
    void set_root_fall(const ErosionLevel& level, const Field<float>& start, double years,
                       ErosionNetwork& network, const Progress& progress);

    /// Uplift that the last increment on `level` was solved with, sediment included, m/yr.
    [[nodiscard]] std::span<const float> uplift(const ErosionLevel& level) const {
        return sediment_.is_deposited() ? sediment_.uplift() : level.uplift;
    }

    /// Of the last increment; nothing without deposition.
    [[nodiscard]] std::optional<SedimentReport> sediment_report() const;

  private:
    ErosionLaw law_;
    Sediment sediment_;
    bool fills_shallow_basins_;  // of noise that only decides courses; those of a raster are its own
    TransientSolver transient_;
};

}  // namespace thalweg
