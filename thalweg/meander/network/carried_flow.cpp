#include "thalweg/meander/network/carried_flow.hpp"

#include "thalweg/river/hydraulics.hpp"
#include "thalweg/river/reach_graph.hpp"

#include <algorithm>
#include <cmath>

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
    const ReachGraph graph(state.network.reaches);
    std::unordered_map<std::int64_t, double> bed_at;  // of nodes, m
    for (const std::int32_t place : graph.downstream_order()) {
        std::vector<double>& bed = state.channels[place].line.z;
        for (const std::int32_t above : graph.above(place))
            bed.front() = std::min(bed.front(), state.channels[above].line.z.back());
        for (const std::int32_t beside : graph.beside(place))
            bed.front() = std::min(bed.front(), state.channels[beside].line.z.front());
        for (std::size_t i = 1; i < bed.size(); ++i) bed[i] = std::min(bed[i], bed[i - 1]);
        bed_at[state.network.reaches[place].from_node] = bed.front();
        const auto [end, is_new] = bed_at.try_emplace(state.network.reaches[place].to_node, bed.back());
        if (!is_new) end->second = std::min(end->second, bed.back());
    }
    for (std::size_t place = 0; place < state.channels.size(); ++place)
        state.channels[place].line.z.back() = bed_at[state.network.reaches[place].to_node];
    for (RiverNode& node : state.network.nodes)
        if (const auto bed = bed_at.find(node.id); bed != bed_at.end()) node.point.z = bed->second;
}

}  // namespace thalweg
