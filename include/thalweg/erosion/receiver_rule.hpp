// How cells of the erosion engine pick their receivers.
#pragma once

namespace thalweg {

/// How a cell picks its receiver among its lower neighbours: the steepest one, or at random in proportion to
/// the drop (Tzathas et al. 2024, section 4.3).
enum class ReceiverRule { Steepest, Random };

}  // namespace thalweg
