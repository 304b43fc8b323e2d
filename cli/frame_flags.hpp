// Flags that ask for many times instead of one.
#pragma once

#include "thalweg/project/frames.hpp"

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.hpp"

namespace thalweg::cli {

/// --times and --animation with what belongs to it, under their title.
FlagGroup frame_flags();

/// What was asked for, or nothing without --times. Throws Error::input for times that are not allowed, and
/// for a flag of `others` given beside --times, and for an animation without times or that is no .webp.
std::optional<FrameOptions> frame_options(const Given& given, const std::vector<std::string>& others);

/// Where the animation goes; empty: none.
std::string animation_file(const FrameOptions& options);

}  // namespace thalweg::cli
