// The stages of a project, one after another.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/report.hpp"
#include "thalweg/project/stage_result.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace thalweg {

/// Results of a project's stages that are kept from run to run.
class StageResults {
  public:
    StageResults() = default;
    StageResults(const StageResults&) = delete;
    StageResults& operator=(const StageResults&) = delete;
    virtual ~StageResults() = default;

    /// Which of the stages have to run; of the others the results are kept.
    virtual std::vector<bool> stages_to_run() = 0;

    /// The result of a stage that need not run; nothing where it has turned out to be lost.
    virtual std::optional<StageResult> take(std::size_t stage) = 0;

    /// Runs a stage and notes what it leaves, as run_stage_noted does.
    virtual StageResult run(std::size_t stage, const StageUse& use, const StageRun& how, Landscape& landscape,
                            Progress& progress);

    /// Keeps the result of a stage that has run.
    virtual void keep(std::size_t stage, const StageResult& result) = 0;
};

/// How stages are run.
struct StageLoop {
    std::size_t begin = 0;            // place of the first
    std::size_t end = 0;              // place behind the last
    bool is_measured = true;          // whether the reports tell what costs time to measure
    bool gives_all_layers = false;    // or only those that the project uses
    StageResults* results = nullptr;  // null: none are kept
};

/// Brings the landscape, which is in the state before stage `begin`, to that before stage `end`, and returns
/// the reports of the stages between. Those whose results are kept do not run. Throws Error, and Cancelled;
/// the results of what has run by then are kept.
std::vector<StageReport> run_stages(const Project& project, const StageLoop& loop, Landscape& landscape,
                                    Progress& progress);

}  // namespace thalweg
