#include "thalweg/project/frames.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/earlier_files.hpp"
#include "thalweg/project/input_files.hpp"
#include "thalweg/project/manifest.hpp"
#include "thalweg/project/memory.hpp"
#include "thalweg/project/outputs.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/stage_time.hpp"
#include "thalweg/project/staged_files.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>
#include <numeric>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kBeforeShare = 0.1;        // of the progress: stages before the timed one
constexpr double kStagesShare = 0.7;        // of a frame's progress; the rest is for files and pictures
constexpr double kFramesShare = 0.6;        // of the progress where an animation is drawn after them
constexpr double kSeriesBytesPerCell = 60;  // that a series keeps beside what a single run needs; measured

/// A project of which one stage runs at many times.
struct TimedProject {
    const Project& project;
    std::size_t timed;  // place of that stage
    FrameOptions options;
    std::vector<std::string> notes;  // on how the start was read

    [[nodiscard]] const StageUse& timed_use() const { return project.stages[timed]; }
    [[nodiscard]] StageRun run_of(std::size_t stage) const {
        return {project.base_directory.string(), options.is_measured, wanted_layers(project, stage)};
    }
};

/// Throws Error::input where the stage leaves out a layer that is written at one of the times.
void check_layers(const Project& project, std::size_t timed, const std::vector<double>& times) {
    for (const double time : times) {
        LayerCheck layers;
        for (std::size_t i = 0; i < project.stages.size(); ++i) {
            const StageUse use = i == timed ? at_time(project.stages[i], time) : project.stages[i];
            layers.pass(*use.stage, use.parameters.get());
        }
        with_place(fmt::format("--times {:g}: ", time), [&] { layers.check_output(project.output.layers); });
    }
}

TimedProject timed_project(const Project& project, const FrameOptions& options) {
    if (options.animation) check_animation(*options.animation);
    if (options.times.empty()) throw Error::input("--times is not allowed without a time: give at least one");
    const auto place = static_cast<std::size_t>(&timed_stage(project) - project.stages.data());
    return {project, place, options, {}};
}

/// The numbers of the frames in the order of their times.
std::vector<std::size_t> in_order(const std::vector<double>& times) {
    std::vector<std::size_t> order(times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t frame) { return times[frame]; });
    return order;
}

/// The frame that needs most, where that grows with time.
StageUse at_latest(const StageUse& use, const FrameOptions& options) {
    return at_time(use, std::ranges::max(options.times));
}

/// Adds what frames need beside a single run: the series, a second copy of the layers before it, and the
/// animation.
Plan with_frames(Plan plan, const TimedProject& timed, std::size_t layers) {
    const Grid& grid = timed.project.grid;
    const FrameOptions& options = timed.options;
    if (options.animation)
        plan.peak_bytes +=
            static_cast<std::int64_t>(animation_bytes(options.animation->look, grid, options.times.size()));
    const double bytes_per_cell = kSeriesBytesPerCell + sizeof(float) * static_cast<double>(layers);
    plan.peak_bytes += static_cast<std::int64_t>(bytes_per_cell * static_cast<double>(grid.cells()));
    return plan;
}

std::string suffix_of(std::size_t frame) {
    return fmt::format("_{:04d}", frame);
}

/// One stage on a raster as a project of its own, without its grid.
Project project_of(const StageUse& use, const std::filesystem::path& folder, const FrameOptions& options) {
    Project project;
    project.stages = {use};
    project.output = {.layers = {use.stage->primary},
                      .formats = {"geotiff"},
                      .networks = {},
                      .analyses = {},
                      .pictures = {}};
    project.layer_files = options.layer_files;
    project.output_directory = folder;
    return project;
}

/// All places of `files` in every frame, and that of their list.
std::vector<std::filesystem::path> places_of(const std::vector<OutputFile>& files, const Project& project,
                                             std::size_t frames) {
    std::vector<std::filesystem::path> places;
    for (std::size_t frame = 0; frame < frames; ++frame)
        for (const OutputFile& file : files)
            places.push_back(project.output_directory / with_suffix(file.name, suffix_of(frame)));
    places.push_back(project.output_directory / kFramesName);
    return places;
}

