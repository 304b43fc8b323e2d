#include "thalweg/project/stages/rivers_stage.hpp"

#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stages/stages.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr double kRoutingShare = 0.6;  // of the stage's progress

void describe(const RiverNetwork& network, Diagnostics& diagnostics) {
    double length = 0.0;  // m
    int highest_order = 0;
    for (const Reach& reach : network.reaches) {
        length += reach.length;
        highest_order = std::max(highest_order, reach.strahler);
    }
    diagnostics.values = {{"reaches", static_cast<std::int64_t>(network.reaches.size())},
                          {"nodes", static_cast<std::int64_t>(network.nodes.size())},
                          {"length_km", length / 1000.0},
                          {"highest_strahler", std::int64_t{highest_order}}};
}

void run(const RiversParameters& parameters, StageContext& context) {
    Landscape& landscape = context.landscape;
    ProgressPart routing(context.progress, 0.0, kRoutingShare);
    const FlowResult flow = drain(parameters.drainage, context, routing);
    ProgressPart extracting(context.progress, kRoutingShare, 1.0);
    landscape.rivers =
        extract_network(flow.tree, flow.drainage_area, flow.elevation, parameters.network, extracting);
    describe(*landscape.rivers, context.diagnostics);
    if (landscape.rivers->reaches.empty())
        context.diagnostics.notes.emplace_back(
            "no cell drains as much as min_area: the river network is empty");
}

}  // namespace

void RiversParameters::declare(Declaration<RiversParameters>& d) {
    d.include(&RiversParameters::network);
    d.include(&RiversParameters::drainage, {"routing", "freeman_exponent"});
}

Stage rivers_stage() {
    return make_stage<RiversParameters>(
        {
            .name = "rivers",
            .summary = "Draws the rivers as connected lines, with discharge, width, depth and velocity.",
            .description =
                "A river begins where enough area drains through a cell. Each reach runs from a source or "
                "confluence to the next, and its bed never rises downstream.",
            .reads = {"elevation"},
            .writes = {kRivers},
            .primary = kRivers,
            .bytes_per_cell = 48.0,  // routing's own 40 (route.hpp) and the network
        },
        run);
}

}  // namespace thalweg
