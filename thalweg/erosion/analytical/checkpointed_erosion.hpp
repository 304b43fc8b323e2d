// Finite times over checkpoint times, at full size or refined from the level that all sizes share.
#pragma once

#include "thalweg/erosion/analytical/checkpoint_walk.hpp"
#include "thalweg/erosion/analytical/erosion_result.hpp"
#include "thalweg/erosion/analytical/level_solver.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/level_pyramid.hpp"

#include <optional>
#include <vector>

namespace thalweg {

/// Whether these parameters, resolved, reach finite times over keys: the analytical method with a free
/// network, but not TimeDefinition::Multilevel on four neighbours, which is the paper's: one closed form over
/// the whole time.
bool has_checkpoints(const ErosionParameters& parameters);

/// One erosion problem at any finite times, as TimeDefinition tells (docs/theory/erosion.md). What it keeps
/// from one time to the next spares work and never changes a bit.
class CheckpointedErosion {
  public:
    /// Keeps nothing but the way: for a single time.
    explicit CheckpointedErosion(const ErosionProblem& problem);

    /// Keeps levels, initial ground, terrain at keys in `checkpoint_bytes`, and the networks used last.
    CheckpointedErosion(const ErosionProblem& problem, std::int64_t checkpoint_bytes);

    /// At `time` [yr], finite; parameters.time is not read, but must be finite too. Cancelling leaves it
    /// usable.
    ErosionResult at(double time, Progress& progress, const LevelObserver& observe_level = {});

    /// Of the way over the keys.
    [[nodiscard]] std::int64_t networks_found() const { return walk_ ? walk_->networks_found() : 0; }
    [[nodiscard]] std::int64_t kept_terrain_bytes() const { return walk_ ? walk_->kept_terrain_bytes() : 0; }

  private:
    CheckpointedErosion(const ErosionProblem& problem, CheckpointMemory memory, bool keeps);

    /// Where the last solution of `multilevel` starts.
    struct EarlierState {
        Field<float>& earlier;  // m, at the nodes of the present level
        double earlier_time;    // yr
        double time;            // yr, that of the result
    };

    void refine_to_full_size(const EarlierState& state, const LevelObserver& observe_level,
                             ErosionReport& report, const ErosionRun& run);
    CheckpointWalk& walk(const ErosionRun& run);
    void refine(std::size_t index, CoarseRivers rivers, const EarlierState& state, const ErosionRun& run);
    [[nodiscard]] CheckpointWalk::TerrainEdit optimisation(const ErosionLevel& level, ErosionReport& report,
                                                           const ErosionRun& run) const;
    const InitialGround& ground(const ErosionLevel& level, const ErosionRun& run);
    ErosionResult finish(const SolvedTerrain& solved, ErosionReport report, const ErosionRun& run);

    ErosionProblem problem_;
    CheckpointMemory memory_;
    bool keeps_;
    LevelPyramid pyramid_;
    std::optional<CheckpointWalk> walk_;
    LevelSolver solver_;                 // of the levels finer than the walk's
    std::vector<Field<float>> blurred_;  // m, z0 of each level as the next coarser one carries it
    std::optional<InitialGround> ground_;
};

}  // namespace thalweg
