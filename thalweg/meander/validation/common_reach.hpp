// Two lines of one river, turned the same way and cut to what both show.
#pragma once

#include "thalweg/meander/channel_line.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace thalweg {

/// The points of `line` from `first` to `last`, both included.
ChannelLine piece_of(const ChannelLine& line, std::size_t first, std::size_t last);

/// The line from its last point to its first.
ChannelLine turned_round(const ChannelLine& line);

/// Turns `after` round where it runs the other way than `before`, and cuts off what one line has beyond the
/// end of the other: at each end either point of the one whose nearest point on the other is nearer is kept,
/// with that. Both have even steps of `spacing` (m). Adds to `notes` what was done. Throws Error::input where
/// less than half of the shorter line lies within 5 `width` (m) of the other. O(points + (length / width)^2).
void keep_common_reach(ChannelLine& before, ChannelLine& after, double spacing, double width,
                       std::vector<std::string>& notes);

}  // namespace thalweg
