// The times of a series of frames, as the command line names them.
#pragma once

#include "thalweg/project/project.hpp"

#include <string_view>
#include <vector>

namespace thalweg {

inline constexpr int kMostFrames = 10000;

/// The times of `text`, in the unit of the stage's time: a list `0,1e5,5e5,inf` in any order, or a range
/// `START:END:COUNT` of COUNT times with both ends, evenly spaced, or with `:log` behind it evenly in their
/// logarithms; rounded where the stage counts them. Throws Error::input for anything else: no time, times
/// that the stage does not take, infinite ends, an end that is not after the start, fewer than 2 times in a
/// range, a logarithmic start at 0, and more than kMostFrames times.
///
/// Example:
///     const std::vector<double> times = parse_frame_times("0:1e6:11", find_stage("erode"));
std::vector<double> parse_frame_times(std::string_view text, const Stage& stage);

/// The times from 0 on, one every `step` (a text), up to the end of the stage by its parameters, which is the
/// last of them. Throws Error::input for a step that is no time after 0, where the stage has no end, and for
/// more than kMostFrames times.
std::vector<double> frame_times_every(std::string_view step, const StageUse& use);

}  // namespace thalweg
