#include "thalweg/river/network_summary.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

/// A trunk of `reaches` reaches whose longest river follows Hack's law with the exponent given, and a short
/// tributary to each.
RiverNetwork trunk_after_hack(int reaches, double exponent) {
    RiverNetwork network;
    double above = 0.0;  // m
    for (int i = 0; i < reaches; ++i) {
        const double area = 1e6 * (i + 1);
        const double longest = 2.0 * std::pow(area, exponent);
        Reach tributary;
        tributary.id = 2 * i + 1;
        tributary.next_down = 2 * i;
        tributary.length = 1.0;
        tributary.upland_area = 5e4;
        tributary.from_node = -1 - i;
        tributary.to_node = i;
        network.reaches.push_back(tributary);
        Reach trunk;
        trunk.id = 2 * i;
        trunk.next_down = i + 1 < reaches ? 2 * (i + 1) : -1;
        trunk.strahler = 2;
        trunk.length = longest - above - (i == 0 ? 1.0 : 0.0);
        trunk.upland_area = area;
        trunk.from_node = i;
        trunk.to_node = i + 1;
        network.reaches.push_back(trunk);
        above = longest;
    }
    return network;
}

TEST(NetworkSummary, finds_the_exponent_of_a_network_that_follows_hacks_law) {
    for (const double exponent : {0.5, 0.57, 0.8}) {
        const NetworkSummary summary = summary_of(trunk_after_hack(12, exponent));
        ASSERT_TRUE(summary.hack_exponent.has_value());
        EXPECT_NEAR(*summary.hack_exponent, exponent, 1e-9);
        EXPECT_NEAR(summary.trunk_length, 2.0 * std::pow(12e6, exponent), 1e-6);
        EXPECT_EQ(summary.max_strahler, 2);
    }
}

TEST(NetworkSummary, gives_no_exponent_of_a_handful_of_reaches_or_of_equal_areas) {
    EXPECT_FALSE(summary_of(trunk_after_hack(9, 0.6)).hack_exponent.has_value());
    RiverNetwork equal = trunk_after_hack(12, 0.6);
    for (Reach& reach : equal.reaches) reach.upland_area = 1.0;
    EXPECT_FALSE(summary_of(equal).hack_exponent.has_value());
    EXPECT_EQ(summary_of({}).max_strahler, 0);
    EXPECT_EQ(summary_of({}).trunk_length, 0.0);
}

TEST(NetworkSummary, follows_the_longest_branch_of_a_braid) {
    RiverNetwork braid;
    const auto add = [&](std::int64_t id, std::int64_t from, std::int64_t to, double length) {
        braid.reaches.push_back({.id = id, .from_node = from, .to_node = to, .length = length});
    };
    add(1, 1, 2, 10.0);
    add(2, 2, 3, 5.0);
    add(3, 2, 3, 7.0);
    add(4, 3, 4, 1.0);
    EXPECT_EQ(summary_of(braid).trunk_length, 18.0);
    EXPECT_EQ(summary_of(braid).length, 23.0);
}

}  // namespace
}  // namespace thalweg
