#include "thalweg/river/network_checks.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "tests/river/braids.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A river that parts around an island: reaches 10, 20 and 30 beside each other, 40; nodes 1 to 4.
RiverNetwork island() {
    const RiverPoint source{0.0, 0.0, 9.0}, fork{10.0, 0.0, 8.0}, join{20.0, 0.0, 5.0}, mouth{30.0, 0.0, 1.0};
    RiverNetwork network;
    const auto add = [&](std::int64_t id, std::int64_t next, std::int64_t from, std::int64_t to,
                         std::vector<RiverPoint> points) {
        network.reaches.push_back(
            {.id = id, .next_down = next, .from_node = from, .to_node = to, .points = std::move(points)});
    };
    add(10, 20, 1, 2, {source, fork});
    add(20, 40, 2, 3, {fork, {15.0, 5.0, 6.0}, join});
    add(30, 40, 2, 3, {fork, {15.0, -5.0, 6.0}, join});
    add(40, -1, 3, 4, {join, mouth});
    network.nodes = nodes_at_ends(network.reaches);
    return network;
}

/// The sentence by which the network is refused; empty where it is not.
std::string refusal(const RiverNetwork& network, NetworkProfile profile) {
    try {
        check_network(network, "here", profile);
        return "";
    } catch (const Error& error) {
        return error.what();
    }
}

TEST(NetworkChecks, know_a_river_that_parts_around_an_island) {
    const RiverNetwork network = island();
    EXPECT_EQ(refusal(network, NetworkProfile::General), "");
    EXPECT_EQ(refusal(network, NetworkProfile::DownhillForest),
              "here: reach 30 begins at node 2, where reach 20 begins too: in a forest no river parts");
    std::vector<NodeKind> kinds;
    for (const RiverNode& node : network.nodes) kinds.push_back(node.kind);
    EXPECT_EQ(kinds,
              (std::vector{NodeKind::Source, NodeKind::Bifurcation, NodeKind::Confluence, NodeKind::Outlet}));
}

TEST(NetworkChecks, let_beds_rise_over_bars_in_general_networks_alone) {
    RiverNetwork network = island();
    network.reaches.erase(network.reaches.begin() + 2);
    EXPECT_EQ(refusal(network, NetworkProfile::DownhillForest), "");
    network.reaches[1].points[1].z = 8.5;
    EXPECT_EQ(refusal(network, NetworkProfile::General), "");
    EXPECT_THAT(refusal(network, NetworkProfile::DownhillForest),
                ::testing::HasSubstr("reach 20 rises from 8 m to 8.5 m at its point 2"));
}

struct Broken {
    void (*break_it)(RiverNetwork&);
    const char* words;
};
const std::vector<Broken> kBroken = {
    {[](RiverNetwork& n) {
         n.reaches[3].to_node = 2;
         n.reaches[3].next_down = 20;
         n.reaches[3].points.back() = n.nodes[1].point;
     },
     "flows into itself: its way down leads in a circle"},
    {[](RiverNetwork& n) {
         // No next_down leads in a circle here: 20, 40; 50, 20, 40.
         Reach back = n.reaches[2];
         back.id = 50;
         back.next_down = 20;
         back.from_node = 3;
         back.to_node = 2;
         std::ranges::reverse(back.points);
         n.reaches.push_back(back);
     },
     "flows into itself: its way down leads in a circle"},
    {[](RiverNetwork& n) {
         n.nodes.push_back({.id = 5, .kind = NodeKind::Outlet, .point = {40.0, 0.0, 0.0}});
         n.reaches.push_back({.id = 50, .from_node = 4, .to_node = 5, .points = {{30, 0, 1}, {40, 0, 0}}});
     },
     "reach 40 has no reach below it, but reach 50 begins at its outlet 4"},
    {[](RiverNetwork& n) { n.reaches[0].next_down = 40; }, "reach 10 ends at node 2, but reach 40 below it"},
    {[](RiverNetwork& n) { n.reaches[1].children = -1; }, "reach 20 has -1 children"},
    {[](RiverNetwork& n) { n.reaches[1].bankfull_discharge = NAN; }, "reach 20 has an attribute that is no"},
    {[](RiverNetwork& n) { n.reaches[1].values.width = {1, 1, 1}; }, "reach 20 has 0 values of its 3 points"},
    {[](RiverNetwork& n) {
         n.reaches[1].values = {.width = {1, 1, 1}, .depth = {1, 1, 1, 1}, .discharge = {1, 1, 1}};
     },
     "reach 20 has 4 values of its 3 points: each needs one"},
    {[](RiverNetwork& n) {
         n.reaches[1].values = {.width = {1, 1, 1}, .depth = {1, -1, 1}, .discharge = {1, 1, 1}};
     },
     "reach 20 has the width, depth or discharge -1 at its point 2"},
    {[](RiverNetwork& n) {
         n.reaches[1].values = {.width = {1, 1, 1}, .depth = {1, 1, 1}, .discharge = {1, 1, INFINITY}};
     },
     "reach 20 has the width, depth or discharge inf at its point 3"},
};

