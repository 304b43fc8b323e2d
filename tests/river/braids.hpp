// Networks in which rivers part and meet again.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/river/network_checks.hpp"
#include "thalweg/river/seam.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace thalweg::tests {

/// Nodes down a slope, from nearly each of which one to three reaches run to lower ones; with values at
/// points.
inline RiverNetwork braided_network(std::uint64_t seed, std::uint64_t nodes) {
    std::uint64_t draw = 0;
    const auto bits = [&] { return random_bits(seed, Stream::Noise, draw++); };
    std::vector<RiverPoint> places;
    for (std::uint64_t i = 0; i < nodes; ++i)
        places.push_back(
            {unit_double(bits()) * 1e3, unit_double(bits()) * 1e3, 1e3 - 10.0 * static_cast<double>(i)});
    RiverNetwork network;
    for (std::uint64_t from = 0; from + 1 < nodes; ++from) {
        const std::uint64_t branches = from == 0 ? 2 : bits() % 4;
        for (std::uint64_t k = 0; k < branches; ++k) {
            const std::uint64_t to = from + 1 + bits() % std::min<std::uint64_t>(6, nodes - 1 - from);
            Reach& reach = network.reaches.emplace_back();
            reach.id = static_cast<std::int64_t>(1000 + 7 * network.reaches.size());
            reach.from_node = static_cast<std::int64_t>(10 * from);
            reach.to_node = static_cast<std::int64_t>(10 * to);
            const double step = 10.0 * static_cast<double>(to - from) / 3.0;
            reach.points = {
                places[from],
                {places[from].x + unit_double(bits()), places[from].y - 40.0, places[from].z - step},
                {places[to].x - unit_double(bits()), places[to].y + 30.0, places[to].z + step},
                places[to]};
            reach.discharge = 1.0 + static_cast<double>(bits() % 4);
            for (float value = 1.0F; value < 5.0F; value += 1.0F) {
                reach.values.width.push_back(10.0F * value);
                reach.values.depth.push_back(value);
                reach.values.discharge.push_back(0.5F * value);
            }
            measure_line(reach);
        }
    }
    for (Reach& reach : network.reaches) {
        std::vector<std::int64_t> below;
        for (const Reach& other : network.reaches)
            if (other.from_node == reach.to_node) below.push_back(other.id);
        if (!below.empty()) reach.next_down = below[bits() % below.size()];
    }
    network.nodes = nodes_at_ends(network.reaches);
    order_reaches(network);
    order_nodes(network);
    return network;
}

}  // namespace thalweg::tests
