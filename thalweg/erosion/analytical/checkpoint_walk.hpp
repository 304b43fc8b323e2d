// The way from time 0 over checkpoint times, each with the network of the terrain at the key before.
#pragma once

#include "thalweg/erosion/erosion_report.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/levels/increment.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace thalweg {

/// What a walk keeps for times asked for later.
struct CheckpointMemory {
    std::int64_t terrain_bytes =
        0;             // of terrain at checkpoint times, at most; beyond it, every other key is forgotten
    int networks = 1;  // of keys, at least 1: those used last
};

/// The terrain of one level at any times. It is aged from checkpoint time to checkpoint time, t + max(5000
/// yr, 0.10 t) upward from 0, on cell centres t + max(500 yr, 0.05 t), but by at most 10 000 yr or 0.01 t
/// unless rivers are drawn, with deposition 0.02 t (docs/theory/erosion.md, "What a finite time is"); the
/// terrain between two keys comes from the key before. What is remembered spares work and never changes a
/// bit. A call that was cancelled leaves it usable.
class CheckpointWalk {
  public:
    /// What `problem` refers to must outlive it.
    CheckpointWalk(std::shared_ptr<const ErosionLevel> level, const ErosionProblem& problem,
                   CheckpointMemory memory);

    [[nodiscard]] const std::shared_ptr<const ErosionLevel>& level() const { return level_; }

    /// Changes terrain that has been solved on a tree.
    using TerrainEdit = std::function<void(const FlowTree& tree, Field<float>& terrain)>;

    /// At `time` [yr], finite and above 0. Progress is told as a share of the path from 0 to `time`. With
    /// `edit`, that is done before discontinuities are worn back, at `time` alone.
    Field<float> terrain_at(double time, const ErosionRun& run, const TerrainEdit& edit = {});

    /// Solutions along the path from 0 to `time` > 0, whether they are remembered or not.
    int solutions_to(double time) { return checkpoint_before(time) + 1; }

    /// The network that led to the terrain asked for last.
    [[nodiscard]] const ErosionNetwork& network() const { return brackets_.back().network; }

    /// Of the increment that led to the terrain asked for last; nothing without deposition.
    [[nodiscard]] std::optional<SedimentReport> sediment_report() const {
        return increments_.sediment_report();
    }

    [[nodiscard]] TerrainRouter& router() { return router_; }

    /// Networks found so far: what was remembered was not found again.
    [[nodiscard]] std::int64_t networks_found() const { return networks_found_; }
    [[nodiscard]] std::int64_t kept_terrain_bytes() const;

  private:
    using Terrain = std::shared_ptr<const Field<float>>;

    /// A checkpoint time with its terrain and the network of that, which leads to the next key.
    struct Bracket {
        int key = -1;  // -1: the network is not whole
        Terrain terrain;
        ErosionNetwork network;
    };

    [[nodiscard]] double checkpoint_step(int key) const;
    int checkpoint_before(double time);
    const Bracket& nearest_bracket(int key, const ErosionRun& run);
    const Bracket& find_network(int key, Terrain terrain, const ErosionRun& run);
    Field<float> aged(const Bracket& bracket, double years, const ErosionRun& run,
                      const TerrainEdit& edit = {});
    void keep(int key, const Terrain& terrain);

    std::shared_ptr<const ErosionLevel> level_;
    const ErosionParameters& parameters_;
    std::uint64_t seed_;
    CheckpointMemory memory_;
    std::vector<double> checkpoint_times_ = {0.0};  // yr, ascending, as far as was asked for
    std::map<int, Terrain> kept_;                   // by key; key 0 is always there
    int stride_ = 1;                                // keys that are kept are multiples of it
    std::vector<Bracket> brackets_;                 // the one used last at the end
    TerrainRouter router_;
    IncrementSolver increments_;
    std::int64_t networks_found_ = 0;
};

}  // namespace thalweg
