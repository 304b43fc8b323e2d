// Networks of channels made by hand, and what holds of networks that wander.
#pragma once

#include "thalweg/meander/meander_simulation.hpp"
#include "thalweg/river/network_checks.hpp"

#include <utility>
#include <vector>

#include "tests/meander/lines.hpp"
#include <gtest/gtest.h>

namespace thalweg {

inline RiverNetwork network_of(std::vector<Reach> reaches) {
    RiverNetwork network;
    network.reaches = std::move(reaches);
    network.nodes = nodes_at_ends(network.reaches);
    order_reaches(network);
    order_nodes(network);
    return network;
}

inline Reach reach_along(std::int64_t id, std::int64_t from, std::int64_t to, std::int64_t next,
                         const ChannelLine& line) {
    Reach reach{.id = id, .next_down = next, .from_node = from, .to_node = to};
    reach.points = points_of(line);
    reach.values = line.values;
    reach.discharge = line.values.discharge.back();
    reach.width = line.values.width.back();
    reach.depth = line.values.depth.back();
    return reach;
}

inline RiverNetwork one_channel(double length, double width) {
    return network_of({reach_along(1, 1, 2, -1, sine_line(length, 100.0, length, 0.0, width))});
}

inline double outflow_of(const RiverNetwork& network) {
    double sum = 0.0;
    for (const Reach& reach : network.reaches)
        if (reach.next_down < 0) sum += reach.values.discharge.back();
    return sum;
}

/// What holds of a network after every step.
inline void expect_sound(const MeanderSimulation& rivers, double discharge) {
    const RiverNetwork network = rivers.network();
    check_network(network, "the network", NetworkProfile::DownhillForest);
    ASSERT_EQ(rivers.report().self_crossings, 0) << "year " << rivers.year();
    ASSERT_NEAR(outflow_of(network), discharge, 1e-3 * discharge) << "year " << rivers.year();
    for (const Reach& reach : network.reaches)
        for (const float width : reach.values.width) ASSERT_GT(width, 0.0F);
}

}  // namespace thalweg
