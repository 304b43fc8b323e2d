#include "thalweg/project/runner.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/project/cache/cached_stages.hpp"
#include "thalweg/project/earlier_files.hpp"
#include "thalweg/project/memory.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/outputs.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/staged_files.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kStagesShare = 0.7;  // of a build's progress; the rest is for files and pictures

Landscape empty_landscape(const Project& project) {
    Landscape landscape;
    landscape.grid = project.grid;
    landscape.seed = project.seed;
    return landscape;
}

/// Runs the stages as often as asked, each time from the empty landscape, and keeps the last and each stage's
/// times.
void run_stages(const Project& project, const RunOptions& options, RunResult& result, Progress& progress) {
    const int repeats = options.repeat;
    const std::size_t count = project.stages.size();
    const double share = 1.0 / (static_cast<double>(count) * repeats);
    std::vector<std::vector<double>> times(count);
    for (int repeat = 0; repeat < repeats; ++repeat) {
        result.landscape = empty_landscape(project);
        result.report.stages.clear();
        for (std::size_t i = 0; i < count; ++i) {
            const double done =
                static_cast<double>(repeat) * static_cast<double>(count) + static_cast<double>(i);
            ProgressPart part(progress, done * share, (done + 1.0) * share);
            const StageRun how{project.base_directory.string(), options.is_measured,
                               options.write_outputs ? wanted_layers(project, i) : WantedLayers()};
            result.report.stages.push_back(run_stage(project.stages[i], how, result.landscape, part));
            times[i].push_back(result.report.stages.back().solve_ms);
        }
    }
    for (std::size_t i = 0; i < count; ++i) set_repeats(result.report.stages[i], std::move(times[i]));
}

/// The cache that is asked for; none where it can't be had, which the report then tells.
std::optional<StageCache> open_cache(const RunOptions& options, RunReport& report) {
    if (options.cache.empty() || options.repeat > 1 || !options.write_outputs) return std::nullopt;
    try {
        return StageCache(options.cache, options.cache_limit);
    } catch (const Error& error) {
        report.notes.push_back(fmt::format("no stage's result is kept for the next build: {}", error.what()));
        return std::nullopt;
    }
}

RunResult run_and_write(const Project& project, const RunOptions& options, StagedFiles& staged,
                        Progress& progress) {
    const bool write = options.write_outputs;
    const Stopwatch total;
    RunResult result;
    result.report = begin_report(empty_landscape(project));
    result.report.project = project.name;
    result.report.notes = project.notes;

    ProgressPart solving(progress, 0.0, write ? kStagesShare : 1.0);
    if (std::optional<StageCache> cache = open_cache(options, result.report)) {
        result.landscape = empty_landscape(project);
        result.report.stages =
            run_stages_cached(project, options.is_measured, *cache, result.landscape, solving);
        cache->trim();
    } else {
        run_stages(project, options, result, solving);
    }
    if (write) {
        const Stopwatch writing;
        ProgressPart output(progress, kStagesShare, 1.0);
        result.files = staged.with_places(
            [&] { return write_outputs(project, result.landscape, staged, result.report, output); });
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
    if (options.repeat < 1)
        throw Error::input(fmt::format("--repeat {} is not allowed: give 1 or more", options.repeat));
    StagedFiles staged;
    if (options.write_outputs) {
        staged.prepare_folder(project.output_directory);
        check_own_manifest(project.output_directory, kManifestName);
    }
    try {
        const AnswersTo answers(progress);
        return run_and_write(project, options, staged, progress);
    } catch (const Cancelled&) {
        return RunResult{.status = RunStatus::Cancelled};
    }
}

}  // namespace thalweg
