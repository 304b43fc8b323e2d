// Frames: a project, or one stage on a raster, at many times.
#pragma once

#include "thalweg/project/frame_animation.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/runner.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace thalweg {

struct FrameOptions {
    std::vector<double> times = {};  // one for each frame (frame_times.hpp); at least one
    std::optional<AnimationOptions> animation = {};
    bool is_measured = true;  // as in RunOptions, of the stages beside the one that knows times
    std::map<std::string, std::string> layer_files =
        {};  // of a verb: names of files of further layers, by layer
};

/// The last stage of a project that knows times (Stage::at_times), whose time is that of frames. Throws
/// Error::input when none does.
const StageUse& timed_stage(const Project& project);

/// Runs the project once for each time: its timed stage at that time, and the stages after it; those before
/// it run once. Frames are made in the order of their times. Writes the outputs of every frame, their names
/// ending in _0000, _0001, ..., in the order given, and frames.json (manifest.hpp) in place of the manifest.
/// What a frame holds does not depend on the others. With an animation, that of their elevation and rivers is
/// written too. All files appear at the end, or none when it fails or is cancelled. Throws Error::input
/// before any work when no stage knows times, when the output folder can't be written, and when memory won't
/// do.
RunResult run_project_frames(const Project& project, const FrameOptions& options, Progress& progress);

/// What that will do and need, without the animation's file. Throws Error::input when no stage knows times.
Plan plan_project_frames(const Project& project, const FrameOptions& options);

/// Every file that it writes into the output folder.
std::vector<std::filesystem::path> project_frame_files(const Project& project, const FrameOptions& options);

/// The same for one stage on a raster: its primary layer as GeoTIFF, <layer>_0000.tif, ..., in `folder`, and
/// there options.layer_files, numbered too. Throws Error::input for a stage that knows no times, a `folder`
/// that is a file, or has the name of one, and for layers that the stage does not leave at all of the times.
RunResult run_verb_frames(const StageUse& use, const VerbInput& input, const std::filesystem::path& folder,
                          const FrameOptions& options, Progress& progress);

/// Every file that it writes into `folder`.
std::vector<std::filesystem::path> verb_frame_files(const StageUse& use, const std::filesystem::path& folder,
                                                    const FrameOptions& options);

}  // namespace thalweg
