#include "thalweg/river/network_edits.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/river/extract.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "tests/flow/terrains.hpp"
#include "tests/river/braids.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

RiverNetwork forest() {
    QuietProgress progress;
    const FlowResult flow = route(tests::white_terrain(60, 50, 3), {}, progress);
    return extract_network(flow.tree, flow.drainage_area, flow.elevation, {.min_area = 1000.0}, progress);
}

const Reach& reach_of(const RiverNetwork& network, std::int64_t id) {
    return *std::ranges::find(network.reaches, id, &Reach::id);
}

/// A reach of at least so many points.
const Reach& long_reach(const RiverNetwork& network, std::size_t points, std::size_t which = 0) {
    for (const Reach& reach : network.reaches)
        if (reach.points.size() >= points && which-- == 0) return reach;
    throw std::logic_error("no reach is so long");
}

TEST(NetworkEdits, split_a_reach_into_itself_and_a_child) {
    RiverNetwork network = forest();
    const Reach whole = long_reach(network, 6);
    const std::int64_t id = split_reach(network, whole.id, 2);
    check_network(network, "split");
    EXPECT_EQ(id, child_id(whole.id, 1));
    const Reach& upper = reach_of(network, whole.id);
    const Reach& lower = reach_of(network, id);
    EXPECT_EQ(upper.points.size(), 3U);
    EXPECT_EQ(lower.points.size(), whole.points.size() - 2);
    EXPECT_EQ(upper.values.width.size(), 3U);
    EXPECT_EQ(lower.values.depth.back(), whole.values.depth.back());
    EXPECT_EQ(lower.values.depth.front(), whole.values.depth[2]);
    EXPECT_EQ(upper.next_down, id);
    EXPECT_EQ(lower.next_down, whole.next_down);
    EXPECT_EQ(lower.children, 0);
    EXPECT_NEAR(upper.length + lower.length, whole.length, 1e-9 * whole.length);
    const std::int64_t second = split_reach(network, whole.id, 1);
    EXPECT_EQ(second, child_id(whole.id, 2));
    EXPECT_EQ(reach_of(network, second).children, 0);
    EXPECT_EQ(reach_of(network, whole.id).children, 2);
}

TEST(NetworkEdits, add_a_tributary_to_a_node_and_one_with_an_outlet_of_its_own) {
    RiverNetwork network = forest();
    const RiverNetwork before = network;
    const Reach river = long_reach(network, 6);
    const RiverPoint end = river.points.back();
    const std::vector<RiverPoint> line = {{end.x + 50.0, end.y + 90.0, end.z + 9.0}, end};
    const std::int64_t joined = add_tributary(network, river.id, {.to_node = river.to_node, .points = line});
    check_network(network, "with a tributary");
    EXPECT_EQ(joined, child_id(river.id, 1));
    EXPECT_EQ(reach_of(network, joined).from_node, joined);
    EXPECT_EQ(reach_of(network, joined).next_down, river.next_down);
    EXPECT_GT(reach_of(network, joined).length, 100.0);
    const std::int64_t alone = add_tributary(network, river.id, {.to_node = -1, .points = line});
    check_network(network, "with another one");
    EXPECT_EQ(reach_of(network, alone).next_down, -1);
    EXPECT_EQ(network.reaches.size(), before.reaches.size() + 2);
    EXPECT_EQ(network.nodes.size(), before.nodes.size() + 3);
    RiverNetwork untouched = before;
    EXPECT_THROW(add_tributary(untouched, river.id, {.to_node = river.to_node, .points = {end}}), Error);
    EXPECT_THROW(add_tributary(untouched, river.id, {.to_node = -7, .points = line}), Error);
    EXPECT_THROW(add_tributary(untouched, -7, {.to_node = -1, .points = line}), Error);
    EXPECT_TRUE(untouched == before);
}

TEST(NetworkEdits, let_a_reach_turn_to_another_node_unless_its_water_comes_from_there) {
    const RiverNetwork before = forest();
    const Reach river = long_reach(before, 6);
    const Reach* other = nullptr;  // a reach of another river, which begins lower down
    for (const Reach& reach : before.reaches)
        if (reach.next_down == -1 && reach.to_node != river.to_node &&
            reach.points.back().z < river.points[2].z)
            other = &reach;
    ASSERT_NE(other, nullptr);
    RiverNetwork network = before;
    const Oxbow left = redirect_reach(network, river.id, 2, other->to_node);
    check_network(network, "turned", NetworkProfile::General);
    const Reach& turned = reach_of(network, river.id);
    EXPECT_EQ(turned.to_node, other->to_node);
    EXPECT_EQ(turned.next_down, -1);
    EXPECT_EQ(turned.points.size(), 4U);
    EXPECT_EQ(left.id, child_id(river.id, 1));
    EXPECT_EQ(left.points.size(), river.points.size() - 2);
    EXPECT_EQ(left.values.width.back(), river.values.width.back());
    RiverNetwork untouched = before;
    EXPECT_THROW(redirect_reach(untouched, river.id, 2, river.from_node), Error);
    EXPECT_THROW(redirect_reach(untouched, river.id, 0, other->to_node), Error);
    EXPECT_THROW(redirect_reach(untouched, river.id, river.points.size() - 1, other->to_node), Error);
    const auto above = std::ranges::find(before.reaches, river.from_node, &Reach::to_node);
    if (above != before.reaches.end())
        EXPECT_THROW(redirect_reach(untouched, river.id, 2, above->from_node), Error);
    EXPECT_TRUE(untouched == before);
}

