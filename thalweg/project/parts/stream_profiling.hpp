// How stage `rivers` makes the long profiles of its rivers.
#pragma once

#include "thalweg/flow/route.hpp"
#include "thalweg/flow/stream_profiles.hpp"
#include "thalweg/project/stage.hpp"
#include "thalweg/river/extract.hpp"

namespace thalweg {

struct ProfilingParameters {
    KnickpointParameters knickpoints = {};
    double smoothing = 0.0;  // m, over which the landscape's elevation is smoothed; 0: the conditioned one
};

/// Leaves the profiles and knickpoints of the network's rivers in the landscape, where they are wanted.
void profile_streams(const FlowResult& flow, const NetworkParameters& network,
                     const ProfilingParameters& parameters, StageContext& context);

}  // namespace thalweg
