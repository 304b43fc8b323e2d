#include "thalweg/project/runner.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/project/cache/cached_stages.hpp"
#include "thalweg/project/loop/stage_loop.hpp"
#include "thalweg/project/memory.hpp"
#include "thalweg/project/output/earlier_files.hpp"
#include "thalweg/project/output/outputs.hpp"
#include "thalweg/project/output/staged_files.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/run/frames.hpp"
#include "thalweg/project/run/tiled_verb.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/stage_time.hpp"
#include "thalweg/project/verb_start.hpp"

#include <optional>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kStagesShare = 0.7;  // of a run's progress; the rest is for files and pictures

/// Throws Error::input for all that can be found wrong before any work.
void check_run(const Project& project, const RunOptions& options) {
    if (options.repeat < 1)
        throw Error::input(fmt::format("--repeat {} is not allowed: give 1 or more", options.repeat));
    if (project.stages.empty()) throw Error::input("there is no stage to run: give at least one");
    for (const StageUse& use : project.stages)
        if (use.stage->check) use.stage->check(use.parameters.get());
    if (options.memory_limit > 0) return check_tiles(project, options);
    check_cells(project);
    if (!options.times.empty()) {
        check_frames(project, options);
    } else {
        const LayerCheck layers = layers_before(project, project.stages.size());
        for (const NamedFile& file : project.named_files) layers.check_named(file, project.stages.back());
    }
    if (!project.output_directory.empty()) check_different(output_files(project));
    check_memory(plan_project(project, options));
}

/// Files that were found fit to be written, and wait for their places.
struct RunFiles {
    StagedFiles staged;
    std::vector<WrittenFile> named;   // all, where they go to no folder
    std::filesystem::path animation;  // where it is staged; empty: none
};

/// Frames and tiles have no other use.
bool writes_files(const RunOptions& options) {
    return options.write_outputs || !options.times.empty() || options.memory_limit > 0;
}

void prepare_files(const Project& project, const RunOptions& options, RunFiles& files) {
    const bool is_series = !options.times.empty();
    if (!project.output_directory.empty()) {
        files.staged.prepare_folder(project.output_directory);
        check_own_manifest(project.output_directory, is_series ? kFramesName : kManifestName);
        if (is_series && options.animation) files.animation = files.staged.stage(options.animation->file);
    } else {
        files.named = stage_files(output_files(project), project, files.staged);
    }
}

/// The cache that is asked for; none where it can't be had, which the report then tells.
std::optional<StageCache> open_cache(const RunOptions& options, RunReport& report) {
    if (options.cache.empty() || options.repeat > 1 || !writes_files(options)) return std::nullopt;
    try {
        return StageCache(options.cache, options.cache_limit);
    } catch (const Error& error) {
        report.notes.push_back(fmt::format("no stage's result is kept for the next build: {}", error.what()));
        return std::nullopt;
    }
}

/// Lets a cache shrink to its limit at the end, of cancelled and failed runs too.
class TrimAtEnd {
  public:
    explicit TrimAtEnd(StageCache& cache) : cache_(cache) {}
    TrimAtEnd(const TrimAtEnd&) = delete;
    TrimAtEnd& operator=(const TrimAtEnd&) = delete;
    ~TrimAtEnd() { cache_.trim(); }

  private:
    StageCache& cache_;
};

/// Runs the stages as often as asked, each time from the same start, and keeps the last and each stage's
/// times.
void solve(const Project& project, const RunOptions& options, StageResults* results, RunResult& result,
           Progress& progress) {
    Start start = start_of(project);
    const StageLoop loop{.end = project.stages.size(),
                         .is_measured = options.is_measured,
                         .gives_all_layers = !options.write_outputs,
                         .results = results};
    std::vector<StageReport>& reports = result.report.stages;
    std::vector<std::vector<double>> times(project.stages.size());
    ProgressPart solving(progress, 0.0, options.write_outputs ? kStagesShare : 1.0);
    for (int repeat = 0; repeat < options.repeat; ++repeat) {
        ProgressPart part(solving, static_cast<double>(repeat) / options.repeat,
                          (repeat + 1.0) / options.repeat);
        const bool is_last = repeat + 1 == options.repeat;
        result.landscape = is_last ? std::move(start.landscape) : start.landscape;
        reports = run_stages(project, loop, result.landscape, part);
        for (std::size_t i = 0; i < times.size(); ++i) times[i].push_back(reports[i].solve_ms);
    }
    for (std::size_t i = 0; i < times.size(); ++i) set_repeats(reports[i], std::move(times[i]));
    put_notes_first(reports.front(), std::move(start.notes));
}

/// Writes what the stages have left to files that wait for their places.
void write(const Project& project, RunFiles& files, RunResult& result, Progress& progress) {
    const Stopwatch writing;
    ProgressPart part(progress, kStagesShare, 1.0);
    const bool has_folder = !project.output_directory.empty();
    if (has_folder) {
        const std::vector<std::string> held = names_held(result.landscape);
        files.named = stage_files(output_files(project, {held.begin(), held.end()}), project, files.staged);
    }
    write_files(files.named, project, result.landscape, false, part);
    report_encodings(files.named, result.report);
    for (const WrittenFile& file : files.named)
        result.files.push_back(project.output_directory / file.file.name);
    if (has_folder)
        result.files.push_back(
            stage_manifest(project, kManifestName,
                           manifest_json(project, result.landscape.boundary(), files.named), files.staged));
    result.report.output_ms = writing.milliseconds();
}

/// Runs the stages, of frames too, with the results that are kept, and writes to files that wait for their
/// places. Where that is cancelled, tells where results of it are kept.
void run_and_write(const Project& project, const RunOptions& options, RunFiles& files, RunResult& result,
                   Progress& progress) {
    const bool is_series = !options.times.empty();
    const auto run = [&](StageResults* results) {
        if (is_series) {
            run_frames({project, options, results, files.staged, files.animation}, result, progress);
        } else {
            solve(project, options, results, result, progress);
            if (options.write_outputs) write(project, files, result, progress);
        }
        // The last place where a run can be cancelled: from here on files appear.
        progress.report(1.0, "done");
    };
    std::optional<StageCache> cache = open_cache(options, result.report);
    if (!cache) return run(nullptr);
    CachedStages results(project, is_series ? timed_stage(project) : project.stages.size(),
                         options.is_measured, *cache);
    try {
        const TrimAtEnd trim(*cache);
        run(&results);
    } catch (const Cancelled&) {
        if (results.has_kept()) throw UnfinishedRun(cache->folder());
        throw;
    }
}

}  // namespace

RunResult run_project(const Project& given, const RunOptions& options, const Execution& execution) {
    const Project project = animated(given, options);
    const Stopwatch total;
    const ExecutionScope scope(execution);
    SilentProgress silent;
    Progress& progress = execution.progress != nullptr ? *execution.progress : silent;
    check_run(project, options);
    RunFiles files;
    if (writes_files(options)) prepare_files(project, options, files);
    RunResult result;
    result.report = begin_report(project);
    result.report.notes = project.notes;
    files.staged.with_places([&] {
        if (options.memory_limit > 0) return run_in_tiles(project, options, files.named, result, progress);
        run_and_write(project, options, files, result, progress);
    });
    files.staged.commit();
    for (const std::filesystem::path& file : result.files) result.report.files.push_back(file.string());
    result.report.peak_memory_bytes = peak_memory_bytes();
    result.report.total_ms = total.milliseconds();
    return result;
}

}  // namespace thalweg
