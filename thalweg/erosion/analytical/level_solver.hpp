// What an erosion does on one level: its network from its terrain, and its terrain from its network.
#pragma once

#include "thalweg/erosion/erosion_report.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/levels/increment.hpp"
#include "thalweg/erosion/network/area_prior.hpp"

#include <memory>
#include <span>
#include <vector>

namespace thalweg {

/// One level at a time with its terrain and network. Keeps its memory from level to level and from call to
/// call; after a call that was cancelled, begin() makes it usable again.
class LevelSolver {
  public:
    /// What `problem` refers to must outlive it.
    explicit LevelSolver(const ErosionProblem& problem);

    /// Makes `level` the present one, with `terrain` at its nodes; `rivers` of the coarser level guide it.
    void begin(std::shared_ptr<const ErosionLevel> level, Field<float> terrain, CoarseRivers rivers = {});

    /// The rivers of the present level, which guide the next.
    [[nodiscard]] CoarseRivers rivers() const { return rivers_of(mean_area_, level_->lattice.grid); }

    [[nodiscard]] const std::shared_ptr<const ErosionLevel>& level() const { return level_; }
    [[nodiscard]] ErosionNetwork& network() { return network_; }
    [[nodiscard]] const ErosionNetwork& network() const { return network_; }
    [[nodiscard]] Field<float>& terrain() { return terrain_; }  // at the nodes, m
    [[nodiscard]] const Field<float>& terrain() const { return terrain_; }

    /// Finds the network of the terrain and its celerities. Its area becomes the mean with that of the
    /// networks found before, which count as `averaged` of them, so that divides settle; on a mesh, the
    /// rivers of the coarser level scale it. `draw` numbers the random receivers.
    void find_network(int draw, int averaged, const ErosionRun& run);

    /// Gives back the memory of the mean area and the celerities, once the level is done.
    void forget_paths() {
        mean_area_ = std::vector<float>();
        network_.celerity = std::vector<float>();
    }

    /// The terrain at steady state on the present network.
    void solve_equilibrium(const ErosionRun& run);

    /// The terrain `years` after `start` on the present network.
    void solve_increment(double years, const Field<float>& start, const ErosionRun& run);

    /// Of what was solved last; nothing without deposition.
    [[nodiscard]] std::optional<SedimentReport> sediment_report() const { return sediment_report_; }

    /// |dz/dt| over the largest uplift along the receivers of the present network, at the steady state of
    /// solve_equilibrium: steady_residuals, or slope_residuals where the slope exponent is not 1.
    [[nodiscard]] std::vector<float> residuals() const;

    /// Lowers what the present network has left of discontinuities beside moved divides
    /// (discontinuities.hpp). `years` and `start` as in solve_increment, or infinity and nullptr after
    /// solve_equilibrium.
    void wear_discontinuities_back(double years, const Field<float>* start, const ErosionRun& run);

    /// Relaxes what lies below the hillslope area, where the mesh is fine enough to show such slopes.
    void smooth_hillslopes(const ErosionRun& run);

    [[nodiscard]] TerrainRouter& router() { return router_; }

  private:
    void average_area(int averaged);
    void prepare_paths();
    [[nodiscard]] bool prescribes_slopes() const { return !parameters_.slope_classes.empty(); }
    [[nodiscard]] bool solves_slopes() const {
        return parameters_.slope_exponent != 1.0 && !prescribes_slopes();
    }
    [[nodiscard]] std::span<const float> steady_uplift() const;

    /// What paths are made of. Where slopes are prescribed or solved they stand for u/a: as uplift, at a
    /// celerity of 1 m/yr and without the thermal term.
    [[nodiscard]] PathInputs path_inputs() const;

    const ErosionParameters& parameters_;
    std::uint64_t seed_;
    ErosionLaw path_law_;  // that the steady state is solved with
    IncrementSolver increments_;
    Sediment steady_sediment_;
    std::optional<SedimentReport> sediment_report_;
    std::shared_ptr<const ErosionLevel> level_;
    Field<float> terrain_;
    TerrainRouter router_;
    ErosionNetwork network_;                // that find_network found last
    std::vector<float> mean_area_;          // m^2, over the networks of the present level
    CoarseRivers coarse_rivers_;            // of the coarser level
    std::vector<float> slopes_;             // m/m, that are prescribed or solved; empty: none
    std::vector<std::uint8_t> hillslopes_;  // per cell: 1 where creep shapes the ground
};

}  // namespace thalweg
