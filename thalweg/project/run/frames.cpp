#include "thalweg/project/run/frames.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/io/files.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/loop/stage_loop.hpp"
#include "thalweg/project/model/layer_names.hpp"
#include "thalweg/project/output/manifest.hpp"
#include "thalweg/project/output/outputs.hpp"
#include "thalweg/project/output_files.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/stage_grids.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/stage_time.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace thalweg {
namespace {

constexpr double kBeforeShare = 0.1;  // of the progress: stages before the timed one
constexpr double kStagesShare = 0.7;  // of a frame's progress; the rest is for files and pictures
constexpr double kFramesShare = 0.6;  // of the progress where an animation is drawn after them

/// The project with that time of its timed stage.
Project frame_of(const Project& project, std::size_t timed, double time) {
    Project frame = project;
    frame.stages[timed] = at_time(project.stages[timed], time);
    return frame;
}

/// Throws Error::input when `folder` is none, is a file, or is called as a raster is.
void check_folder(const std::filesystem::path& folder) {
    std::error_code unknown;
    if (std::filesystem::exists(folder, unknown) && !std::filesystem::is_directory(folder, unknown))
        throw Error::input(folder.string() + ": is a file: name a folder for the frames");
    bool is_raster_name = true;
    try {
        raster_format_of(folder);
    } catch (const Error&) {
        is_raster_name = false;
    }
    if (is_raster_name || folder.empty())
        throw Error::input(folder.string() + " is not allowed: name a folder for the frames, not a file");
}

/// The numbers of the frames in the order of their times.
std::vector<std::size_t> in_order(const std::vector<double>& times) {
    std::vector<std::size_t> order(times.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t frame) { return times[frame]; });
    return order;
}

/// The frames that are being made, and what they are made from.
struct Series {
    const FrameRun& run;
    const Project& project = run.project;
    const RunOptions& options = run.options;
    std::size_t timed = timed_stage(project);  // place of the stage that runs at many times
    StageAtTime at_time = {};
    std::set<std::string> notes = {};  // of the frames so far, without numbers, by stage
    std::vector<FrameFiles> frames = {};
    WaterBoundary boundary = {};  // of the last frame: only times differ
};

/// Runs the stages before the timed one, and prepares that. Returns what was noted of the preparation.
std::vector<std::string> prepare(Series& series, Landscape& landscape, RunReport& report,
                                 Progress& progress) {
    const Project& project = series.project;
    const bool is_measured = series.options.is_measured;
    report.stages =
        run_stages(project, {.end = series.timed, .is_measured = is_measured, .results = series.run.results},
                   landscape, progress);
    const StageUse& use = project.stages[series.timed];
    StageContext context{landscape,   project.base_directory.string(),     progress, {},
                         is_measured, wanted_layers(project, series.timed)};
    series.at_time = with_place("stage " + use.label + ": ",
                                [&] { return use.stage->at_times(use.parameters.get(), context); });
    return std::move(context.diagnostics.notes);
}

/// Runs the stages of one frame on its landscape: the timed one under its own name, prepared as it is.
std::vector<StageReport> run_frame(const Series& series, double time, Landscape& landscape,
                                   Progress& progress) {
    Project frame = frame_of(series.project, series.timed, time);
    Stage prepared = *frame.stages[series.timed].stage;
    prepared.run = [&](const void*, StageContext& context) { series.at_time(time, context); };
    frame.stages[series.timed].stage = &prepared;
    return run_stages(
        frame, {.begin = series.timed, .end = frame.stages.size(), .is_measured = series.options.is_measured},
        landscape, progress);
}

/// Leaves each note to the first frame that has it. Those that differ in numbers alone are one: they change
/// with time.
void keep_notes_once(Series& series, std::vector<StageReport>& reports) {
    const auto is_known = [&](const StageReport& report, std::string note) {
        std::erase_if(note, [](char letter) { return letter >= '0' && letter <= '9'; });
        return !series.notes.insert(report.label + ": " + note).second;
    };
    for (StageReport& report : reports)
        std::erase_if(report.diagnostics.notes,
                      [&](const std::string& note) { return is_known(report, note); });
}

/// Stages and writes the files of a frame.
void write_frame(Series& series, std::size_t number, const Landscape& landscape, Progress& progress) {
    const std::vector<std::string> held = names_held(landscape);
    std::vector<OutputFile> files = output_files(series.project, {held.begin(), held.end()});
    for (OutputFile& file : files) file.name = with_suffix(file.name, frame_suffix(number));
    std::vector<WrittenFile> written = stage_files(std::move(files), series.project, series.run.staged);
    write_files(written, series.project, landscape, true, progress);
    series.frames[number] = {series.options.times[number], std::move(written)};
    series.boundary = landscape.boundary();
}

