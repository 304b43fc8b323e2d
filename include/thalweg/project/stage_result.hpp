// What a run of a stage leaves, apart from the landscape that it ran on.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/report.hpp"
#include "thalweg/project/stage_run.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace thalweg {

/// The datasets that a stage has made or changed, nothing for those that it has taken away, and its report.
/// Taken by any landscape that has the same inputs, it leaves what another run of the stage would.
struct StageResult {
    std::map<std::string, std::optional<Dataset>> datasets;
    StageReport report;
};

/// Runs a stage (run_stage) and notes what it has left. The result shares its datasets with the landscape, so
/// that a stage which changes them copies them first while it is there.
///
/// Example:
///     Landscape one = landscape, other = landscape;
///     const StageResult result = run_stage_noted(project.stages.front(), {}, one, progress);
///     take_result(result, other);
StageResult run_stage_noted(const StageUse& use, const StageRun& how, Landscape& landscape,
                            Progress& progress);

/// Bytes of the layers in it, of histories too, and of drainage.
std::int64_t bytes_of_layers(const StageResult& result);

/// Brings a result's datasets into the landscape.
void take_result(const StageResult& result, Landscape& landscape);

}  // namespace thalweg
