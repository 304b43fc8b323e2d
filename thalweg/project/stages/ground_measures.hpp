// Layers of stage `flow` that measure ground and rivers: steepness, height above drainage, wetness,
// curvature.
#pragma once

#include "thalweg/flow/route.hpp"
#include "thalweg/project/stages/flow_stage.hpp"

namespace thalweg {

/// Where the water of each cell goes, as dinf_bearings gives it; along the tree where it does not part.
Field<float> water_bearings(const FlowResult& flow, Routing routing);

/// Sets those that are wanted. Steepness and heights are of the conditioned elevation, curvature is of the
/// landscape's.
void measure_ground(const FlowResult& flow, const FlowStageParameters& parameters, StageContext& context);

}  // namespace thalweg
