// River networks that tests of files write, and what it is for two to be the same.
#pragma once

#include "thalweg/core/random.hpp"
#include "thalweg/river/file_units.hpp"
#include "thalweg/river/network_checks.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <ogr_spatialref.h>

namespace thalweg {

/// Two headwaters that join and leave by one outlet, in UTM coordinates.
inline RiverNetwork small_network(const std::string& crs) {
    RiverNetwork network;
    network.crs = crs;
    const RiverPoint west{500000.123, 4000300.25, 900.5};
    const RiverPoint east{500400.0, 4000300.0, 880.125};
    const RiverPoint join{500200.0626, 4000100.0, 700.75};
    const RiverPoint outlet{500200.0, 4000000.0, 690.0};
    network.nodes = {{3, NodeKind::Source, west},
                     {9, NodeKind::Source, east},
                     {5000000000, NodeKind::Confluence, join},
                     {5000000100, NodeKind::Outlet, outlet}};
    const auto reach = [](std::int64_t id, std::int64_t next, std::int64_t from, std::int64_t to,
                          int strahler, std::vector<RiverPoint> points) {
        return Reach{.id = id,
                     .next_down = next,
                     .from_node = from,
                     .to_node = to,
                     .strahler = strahler,
                     .points = std::move(points),
                     .length = 256.0,
                     .upland_area = 4.0e6,
                     .discharge = 0.25,
                     .bankfull_discharge = 1.5 + static_cast<double>(id),
                     .slope = 0.1,
                     .width = 12.3,
                     .depth = 0.7,
                     .velocity = 1.1,
                     .sinuosity = 1.25,
                     .stream_power = 200.0};
    };
    network.reaches = {reach(3, 5000000000, 3, 5000000000, 1, {west, {500100.0, 4000200.0, 800.0}, join}),
                       reach(9, 5000000000, 9, 5000000000, 1, {east, join}),
                       reach(5000000000, -1, 5000000000, 5000000100, 2, {join, outlet})};
    return network;
}

/// A forest of `reaches` rivers and streams with random shapes, quantities and ids, a tenth of them with
/// outlets of their own.
inline RiverNetwork random_network(std::uint64_t seed, std::uint64_t reaches) {
    constexpr std::int64_t kIdStep = 5000000007;  // beyond 32 bits
    std::uint64_t draw = 0;
    const auto bits = [&] { return random_bits(seed, Stream::Noise, draw++); };
    const auto random = [&] { return unit_double(bits()) * 1e5; };
    RiverNetwork network;
    // From the outlets up: each reach joins one that was drawn before it.
    for (std::uint64_t i = 0; i < reaches; ++i) {
        Reach& reach = network.reaches.emplace_back();
        reach.id = reach.from_node = static_cast<std::int64_t>(2 * i) * kIdStep;
        RiverPoint end{random(), random(), random()};
        if (i == 0 || bits() % 10 == 0) {
            reach.to_node = reach.id + kIdStep;
        } else {
            const Reach& below = network.reaches[bits() % i];
            reach.next_down = reach.to_node = below.id;
            end = below.points.front();
        }
        for (std::uint64_t k = 0; k < 1 + i % 7; ++k)
            reach.points.push_back({random(), random(), end.z + random()});
        reach.points.push_back(end);
        std::ranges::sort(reach.points, std::greater{}, &RiverPoint::z);
        for (double* quantity : {&reach.length, &reach.upland_area, &reach.discharge,
                                 &reach.bankfull_discharge, &reach.slope, &reach.width, &reach.depth,
                                 &reach.velocity, &reach.sinuosity, &reach.stream_power, &reach.steepness})
            *quantity = random();
        reach.children = static_cast<std::int64_t>(bits() % 3);
        reach.length = as_in_file(reach.length, kKilometre);
        reach.upland_area = as_in_file(reach.upland_area, kSquareKilometre);
        reach.strahler = 1 + static_cast<int>(bits() % 5);
        reach.drawn = bits() % 2 == 0;
    }
    std::ranges::reverse(network.reaches);
    network.nodes = nodes_at_ends(network.reaches);
    order_nodes(network);
    return network;
}

/// Every member the same, numbers to the bit, but the CRS, which same_crs compares.
inline void expect_same(const RiverNetwork& a, const RiverNetwork& b) {
    EXPECT_TRUE(a.nodes == b.nodes);
    ASSERT_EQ(a.reaches.size(), b.reaches.size());
    for (std::size_t i = 0; i < a.reaches.size(); ++i)
        EXPECT_TRUE(a.reaches[i] == b.reaches[i]) << "reach " << b.reaches[i].id;
}

/// Gives every other reach values at its points.
inline RiverNetwork with_values(RiverNetwork network) {
    float value = 0.3F;
    for (std::size_t i = 0; i < network.reaches.size(); i += 2) {
        PointValues& values = network.reaches[i].values;
        for (std::size_t k = 0; k < network.reaches[i].points.size(); ++k)
            for (std::vector<float>* column : {&values.width, &values.depth, &values.discharge})
                column->push_back(value *= 1.001F);
    }
    return network;
}

inline RiverNetwork without_values(RiverNetwork network) {
    for (Reach& reach : network.reaches) reach.values = {};
    return network;
}

inline bool same_crs(const std::string& a, const std::string& b) {
    OGRSpatialReference first;
    OGRSpatialReference second;
    if (a.empty() || b.empty()) return a == b;
    return first.importFromWkt(a.c_str()) == OGRERR_NONE && second.importFromWkt(b.c_str()) == OGRERR_NONE &&
           first.IsSame(&second);
}

}  // namespace thalweg