TEST(NetworkEdits, that_undo_each_other_leave_the_reach_but_for_its_count) {
    RiverNetwork network = forest();
    const RiverNetwork before = network;
    for (std::size_t which = 0; which < 5; ++which) {
        const Reach& reach = long_reach(network, 6, which);
        merge_reaches(network, split_reach(network, reach.id, 3));
    }
    check_network(network, "merged");
    EXPECT_TRUE(network.nodes == before.nodes);
    std::int64_t children = 0;
    for (Reach& reach : network.reaches) children += std::exchange(reach.children, 0);
    EXPECT_EQ(children, 5);
    EXPECT_TRUE(network == before);
}

TEST(NetworkEdits, give_the_same_ids_in_any_order) {
    RiverNetwork one = forest();
    RiverNetwork other = one;
    const std::int64_t a = long_reach(one, 6, 0).id;
    const std::int64_t b = long_reach(one, 6, 1).id;
    split_reach(one, a, 2);
    split_reach(one, b, 3);
    split_reach(other, b, 3);
    split_reach(other, a, 2);
    EXPECT_TRUE(one == other);
}

TEST(NetworkEdits, hand_out_the_loop_that_is_cut_off) {
    RiverNetwork network = forest();
    const Reach whole = long_reach(network, 6);
    const Oxbow oxbow = cut_off(network, whole.id, 1, 4);
    check_network(network, "cut off");
    EXPECT_EQ(oxbow.id, child_id(whole.id, 1));
    EXPECT_EQ(oxbow.reach, whole.id);
    EXPECT_EQ(oxbow.points, std::vector(whole.points.begin() + 1, whole.points.begin() + 5));
    EXPECT_EQ(oxbow.values.width.size(), 4U);
    const Reach& river = reach_of(network, whole.id);
    EXPECT_EQ(river.points.size(), whole.points.size() - 2);
    EXPECT_EQ(river.points[2], whole.points[4]);
    EXPECT_EQ(river.values.depth[2], whole.values.depth[4]);
    EXPECT_LE(river.length, whole.length);
    EXPECT_EQ(river.children, 1);
}

TEST(NetworkEdits, lead_the_water_of_a_lost_branch_into_the_largest_that_is_left) {
    RiverNetwork network = tests::braided_network(3, 40);
    for (const RiverNode& node : network.nodes) {
        std::vector<Reach> branches;
        for (const Reach& reach : network.reaches)
            if (reach.from_node == node.id) branches.push_back(reach);
        if (branches.size() < 3) continue;
        RiverNetwork less = network;
        remove_reach(less, branches[0].id);
        const bool first =
            branches[1].discharge > branches[2].discharge ||
            (branches[1].discharge == branches[2].discharge && branches[1].id < branches[2].id);
        const std::int64_t main = branches[first ? 1 : 2].id;
        for (const Reach& reach : network.reaches)
            if (reach.next_down == branches[0].id) {
                EXPECT_EQ(reach_of(less, reach.id).next_down, main);
            }
    }
}

TEST(NetworkEdits, that_are_not_possible_are_refused_and_change_nothing) {
    RiverNetwork network = forest();
    const RiverNetwork before = network;
    const Reach reach = long_reach(network, 6);
    const auto refused = [&](const auto& edit, const char* words) {
        try {
            edit();
            ADD_FAILURE() << words;
        } catch (const Error& error) {
            EXPECT_THAT(error.what(), ::testing::HasSubstr(words));
        }
        EXPECT_TRUE(network == before);
    };
    refused([&] { split_reach(network, -7, 1); }, "there is no reach -7 in the network");
    refused([&] { split_reach(network, reach.id, 0); }, "can't be split at its point 1 of");
    refused([&] { split_reach(network, reach.id, reach.points.size() - 1); }, "give an inner one");
    refused([&] { merge_reaches(network, -7); }, "there is no node -7 in the network");
    refused([&] { merge_reaches(network, reach.to_node); }, "can't be taken out");
    refused([&] { remove_reach(network, -7); }, "there is no reach -7");
    refused([&] { cut_off(network, reach.id, 2, 3); }, "give two with others between them");
    refused([&] { cut_off(network, reach.id, 0, reach.points.size()); }, "can't be cut off");
    Reach back{.from_node = reach.to_node, .to_node = reach.from_node};
    back.points = {reach.points.back(), reach.points.front()};
    refused([&] { add_branch(network, reach.id, back); }, "flows into itself");
    back.to_node = reach.to_node;
    refused([&] { add_branch(network, reach.id, back); }, "does not end at its node");
}