/// The layers that there are before stage `end`.
LayerCheck layers_before(const Project& project, std::size_t end) {
    LayerCheck layers;
    for (std::size_t i = 0; i < end; ++i)
        layers.pass(*project.stages[i].stage, project.stages[i].parameters.get());
    return layers;
}

/// Files that the whole project leaves, once.
std::vector<OutputFile> files_of_one_frame(const Project& project) {
    return output_files(project, layers_before(project, project.stages.size()).present());
}

/// The same of a project made of a verb.
std::vector<OutputFile> files_of_verb(const Project& project) {
    std::set<std::string> layers = {project.stages.front().stage->primary};
    for (const auto& [layer, file] : project.layer_files) layers.insert(layer);
    return output_files(project, layers);
}

/// Runs one frame's stages on its landscape.
class FrameStages {
  public:
    FrameStages(const TimedProject& timed, const StageAtTime& at_time) : timed_(timed), at_time_(at_time) {}

    void run(double time, Landscape& landscape, std::vector<StageReport>& reports, Progress& progress) const {
        const std::vector<StageUse>& stages = timed_.project.stages;
        const double share = 1.0 / static_cast<double>(stages.size() - timed_.timed);
        for (std::size_t i = timed_.timed; i < stages.size(); ++i) {
            const double done = static_cast<double>(i - timed_.timed);
            ProgressPart part(progress, done * share, (done + 1.0) * share);
            reports.push_back(i == timed_.timed ? run_timed(time, landscape, part)
                                                : run_stage(stages[i], timed_.run_of(i), landscape, part));
        }
    }

  private:
    /// The timed stage under its own name, with `time` among its parameters.
    StageReport run_timed(double time, Landscape& landscape, Progress& progress) const {
        StageUse timed = at_time(timed_.timed_use(), time);
        Stage stage = *timed.stage;
        stage.run = [&](const void*, StageContext& context) { at_time_(time, context); };
        timed.stage = &stage;
        return run_stage(timed, timed_.run_of(timed_.timed), landscape, progress);
    }

    const TimedProject& timed_;
    const StageAtTime& at_time_;
};

/// Where files go, and what is told of the run.
struct Staging {
    StagedFiles& files;
    RunReport& report;
    std::filesystem::path animation;  // where it is staged; empty: none
};

/// A stage that can be run at any time, and what was noted in preparing it.
struct PreparedStage {
    StageAtTime at_time;
    std::vector<std::string> notes;
};

/// Runs the stages before the timed one, and prepares that.
PreparedStage prepare(const TimedProject& timed, Landscape& landscape, RunReport& report,
                      Progress& progress) {
    for (std::size_t i = 0; i < timed.timed; ++i) {
        const double share = 1.0 / static_cast<double>(timed.timed);
        ProgressPart part(progress, static_cast<double>(i) * share, static_cast<double>(i + 1) * share);
        report.stages.push_back(run_stage(timed.project.stages[i], timed.run_of(i), landscape, part));
    }
    const StageRun how = timed.run_of(timed.timed);
    StageContext context{landscape, how.base_directory, progress, {}, how.is_measured, how.wanted};
    const StageUse& use = timed.timed_use();
    StageAtTime at_time = with_place("stage " + use.label + ": ",
                                     [&] { return use.stage->at_times(use.parameters.get(), context); });
    std::vector<std::string> notes = timed.notes;
    notes.insert(notes.end(), context.diagnostics.notes.begin(), context.diagnostics.notes.end());
    return {std::move(at_time), std::move(notes)};
}

/// Draws the animation and stages it.
AnimationFile stage_animation(const FrameAnimation& animation, const FrameOptions& frames,
                              const std::filesystem::path& staged, Progress& progress) {
    const DrawnAnimation drawn = animation.draw(frames.times, progress);
    write_file_atomically(staged, drawn.bytes);
    const AnimationOptions& options = *frames.animation;
    return {.name = options.file.filename().string(),
            .frame_rate = options.look.frame_rate,
            .width = drawn.width,
            .height = drawn.height,
            .minimum = drawn.minimum,
            .maximum = drawn.maximum,
            .bytes = drawn.bytes.size(),
            .sha256 = sha256(drawn.bytes)};
}

