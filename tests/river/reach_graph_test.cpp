#include "thalweg/river/reach_graph.hpp"

#include <set>
#include <vector>

#include "tests/river/braids.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::braided_network;

std::vector<std::int32_t> listed(std::span<const std::int32_t> places) {
    return {places.begin(), places.end()};
}

TEST(ReachGraph, knows_the_neighbours_that_a_search_of_all_reaches_finds) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const std::vector<Reach> reaches = braided_network(seed, 5 + 2 * seed).reaches;
        const ReachGraph graph(reaches);
        ASSERT_EQ(graph.size(), std::ssize(reaches));
        for (std::size_t i = 0; i < reaches.size(); ++i) {
            std::vector<std::int32_t> above, below, beside;
            for (std::size_t k = 0; k < reaches.size(); ++k) {
                const auto place = static_cast<std::int32_t>(k);
                if (reaches[k].to_node == reaches[i].from_node) above.push_back(place);
                if (reaches[k].from_node == reaches[i].to_node) below.push_back(place);
                if (reaches[k].from_node == reaches[i].from_node) beside.push_back(place);
            }
            const auto place = static_cast<std::int64_t>(i);
            EXPECT_EQ(listed(graph.above(place)), above);
            EXPECT_EQ(listed(graph.below(place)), below);
            EXPECT_EQ(listed(graph.beside(place)), beside);
            EXPECT_EQ(graph.place_of(reaches[i].id), place);
        }
        EXPECT_EQ(graph.place_of(3), -1);
    }
}

/// A reach by its id, next_down and nodes.
Reach reach(std::int64_t id, std::int64_t next_down, std::int64_t from_node, std::int64_t to_node) {
    return {.id = id, .next_down = next_down, .from_node = from_node, .to_node = to_node};
}

TEST(ReachGraph, takes_the_two_nodes_of_a_seam_for_one) {
    const std::vector<Reach> reaches = {reach(1, 2, 10, 20), reach(2, 3, 21, 30), reach(3, -1, 30, 40)};
    const ReachGraph graph(reaches);
    EXPECT_EQ(listed(graph.below(0)), (std::vector<std::int32_t>{1}));
    EXPECT_EQ(listed(graph.above(1)), (std::vector<std::int32_t>{0}));
    EXPECT_EQ(listed(graph.below(1)), (std::vector<std::int32_t>{2}));
    EXPECT_TRUE(graph.below(2).empty());
    EXPECT_TRUE(graph.above(0).empty());
}

TEST(ReachGraph, orders_reaches_downstream_and_leaves_out_what_comes_round) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        std::vector<Reach> reaches = braided_network(seed, 40).reaches;
        std::ranges::reverse(reaches);
        const ReachGraph graph(reaches);
        const std::vector<std::int32_t> order = graph.downstream_order();
        ASSERT_EQ(order.size(), reaches.size());
        std::set<std::int64_t> left_behind;
        for (const std::int32_t place : order) {
            const Reach& here = reaches[static_cast<std::size_t>(place)];
            EXPECT_FALSE(left_behind.contains(here.to_node)) << "a reach below came before " << here.id;
            left_behind.insert(here.from_node);
        }
    }
    const ReachGraph ring(std::vector<Reach>{reach(1, 2, 10, 20), reach(2, 3, 20, 30), reach(3, 2, 30, 20),
                                             reach(4, -1, 30, 40), reach(5, 4, 50, 30)});
    EXPECT_EQ(ring.downstream_order(), (std::vector<std::int32_t>{0, 4}));
}

TEST(ReachGraph, knows_which_reaches_a_search_along_all_ways_down_comes_to) {
    const std::vector<Reach> reaches = braided_network(7, 30).reaches;
    const ReachGraph graph(reaches);
    const auto count = std::ssize(reaches);
    std::vector<std::vector<bool>> comes(reaches.size(), std::vector<bool>(reaches.size(), false));
    for (const std::int32_t place : graph.downstream_order()) comes[place][place] = true;
    for (std::int64_t round = 0; round < count; ++round)
        for (std::size_t above = 0; above < reaches.size(); ++above)
            for (std::size_t at = 0; at < reaches.size(); ++at)
                for (const std::int32_t below : graph.below(static_cast<std::int64_t>(at)))
                    if (comes[above][at]) comes[above][below] = true;
    for (std::int64_t above = 0; above < count; ++above)
        for (std::int64_t below = 0; below < count; ++below)
            ASSERT_EQ(graph.flows_into(above, below), comes[above][below]) << above << " " << below;
}

TEST(ReachGraph, of_nothing_has_no_order) {
    EXPECT_TRUE(ReachGraph({}).downstream_order().empty());
}

}  // namespace
}  // namespace thalweg
