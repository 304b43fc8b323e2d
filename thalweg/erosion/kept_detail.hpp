// Detail finer than a mesh can carry, given back where hardly anything was eroded.
#pragma once

#include "thalweg/grid/field.hpp"

#include <vector>

namespace thalweg {

/// Gives `terrain` [m], aged by `time` years, the detail of `before` that `blurred` has lost, so that ground
/// that erosion has not reached stays as it was:
///   terrain += max(0, 1 - eroded / (0.1 cells)) (before - blurred),   eroded = blurred + u time - terrain
/// before [m]: the ground at time 0; blurred [m]: the same as the mesh carries it; uplift u [m/yr]. All on
/// one grid. Same bits on any number of threads.
void give_back_detail(Field<float>& terrain, const Field<float>& before, const Field<float>& blurred,
                      const std::vector<float>& uplift, double time);

}  // namespace thalweg