/// What all frames leave.
struct StagedFrames {
    std::vector<FrameFiles> frames;
    WaterBoundary boundary;  // of the last: only times differ
};

/// Runs the stages of every frame and stages its files; the animation, where there is one, gets to see it.
StagedFrames stage_frames(const TimedProject& timed, Landscape before, FrameAnimation* animation,
                          const Staging& staging, Progress& progress) {
    ProgressPart preparing(progress, 0.0, kBeforeShare);
    const PreparedStage prepared = prepare(timed, before, staging.report, preparing);
    const FrameStages stages(timed, prepared.at_time);
    const std::vector<double>& times = timed.options.times;
    StagedFrames staged;
    const double share = (1.0 - kBeforeShare) / static_cast<double>(times.size());
    staged.frames.resize(times.size());
    double frames_done = 0.0;
    for (const std::size_t i : in_order(times)) {
        const double done = kBeforeShare + share * frames_done++;
        Landscape landscape = before;
        ProgressPart solving(progress, done, done + kStagesShare * share);
        stages.run(times[i], landscape, staging.report.stages, solving);
        const Stopwatch writing;
        ProgressPart output(progress, done + kStagesShare * share, done + share);
        staged.frames[i] = {times[i], write_layers_and_pictures(timed.project, landscape, suffix_of(i),
                                                                staging.files, output)};
        staging.report.output_ms += writing.milliseconds();
        if (animation != nullptr) animation->add(times[i], landscape);
        staged.boundary = landscape.boundary();
    }
    // Once, with the first frame.
    std::vector<std::string>& notes = staging.report.stages[timed.timed].diagnostics.notes;
    notes.insert(notes.begin(), prepared.notes.begin(), prepared.notes.end());
    return staged;
}

/// Stages all that is written, and returns the places.
std::vector<std::filesystem::path> stage_all(const TimedProject& timed, Landscape start,
                                             const Staging& staging, Progress& progress) {
    const std::optional<AnimationOptions>& wanted = timed.options.animation;
    std::optional<FrameAnimation> animation;
    if (wanted) animation.emplace(wanted->look, timed.timed_use().stage->time);
    ProgressPart solving(progress, 0.0, wanted ? kFramesShare : 1.0);
    const Grid grid = start.grid;
    StagedFrames made =
        stage_frames(timed, std::move(start), animation ? &*animation : nullptr, staging, solving);
    write_held_layers(grid, made.frames, solving);
    report_encodings(made.frames, staging.report);
    std::vector<std::filesystem::path> places;
    for (const FrameFiles& frame : made.frames)
        for (const WrittenFile& file : frame.files)
            places.push_back(timed.project.output_directory / file.file.name);
    std::optional<AnimationFile> drawn;
    if (wanted) {
        const Stopwatch drawing;
        ProgressPart part(progress, kFramesShare, 1.0);
        drawn = stage_animation(*animation, timed.options, staging.animation, part);
        staging.report.output_ms += drawing.milliseconds();
        places.push_back(wanted->file);
    }
    places.push_back(timed.project.output_directory / kFramesName);
    const std::string manifest =
        frames_json(timed.project, made.boundary, timed.timed_use(), made.frames, drawn);
    for (const std::filesystem::path& stale :
         stale_files(timed.project.output_directory, kFramesName, manifest, input_files(timed.project)))
        staging.files.remove(stale);
    write_file_atomically(staging.files.stage(places.back()), std::as_bytes(std::span(manifest)));
    return places;
}

