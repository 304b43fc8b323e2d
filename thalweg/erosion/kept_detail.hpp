// Detail finer than a mesh can carry, given back where hardly anything was eroded.
#pragma once

#include "thalweg/grid/field.hpp"

#include <vector>

namespace thalweg {

/// How deep `terrain` [m], aged by `time` years, lies below the ground that it was, raised by uplift u
/// [m/yr]: m, 0 or more. All on one grid.
std::vector<float> eroded_depth(const Field<float>& before, const std::vector<float>& uplift, double time,
                                const Field<float>& terrain);

/// How far it lies from that ground, below or above: where sediment is laid down, it buries detail as erosion
/// wipes it out. m.
std::vector<float> changed_depth(const Field<float>& before, const std::vector<float>& uplift, double time,
                                 const Field<float>& terrain);

/// Gives `terrain` [m], of which `eroded` m were lost, the detail of `before` that `blurred` has lost, so
/// that ground that erosion has not reached stays as it was:
///   terrain += max(0, 1 - eroded / (0.1 cells)) (before - blurred)
/// before [m]: the ground at time 0; blurred [m]: the same as the mesh carries it. All on one grid. Same bits
/// on any number of threads.
void give_back_detail(Field<float>& terrain, const Field<float>& before, const Field<float>& blurred,
                      const std::vector<float>& eroded);

}  // namespace thalweg
