// How a project is run, besides what it says itself.
#pragma once

#include "thalweg/project/frame_animation.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace thalweg {

/// What is done with a project, and what of it is written.
struct RunOptions {
    bool write_outputs = true;  // or only compute all layers; frames and tiles are always written
    int repeat = 1;             // runs of all stages on equal inputs, for timing
    bool is_measured = true;    // whether the report tells what costs time to measure

    // Folder of results of stages that need not be computed again (project/stage_cache.hpp); empty:
    // none. It is neither read nor written where nothing is written, and for repeats and tiles; of frames it
    // has the stages before the timed one.
    std::filesystem::path cache = {};
    std::int64_t cache_limit = std::int64_t{4} << 30;  // bytes

    // Frames, each at one of these times, in the unit of the stage's (frame_times.hpp), made in their order:
    // the last stage that knows times (Stage::at_times) runs at that time, and the stages after it; those
    // before it run once. What a frame holds does not depend on the others. File names end in _0000, _0001,
    // ..., and frames.json is the manifest.
    std::vector<double> times = {};
    std::optional<AnimationOptions> animation = {};  // of the frames' elevation and rivers

    // About the most memory to use, bytes: one stage that has Stage::in_tiles works on the project's start
    // tile by tile, with the same results. 0: all in memory.
    std::int64_t memory_limit = 0;
};

}  // namespace thalweg
