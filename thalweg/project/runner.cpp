#include "thalweg/project/runner.hpp"

#include "thalweg/project/memory.hpp"
#include "thalweg/project/outputs.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/staged_files.hpp"

namespace thalweg {
namespace {

constexpr double kStagesShare = 0.7;  // of a build's progress; the rest is for files and pictures

void run_stages(const Project& project, RunResult& result, Progress& progress) {
    const double share = 1.0 / static_cast<double>(project.stages.size());
    for (std::size_t i = 0; i < project.stages.size(); ++i) {
        ProgressPart part(progress, static_cast<double>(i) * share, static_cast<double>(i + 1) * share);
        result.report.stages.push_back(
            run_stage(project.stages[i], project.base_directory.string(), result.landscape, part));
    }
}

RunResult run_and_write(const Project& project, bool write, StagedFiles& staged, Progress& progress) {
    const Stopwatch total;
    RunResult result;
    result.landscape.grid = project.grid;
    result.landscape.seed = project.seed;
    result.report = begin_report(result.landscape);
    result.report.project = project.name;

    ProgressPart solving(progress, 0.0, write ? kStagesShare : 1.0);
    run_stages(project, result, solving);
    if (write) {
        const Stopwatch writing;
        ProgressPart output(progress, kStagesShare, 1.0);
        result.files =
            staged.with_places([&] { return write_outputs(project, result.landscape, staged, output); });
        result.report.output_ms = writing.milliseconds();
    }

    // The last place where a run can be cancelled: from here on files appear.
    progress.report(1.0, "done");
    staged.commit();
    for (const std::filesystem::path& file : result.files) result.report.files.push_back(file.string());
    result.report.peak_memory_bytes = peak_memory_bytes();
    result.report.total_ms = total.milliseconds();
    return result;
}

}  // namespace

RunResult run_project(const Project& project, const RunOptions& options, Progress& progress) {
    check_memory(plan_project(project));
    StagedFiles staged;
    if (options.write_outputs) staged.prepare_folder(project.output_directory);
    try {
        return run_and_write(project, options.write_outputs, staged, progress);
    } catch (const Cancelled&) {
        return RunResult{.status = RunStatus::Cancelled};
    }
}

}  // namespace thalweg
