// The years of a series of frames, as the command line names them.
#pragma once

#include <string_view>
#include <vector>

namespace thalweg {

inline constexpr int kMostFrames = 10000;

/// The times, yr, of `text`: a list `0,1e5,5e5,inf` in any order, or a range `START:END:COUNT` of COUNT times
/// with both ends, evenly spaced, or with `:log` behind it evenly in their logarithms. Throws Error::input
/// for anything else: no time, negative and undefined times, infinite ends, an end that is not after the
/// start, fewer than 2 times in a range, a logarithmic start at 0, and more than kMostFrames times.
std::vector<double> parse_frame_times(std::string_view text);

}  // namespace thalweg