TEST(NetworkChecks, find_each_broken_rule_of_general_networks) {
    for (const Broken& broken : kBroken) {
        RiverNetwork network = island();
        broken.break_it(network);
        EXPECT_THAT(refusal(network, NetworkProfile::General), ::testing::HasSubstr(broken.words));
    }
}

/// Changes one thing somewhere to anything.
void mutate(RiverNetwork& network, std::uint64_t seed) {
    std::uint64_t draw = 0;
    const auto bits = [&] { return random_bits(seed, Stream::Noise, draw++); };
    const std::vector<std::int64_t> numbers = {-1,
                                               0,
                                               1000,
                                               1007,
                                               10,
                                               std::numeric_limits<std::int64_t>::min(),
                                               std::numeric_limits<std::int64_t>::max()};
    const std::vector<double> places = {0.0, -1.0, 1e300, NAN, INFINITY};
    Reach& reach = network.reaches[bits() % network.reaches.size()];
    const Reach other = network.reaches[bits() % network.reaches.size()];
    RiverNode& node = network.nodes[bits() % network.nodes.size()];
    const std::int64_t number = bits() % 2 == 0 ? numbers[bits() % numbers.size()] : other.id;
    switch (bits() % 9) {
        case 0:
            reach.id = number;
            break;
        case 1:
            reach.next_down = number;
            break;
        case 2:
            reach.from_node = bits() % 2 == 0 ? number : other.to_node;
            break;
        case 3:
            reach.to_node = bits() % 2 == 0 ? number : other.from_node;
            break;
        case 4:
            node.id = number;
            break;
        case 5:
            node.kind = static_cast<NodeKind>(bits() % 5);
            break;
        case 6:
            reach.points.resize(bits() % 3);
            break;
        case 7:
            reach.points[bits() % reach.points.size()].z = places[bits() % places.size()];
            break;
        case 8:
            reach.values.depth.resize(bits() % 6);
            break;
    }
}

TEST(NetworkChecks, take_or_refuse_whatever_they_are_given) {
    int taken = 0;
    int refused = 0;
    for (std::uint64_t seed = 1; seed <= 3000; ++seed) {
        RiverNetwork network = tests::braided_network(seed, 4 + seed % 9);
        for (std::uint64_t k = 0; k <= seed % 3; ++k)
            if (std::ranges::none_of(network.reaches, [](const Reach& r) { return r.points.empty(); }))
                mutate(network, 10 * seed + k);
        for (const NetworkProfile profile : {NetworkProfile::General, NetworkProfile::DownhillForest}) {
            const std::string words = refusal(network, profile);
            ++(words.empty() ? taken : refused);
            EXPECT_EQ(words.find('\n'), std::string::npos);
        }
        (void)refusal({.nodes = {}, .reaches = network.reaches, .crs = ""}, NetworkProfile::General);
        if (refusal(network, NetworkProfile::General).empty()) order_reaches(network);
    }
    EXPECT_GT(taken, 50);
    EXPECT_GT(refused, 1000);
}

TEST(NetworkChecks, order_the_reaches_of_braids_upstream_before_downstream) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        RiverNetwork network = tests::braided_network(seed, 30);
        std::ranges::reverse(network.reaches);
        order_reaches(network);
        for (std::size_t i = 0; i < network.reaches.size(); ++i)
            for (std::size_t k = 0; k <= i; ++k)
                EXPECT_NE(network.reaches[k].from_node, network.reaches[i].to_node);
    }
}

}  // namespace
}  // namespace thalweg
