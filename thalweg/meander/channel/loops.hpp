// Loops that a line makes with itself within a few points.
#pragma once

#include "thalweg/meander/channel_line.hpp"

namespace thalweg {

/// Takes loops of at most least_points_between points out of a line: such as no channel makes, left by kinks
/// where pieces were joined. Returns whether there were any. O(points): only where a line turns by half a
/// circle within so few points can it meet itself.
bool remove_loops(ChannelLine& line);

}  // namespace thalweg
