// TimedStages: stages that run at one time after another.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/project/stage_result.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace thalweg {

/// Runs stages that know time, and prepares one for all times (Stage::at_times) when a second is asked for: a
/// slider of years then moves in a fraction of what runs take. Leaves what run_stage_noted leaves, bit by
/// bit. What is prepared may take the memory that ErosionSeries says.
///
/// Example:
///     TimedStages prepared;
///     Landscape young = landscape, old = landscape;
///     const StageUse& use = project.stages[timed_stage(project)];
///     prepared.run(at_time(use, 1e5), {}, "the same key", young, progress);
///     prepared.run(at_time(use, 2e5), {}, "the same key", old, progress);
class TimedStages {
  public:
    /// `key` stands for all that decides the stage's outputs but for its time: stage, other parameters,
    /// inputs, grid and seed. Runs of one key share what is prepared.
    StageResult run(const StageUse& use, const StageRun& how, const std::string& key, Landscape& landscape,
                    Progress& progress);

    /// Forgets all but what runs under those keys, and on the kMostGrids grids used last other than `grid`.
    void forget_all_but(const std::vector<std::string>& keys, const Grid& grid);

    static constexpr std::size_t kMostGrids = 6;  // levels from 128 to 4096 cells

  private:
    struct Prepared {
        Grid grid;
        StageAtTime at_time;  // empty: it has run at one time alone
        StageResult left;     // by preparing it
    };

    std::map<std::string, Prepared> prepared_;  // by key
    std::vector<Grid> grids_;                   // the one used last in front
};

}  // namespace thalweg