RunResult run_frames(const TimedProject& timed, Landscape start, Progress& progress) {
    const Stopwatch total;
    StagedFiles staged;
    staged.prepare_folder(timed.project.output_directory);
    check_own_manifest(timed.project.output_directory, kFramesName);
    // First of all, so that a place that can't be written is found before any work.
    std::filesystem::path animation;
    if (timed.options.animation) animation = staged.stage(timed.options.animation->file);
    try {
        const AnswersTo answers(progress);
        RunResult result;
        result.report = begin_report(start);
        result.report.project = timed.project.name;
        result.files = staged.with_places(
            [&] { return stage_all(timed, std::move(start), {staged, result.report, animation}, progress); });
        progress.report(1.0, "done");
        staged.commit();
        for (const std::filesystem::path& file : result.files) result.report.files.push_back(file.string());
        result.report.peak_memory_bytes = peak_memory_bytes();
        result.report.total_ms = total.milliseconds();
        return result;
    } catch (const Cancelled&) {
        return RunResult{.status = RunStatus::Cancelled};
    }
}

/// Throws Error::input when `folder` is a file, or is called as a raster is.
void check_folder(const std::filesystem::path& folder) {
    std::error_code unknown;
    if (std::filesystem::exists(folder, unknown) && !std::filesystem::is_directory(folder, unknown))
        throw Error::input(folder.string() + ": is a file: with --times, name a folder for the frames");
    bool is_raster_name = true;
    try {
        raster_format_of(folder);
    } catch (const Error&) {
        is_raster_name = false;
    }
    if (is_raster_name)
        throw Error::input(folder.string() +
                           " is not allowed: with --times, name a folder for the frames, not a file");
}

}  // namespace

const StageUse& timed_stage(const Project& project) {
    for (const StageUse& use : std::views::reverse(project.stages))
        if (use.stage->at_times) return use;
    throw Error::input(fmt::format("--times needs a stage that knows time, such as erode, and {} has none",
                                   project.file.empty() ? project.stages.back().stage->name : project.file));
}

Plan plan_project_frames(const Project& project, const FrameOptions& options) {
    const TimedProject timed = timed_project(project, options);
    Project latest = project;
    latest.stages[timed.timed] = at_latest(timed.timed_use(), options);
    Plan plan =
        with_frames(plan_project(latest), timed, layers_before(project, timed.timed).present().size());
    const std::size_t last = options.times.size() - 1;
    plan.files.clear();
    for (const OutputFile& file : files_of_one_frame(project))
        plan.files.push_back(with_suffix(file.name, suffix_of(0)) +
                             (last == 0 ? "" : " to " + with_suffix(file.name, suffix_of(last))));
    plan.files.emplace_back(kFramesName);
    return plan;
}

std::vector<std::filesystem::path> project_frame_files(const Project& project, const FrameOptions& options) {
    return places_of(files_of_one_frame(project), project, options.times.size());
}

std::vector<std::filesystem::path> verb_frame_files(const StageUse& use, const std::filesystem::path& folder,
                                                    const FrameOptions& options) {
    const Project project = project_of(use, folder, options);
    return places_of(files_of_verb(project), project, options.times.size());
}

RunResult run_project_frames(const Project& project, const FrameOptions& options, Progress& progress) {
    const TimedProject timed = timed_project(project, options);
    check_layers(project, timed.timed, options.times);
    check_memory(plan_project_frames(project, options));
    Landscape start;
    start.grid = project.grid;
    start.seed = project.seed;
    return run_frames(timed, std::move(start), progress);
}

RunResult run_verb_frames(const StageUse& use, const VerbInput& input, const std::filesystem::path& folder,
                          const FrameOptions& options, Progress& progress) {
    check_folder(folder);
    Project project = project_of(use, folder, options);
    project.seed = input.seed;
    project.grid = verb_grid(input);
    if (input.raster) project.grid_file = *input.raster;
    TimedProject timed = timed_project(project, options);
    for (const double time : options.times) {
        const StageUse frame = at_time(use, time);
        const LayerCheck layers = verb_layers(frame, input);
        for (const auto& [layer, file] : options.layer_files) check_also(frame, layer, file, layers);
    }
    check_different(files_of_verb(project));
    check_memory(with_frames(
        plan_stage(at_latest(use, options),
                   {.grid = project.grid, .base_directory = "", .wanted = timed.run_of(timed.timed).wanted}),
        timed, 1));
    VerbStart start = start_of(input);
    timed.notes = std::move(start.notes);
    return run_frames(timed, std::move(start.landscape), progress);
}

}  // namespace thalweg
