// Flags that ask for many times instead of one.
#pragma once

#include "thalweg/project/project.hpp"
#include "thalweg/project/run_options.hpp"

#include <string>
#include <vector>

#include "cli/verb.hpp"

namespace thalweg::cli {

/// Which folder frames go to, in place of --out.
inline constexpr const char* kFrames = "frames";

/// What the help says of --times and --every.
struct FrameWords {
    std::string unit;   // of times
    std::string times;  // a sentence on each
    std::string every;
};

/// --times, --every, --frames, and --animation with what belongs to it, under their title.
FlagGroup frame_flags(const FrameWords& words);

/// Whether frames are asked for. Throws Error::input for --times and --every at once, and for a flag that is
/// of use beside them alone without either.
bool wants_frames(const Given& given);

/// The flag that asks for frames: "--times" or "--every".
std::string frames_asked_by(const Given& given);

/// `--frames DIR` is `--out DIR`. Throws Error::input where both are given.
Given with_frames_folder(Given given);

/// Sets the times of the stage `timed`, and the animation, where wants_frames(given). Throws Error::input for
/// times that the stage does not allow, for a flag of `others` given beside them, and for an animation that
/// is no .webp.
void set_frames(const Given& given, const StageUse& timed, const std::vector<std::string>& others,
                RunOptions& options);

/// Where the animation goes; empty: none.
std::string animation_file(const RunOptions& options);

}  // namespace thalweg::cli
