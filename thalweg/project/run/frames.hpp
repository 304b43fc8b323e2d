// Frames: a project at many times.
#pragma once

#include "thalweg/project/loop/stage_loop.hpp"
#include "thalweg/project/output/staged_files.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/run_options.hpp"
#include "thalweg/project/runner.hpp"

#include <filesystem>

namespace thalweg {

/// The project with the layer that the animation of its frames shows, where there is one.
Project animated(const Project& project, const RunOptions& options);

/// Throws Error::input when no stage knows times, the outputs go to no folder or, for a project that is no
/// file, to one that is a file or has the name of one, when a layer that is written is left out at one of the
/// times, and for an animation's name or layer.
void check_frames(const Project& project, const RunOptions& options);

/// What frames are made from, and where they go.
struct FrameRun {
    const Project& project;
    const RunOptions& options;
    StageResults* results;  // of the stages before the timed one; null: none are kept
    StagedFiles& staged;
    std::filesystem::path animation;  // where it is staged; empty: none
};

/// Runs the frames and stages their files, frames.json, and the animation; notes all that in `result`.
void run_frames(const FrameRun& run, RunResult& result, Progress& progress);

}  // namespace thalweg
