// What every river network must obey.
#pragma once

#include "thalweg/river/network.hpp"

#include <map>
#include <set>

#include <gtest/gtest.h>

namespace thalweg::tests {

inline bool same_place(const RiverPoint& a, const RiverPoint& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

/// Lines run from node to node, their beds never rise, and their numbers agree with their points.
inline void expect_sound_line(const Reach& reach, const RiverNode& from, const RiverNode& to) {
    ASSERT_GE(reach.points.size(), 2U);
    EXPECT_TRUE(same_place(reach.points.front(), from.point));
    EXPECT_TRUE(same_place(reach.points.back(), to.point));
    for (std::size_t i = 1; i < reach.points.size(); ++i)
        ASSERT_LE(reach.points[i].z, reach.points[i - 1].z) << "reach " << reach.id;
    EXPECT_GT(reach.length, 0.0);
    EXPECT_GE(reach.slope, 0.0);
    EXPECT_GE(reach.sinuosity, 1.0);
    EXPECT_NEAR(reach.width * reach.depth * reach.velocity, reach.bankfull_discharge,
                1e-9 * reach.bankfull_discharge);
}

/// One connected tree without cycles to every outlet, upstream stored before downstream.
inline void expect_sound_network(const RiverNetwork& network) {
    std::map<std::int64_t, const RiverNode*> nodes;
    std::map<std::int64_t, int> inflows;
    std::map<std::int64_t, int> outflows;
    for (const RiverNode& node : network.nodes) {
        ASSERT_TRUE(nodes.emplace(node.id, &node).second) << "node " << node.id << " twice";
    }
    std::map<std::int64_t, const Reach*> reaches;
    for (const Reach& reach : network.reaches) {
        ASSERT_TRUE(nodes.contains(reach.from_node) && nodes.contains(reach.to_node));
        expect_sound_line(reach, *nodes[reach.from_node], *nodes[reach.to_node]);
        ASSERT_TRUE(reaches.emplace(reach.id, &reach).second) << "reach " << reach.id << " twice";
        ++outflows[reach.from_node];
        ++inflows[reach.to_node];
    }
    for (const RiverNode& node : network.nodes) {
        ASSERT_EQ(outflows[node.id], node.kind == NodeKind::Outlet ? 0 : 1);
        ASSERT_EQ(node.kind == NodeKind::Source, inflows[node.id] == 0);
        ASSERT_TRUE(node.kind != NodeKind::Confluence || inflows[node.id] >= 2);
    }
    std::set<std::int64_t> passed;
    for (const Reach& reach : network.reaches) {
        passed.insert(reach.id);
        if (reach.next_down < 0) {
            ASSERT_EQ(nodes[reach.to_node]->kind, NodeKind::Outlet);
            continue;
        }
        // Every reach below is still to come, so following next_down cannot run in a circle.
        ASSERT_TRUE(reaches.contains(reach.next_down) && !passed.contains(reach.next_down));
        const Reach& next = *reaches[reach.next_down];
        ASSERT_EQ(next.from_node, reach.to_node);
        ASSERT_GT(next.upland_area, reach.upland_area);
        ASSERT_GE(next.strahler, reach.strahler);
    }
}

}  // namespace thalweg::tests
