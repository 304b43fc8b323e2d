// Flags that ask for many times instead of one.
#pragma once

#include "thalweg/project/run_options.hpp"

#include <string>
#include <vector>

#include "cli/verb.hpp"

namespace thalweg::cli {

/// --times and --animation with what belongs to it, under their title.
FlagGroup frame_flags();

/// Sets the times and the animation that were asked for. Throws Error::input for times that are not allowed,
/// and for a flag of `others` given beside --times, and for an animation without times or that is no .webp.
void set_frames(const Given& given, const std::vector<std::string>& others, RunOptions& options);

/// Where the animation goes; empty: none.
std::string animation_file(const RunOptions& options);

}  // namespace thalweg::cli
