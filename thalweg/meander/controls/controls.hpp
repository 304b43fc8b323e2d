// What regions of control do to the points of a channel.
#pragma once

#include "thalweg/meander/control_strokes.hpp"
#include "thalweg/meander/meander_state.hpp"

#include <span>

namespace thalweg {

/// Damps the mobility of a channel's points under strokes that damp, and gives a channel that has no pulls
/// (MeanderChannel::pull_x) those of strokes that attract and repel, if one of these reaches it. O(points x
/// strokes whose box meets that of the channel).
void apply_controls(std::span<const ControlStroke> strokes, MeanderChannel& channel);

}  // namespace thalweg
