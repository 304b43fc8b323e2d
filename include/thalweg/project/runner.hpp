// Runner: runs the stages of a project, and writes what they leave.
#pragma once

#include "thalweg/core/execution.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/report.hpp"
#include "thalweg/project/run_options.hpp"

#include <filesystem>
#include <utility>
#include <vector>

namespace thalweg {

/// What a run leaves.
struct RunResult {
    Landscape landscape = {};  // after the last stage; empty for frames and tiles
    RunReport report = {};
    std::vector<std::filesystem::path> files = {};  // written, in the order of the manifest
};

/// A run was cancelled, and has left in a folder what it has done, from which the next one goes on.
class UnfinishedRun final : public Cancelled {
  public:
    explicit UnfinishedRun(std::filesystem::path folder) : folder_(std::move(folder)) {}
    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

  private:
    std::filesystem::path folder_;
};

/// Runs the stages in order and writes the outputs, all of them or none, with their manifest where they go to
/// a folder; files of an earlier build there that this one does not write are removed. Of stages whose
/// results are in the cache, only those run that give a layer as a function which a stage that runs may ask
/// for. Parameters, memory, and that all files can be written are checked before any work. A failed or
/// cancelled run leaves no new file. Equal projects give equal bytes in every output, on any number of
/// threads, with and without the cache. A cancelled run of which the cache keeps results throws
/// UnfinishedRun. Several runs may go on at a time, on threads of one process, each
/// with an execution of its own. Throws Error, and Cancelled once the progress is.
///
/// In tiles (RunOptions::memory_limit), what a cancelled or killed run has done stays in a hidden folder
/// beside the first output; the next run with the same input, parameters and output goes on from there, and
/// removes it. Such a run throws UnfinishedRun. Of a start that is not lasting a cancelled run leaves
/// nothing.
///
/// Example:
///     const Execution execution = {.progress = &progress, .threads = 8};
///     const RunResult run = run_project(project, {.write_outputs = false}, execution);
///     const Field<float>& elevation = run.landscape.layer("elevation");
RunResult run_project(const Project& project, const RunOptions& options = {},
                      const Execution& execution = {});

}  // namespace thalweg