/// One edit drawn by chance, of those that are possible; ids of reaches that it names.
class RandomEdits {
  public:
    RandomEdits(RiverNetwork& network, std::uint64_t seed) : network_(network), seed_(seed) {}

    /// Returns the reaches that it may have changed.
    std::set<std::int64_t> edit() {
        const Reach reach = network_.reaches[bits() % network_.reaches.size()];
        switch (bits() % 5) {
            case 0:
                if (reach.points.size() < 3) return {};
                return {reach.id, split_reach(network_, reach.id, 1 + bits() % (reach.points.size() - 2))};
            case 1:
                return merge_below(reach);
            case 2:
                return network_.reaches.size() > 4 ? remove(reach) : std::set<std::int64_t>{};
            case 3: {
                if (reach.points.size() < 4) return {};
                oxbows.push_back(cut_off(network_, reach.id, 1, reach.points.size() - 1).id);
                return {reach.id};
            }
            default:
                return branch_from(reach);
        }
    }

    std::vector<std::int64_t> oxbows;

  private:
    std::uint64_t bits() { return random_bits(seed_, Stream::Noise, draw_++); }

    std::set<std::int64_t> merge_below(const Reach& reach) {
        if (std::ranges::count(network_.reaches, reach.to_node, &Reach::to_node) != 1 ||
            std::ranges::count(network_.reaches, reach.to_node, &Reach::from_node) != 1)
            return {};
        merge_reaches(network_, reach.to_node);
        return {reach.id, reach.next_down};
    }

    std::set<std::int64_t> remove(const Reach& reach) {
        std::set<std::int64_t> changed = {reach.id};
        for (const Reach& above : network_.reaches)
            if (above.next_down == reach.id) changed.insert(above.id);
        remove_reach(network_, reach.id);
        return changed;
    }

    /// Beside the reach, or to any node lower than its begin.
    std::set<std::int64_t> branch_from(const Reach& reach) {
        const RiverNode to = network_.nodes[bits() % network_.nodes.size()];
        if (to.point.z >= reach.points.front().z) return {};
        Reach branch{.from_node = reach.from_node, .to_node = to.id};
        branch.points = {reach.points.front(), {1.0, 2.0, to.point.z}, {3.0, 2.0, to.point.z}, to.point};
        return {reach.id, add_branch(network_, reach.id, branch)};
    }

    RiverNetwork& network_;
    std::uint64_t seed_;
    std::uint64_t draw_ = 0;
};

TEST(NetworkEdits, by_chance_keep_a_network_sound_and_never_use_an_id_again) {
    std::size_t children = 0;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        RiverNetwork network = seed % 2 == 0 ? forest() : tests::braided_network(seed, 30);
        RandomEdits edits(network, seed);
        std::set<std::int64_t> gone;
        for (int step = 0; step < 150; ++step) {
            const RiverNetwork before = network;
            const std::size_t loops = edits.oxbows.size();
            const std::set<std::int64_t> changed = edits.edit();
            ASSERT_NO_THROW(check_network(network, "edited", NetworkProfile::General)) << seed << " " << step;
            std::map<std::int64_t, const Reach*> now;
            for (const Reach& reach : network.reaches) now[reach.id] = &reach;
            for (const Reach& reach : before.reaches) {
                if (!now.contains(reach.id)) gone.insert(reach.id);
                if (!now.contains(reach.id) || changed.contains(reach.id)) continue;
                EXPECT_TRUE(*now[reach.id] == reach) << "reach " << reach.id << " was not named";
            }
            for (const auto& [id, reach] : now) EXPECT_FALSE(gone.contains(id)) << id;
            for (std::size_t i = loops; i < edits.oxbows.size(); ++i)
                EXPECT_FALSE(now.contains(edits.oxbows[i]) || !gone.insert(edits.oxbows[i]).second);
            RiverNetwork ordered = network;
            order_reaches(ordered);
            order_nodes(ordered);
            EXPECT_TRUE(ordered == network);
        }
        children += edits.oxbows.size();
    }
    EXPECT_GT(children, 30U);
}

TEST(NetworkEdits, number_a_million_children_differently) {
    std::vector<std::int64_t> ids;
    for (std::int64_t parent = 0; parent < 1000; ++parent)
        for (std::int64_t number = 1; number <= 1000; ++number) ids.push_back(child_id(parent, number));
    std::ranges::sort(ids);
    EXPECT_TRUE(std::ranges::adjacent_find(ids) == ids.end());
    EXPECT_GE(ids.front(), std::int64_t{1} << 52);
    EXPECT_LT(ids.back(), std::int64_t{1} << 53);
}

}  // namespace
}  // namespace thalweg
