#include "thalweg/project/parts/stream_profiling.hpp"

#include "thalweg/flow/channel_steepness.hpp"
#include "thalweg/flow/profile_smoothing.hpp"
#include "thalweg/project/dataset_catalogue.hpp"
#include "thalweg/river/headwaters.hpp"

#include <utility>
#include <vector>

namespace thalweg {

void profile_streams(const FlowResult& flow, const NetworkParameters& network,
                     const ProfilingParameters& parameters, StageContext& context) {
    if (!context.wanted.has(kProfiles) && !context.wanted.has(kKnickpoints)) return;
    StreamProfiles profiles{.streams = {}, .chi = network.chi, .steepness = {}, .knickpoints = {}};
    profiles.streams =
        stream_tree(flow.tree, eight_neighbours(flow.tree.grid), flow.drainage_area, flow.elevation,
                    river_heads(flow.tree, flow.drainage_area, flow.elevation, network),
                    network.chi.concavity, context.progress);
    if (parameters.smoothing > 0.0) {
        std::vector<double> ground;
        for (const std::int32_t cell : profiles.streams.cell)
            ground.push_back(static_cast<double>(context.landscape.layer("elevation")[cell]));
        profiles.streams.elevation =
            smooth_profiles(profiles.streams, ground, parameters.smoothing, context.progress);
    }
    profiles.steepness = channel_steepness(profiles.streams, network.steepness_length);
    if (context.wanted.has(kKnickpoints)) {
        profiles.knickpoints = find_knickpoints(profiles.streams, parameters.knickpoints,
                                                network.steepness_length, context.progress);
        context.diagnostics.values.emplace_back("knickpoints",
                                                static_cast<std::int64_t>(profiles.knickpoints.size()));
    }
    context.landscape.put(kProfiles, std::move(profiles));
}

}  // namespace thalweg
