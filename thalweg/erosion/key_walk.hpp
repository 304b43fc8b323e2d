// The way from time 0 over key times, each with the network of the terrain at the key before.
#pragma once

#include "thalweg/erosion/level_solver.hpp"

namespace thalweg {

/// Ages the terrain of one level from key time to key time: t + max(5000 yr, 0.07 t) upward from 0
/// (docs/theory/erosion.md, "What a finite time is").
class KeyWalk {
  public:
    /// Starts from the solver's terrain at time 0. `solver` must outlive it; nothing else may change the
    /// solver's level and terrain in between.
    explicit KeyWalk(LevelSolver& solver) : solver_(solver) {}

    /// The terrain at `time` [yr], which must not lie before the last time asked for. The key times, and so
    /// the terrain, do not depend on what was asked for before; afterwards the solver's terrain is that of
    /// the last key. Tells `run` of its progress as a share of the way from 0 to `time`.
    Field<float> terrain_at(double time, const ErosionRun& run);

    [[nodiscard]] int iterations() const { return iterations_; }

  private:
    [[nodiscard]] double key_step() const;
    void age(double years, const ErosionRun& run);

    LevelSolver& solver_;
    double reached_ = 0.0;  // yr, the last key time
    int iterations_ = 0;
};

}  // namespace thalweg
