#include "thalweg/meander/network/carried_flow.hpp"

#include "thalweg/river/falling_beds.hpp"
#include "thalweg/river/hydraulics.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace thalweg {
namespace {

ReachInflow inflow_of(const MeanderState& state, const ReachGraph& graph, std::int32_t reach) {
    ReachInflow inflow;
    for (const std::int32_t above : graph.above(reach)) {
        inflow.discharge += state.channels[above].line.values.discharge.back();
        inflow.upland_area += state.network.reaches[above].upland_area;
    }
    return inflow;
}

void add_discharge(MeanderChannel& channel, double more) {
    constexpr double kLeast = 1e-3;  // of what it was
    PointValues& values = channel.line.values;
    for (std::size_t i = 0; i < channel.line.size(); ++i) {
        const double before = values.discharge[i];
        if (!(before > 0.0)) continue;
        const double ratio = std::max(kLeast, (before + more) / before);
        values.discharge[i] = static_cast<float>(before * ratio);
        const double widening = std::sqrt(ratio);
        values.width[i] *= static_cast<float>(widening);
        values.depth[i] *= static_cast<float>(depth_of_width(widening) / depth_of_width(1.0));
    }
    channel.mobility.clear();
}

}  // namespace

ReachInflows inflows_of(const MeanderState& state) {
    const ReachGraph graph(state.network.reaches);
    ReachInflows inflows;
    for (std::size_t i = 0; i < state.channels.size(); ++i)
        inflows[state.channels[i].reach] = inflow_of(state, graph, static_cast<std::int32_t>(i));
    return inflows;
}

void carry_flow(MeanderState& state, const ReachInflows& before) {
    const ReachGraph graph(state.network.reaches);
    for (const std::int32_t place : graph.downstream_order()) {
        const auto known = before.find(state.channels[place].reach);
        if (known == before.end()) continue;
        const ReachInflow now = inflow_of(state, graph, place);
        const double more = now.discharge - known->second.discharge;
        Reach& reach = state.network.reaches[place];
        reach.upland_area = std::max(0.0, reach.upland_area + now.upland_area - known->second.upland_area);
        if (more == 0.0) continue;
        add_discharge(state.channels[place], more);
        const ChannelLine& line = state.channels[place].line;
        reach.discharge = line.values.discharge.back();
        reach.width = line.values.width.back();
        reach.depth = line.values.depth.back();
    }
}

void let_beds_fall(MeanderState& state) {
    std::vector<std::vector<double>> beds;
    for (MeanderChannel& channel : state.channels) beds.push_back(std::move(channel.line.z));
    const auto bed_at = let_beds_fall(state.network.reaches, beds);
    for (std::size_t place = 0; place < beds.size(); ++place)
        state.channels[place].line.z = std::move(beds[place]);
    for (RiverNode& node : state.network.nodes)
        if (const auto bed = bed_at.find(node.id); bed != bed_at.end()) node.point.z = bed->second;
}

}  // namespace thalweg