/// Runs the stages of every frame, and writes its files; the animation, where there is one, gets to see it.
void make_frames(Series& series, FrameAnimation* animation, RunReport& report, Progress& progress) {
    Start start = start_of(series.project);
    ProgressPart preparing(progress, 0.0, kBeforeShare);
    std::vector<std::string> notes = prepare(series, start.landscape, report, preparing);
    const std::vector<double>& times = series.options.times;
    const double share = (1.0 - kBeforeShare) / static_cast<double>(times.size());
    series.frames.resize(times.size());
    double frames_done = 0.0;
    for (const std::size_t i : in_order(times)) {
        const double done = kBeforeShare + share * frames_done++;
        Landscape landscape = start.landscape;
        ProgressPart solving(progress, done, done + kStagesShare * share);
        std::vector<StageReport> stages = run_frame(series, times[i], landscape, solving);
        keep_notes_once(series, stages);
        std::ranges::move(stages, std::back_inserter(report.stages));
        const Stopwatch writing;
        ProgressPart output(progress, done + kStagesShare * share, done + share);
        write_frame(series, i, landscape, output);
        report.output_ms += writing.milliseconds();
        if (animation != nullptr) animation->add(times[i], landscape);
    }
    // Once, with the first frame.
    put_notes_first(report.stages[series.timed], std::move(notes));
    put_notes_first(report.stages.front(), std::move(start.notes));
}

/// Draws the animation and stages it.
AnimationFile stage_animation(const FrameAnimation& animation, const FrameRun& run, Progress& progress) {
    const AnimationOptions& options = *run.options.animation;
    const DrawnAnimation drawn =
        animation.draw(run.options.times, animation_format_of(options.file), progress);
    write_file_atomically(run.animation, drawn.bytes);
    return {.name = options.file.filename().string(),
            .frame_rate = options.look.frame_rate,
            .width = drawn.width,
            .height = drawn.height,
            .minimum = drawn.minimum,
            .maximum = drawn.maximum,
            .bytes = drawn.bytes.size(),
            .sha256 = sha256(drawn.bytes)};
}

}  // namespace

Project animated(const Project& project, const RunOptions& options) {
    Project shown = project;
    if (options.animation) shown.animated_layer = options.animation->look.animation_layer;
    return shown;
}

void check_frames(const Project& project, const RunOptions& options) {
    if (project.file.empty() || project.output_directory.empty()) check_folder(project.output_directory);
    if (options.animation) check_animation(*options.animation);
    const std::size_t timed = timed_stage(project);
    for (const double time : options.times) {
        const Project frame = frame_of(project, timed, time);
        const LayerCheck layers = layers_before(frame, frame.stages.size());
        with_place(fmt::format("frame at {}: ", time_in_words(time, project.stages[timed].stage->time)), [&] {
            layers.check_output(frame.output.layers);
            if (options.animation && options.animation->look.animation_river &&
                !layers.present().contains(kVelocity))
                throw Error::input("--animation-river shows what stage water leaves: add that stage");
            if (!project.animated_layer.empty()) layers.check_animated(project.animated_layer);
            for (const NamedFile& file : frame.named_files) layers.check_named(file, frame.stages.back());
        });
    }
}

void run_frames(const FrameRun& run, RunResult& result, Progress& progress) {
    Series series{run};
    const Project& project = run.project;
    const std::optional<AnimationOptions>& wanted = run.options.animation;
    std::optional<FrameAnimation> pictures;
    if (wanted) pictures.emplace(wanted->look, project.stages[series.timed].stage->time, project.output);
    ProgressPart solving(progress, 0.0, wanted ? kFramesShare : 1.0);
    make_frames(series, pictures ? &*pictures : nullptr, result.report, solving);
    write_held_layers(grids_of(project).back(), series.frames, solving);
    report_encodings(series.frames, result.report);
    for (const FrameFiles& frame : series.frames)
        for (const WrittenFile& file : frame.files)
            result.files.push_back(project.output_directory / file.file.name);
    std::optional<AnimationFile> drawn;
    if (wanted) {
        const Stopwatch drawing;
        ProgressPart part(progress, kFramesShare, 1.0);
        drawn = stage_animation(*pictures, run, part);
        result.report.output_ms += drawing.milliseconds();
        result.files.push_back(wanted->file);
    }
    const std::string manifest =
        frames_json(project, series.boundary, project.stages[series.timed], series.frames, drawn);
    result.files.push_back(stage_manifest(project, kFramesName, manifest, run.staged));
}

}  // namespace thalweg
