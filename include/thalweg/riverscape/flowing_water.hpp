// Flowing water as stages leave it: what layers do not tell.
#pragma once

#include "thalweg/water/blend_flow_tree.hpp"
#include "thalweg/water/drift.hpp"

#include <vector>

namespace thalweg {

/// The water of a landscape at one time, beside its layers.
///
/// Example:
///     const FlowingWater water = {.time = 2.5, .loop_period = 10.0};
struct FlowingWater {
    double time = 0.0;                   // s
    double loop_period = 0.0;            // s, after which it moves as before
    WaterTreeTable primitives = {};      // empty where nobody asked for them
    std::vector<Drifter> drifters = {};  // leaves and foam at that time
};

}  // namespace thalweg
