#include "thalweg/flow/breach.hpp"

#include "thalweg/flow/breach_directions.hpp"

#include <algorithm>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::terrain_of;
using tests::white_terrain;

FlowTree tree_of(const Field<float>& z) {
    QuietProgress progress;
    return build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress);
}

Breached breach(const Field<float>& z, const FlowTree& tree) {
    QuietProgress progress;
    return breach_elevation(z, tree, progress);
}

TEST(DirectionBreacher, gives_the_same_after_a_call_that_was_cut_short) {
    const Field<float> z = white_terrain(400, 400, 5, 0);
    const Lattice lattice = eight_neighbours(z.grid());
    // Only the far corner drains, so that the floods are long enough to be polled.
    Field<std::uint8_t> roots(z.grid(), 0);
    roots(399, 399) = 1;
    const std::vector<std::uint8_t> steepest = steepest_directions(z, lattice, roots);
    std::vector<std::int32_t> pits;
    for (std::size_t cell = 0; cell < steepest.size(); ++cell)
        if (steepest[cell] == kPit) pits.push_back(static_cast<std::int32_t>(cell));
    QuietProgress progress;
    QuietProgress cancelled;
    cancelled.cancel();
    DirectionBreacher fresh, used;
    std::vector<std::uint8_t> expected = steepest, cut_short = steepest, again = steepest;
    fresh.breach(z, lattice, expected, pits, progress);
    EXPECT_THROW(used.breach(z, lattice, cut_short, pits, cancelled), Cancelled);
    used.breach(z, lattice, again, pits, progress);
    EXPECT_EQ(again, expected);
}

TEST(Breach, cuts_a_rim_down_to_the_pit_behind_it) {
    // 4 neighbours, so that the way out is the row itself: a pit at 1 behind rims of 7 and 3, 2.
    const Field<float> z = terrain_of(6, 1, {7, 1, 3, 2, 0.5F, 0}, 10.0);
    Field<std::uint8_t> roots(z.grid(), 0);
    roots[5] = 1;
    QuietProgress progress;
    const FlowTree tree = build_flow_tree(z, four_neighbours(z.grid()), roots, progress);
    const Breached breached = breach(z, tree);
    EXPECT_EQ(breached.elevation, terrain_of(6, 1, {7, 1, 1, 1, 0.5F, 0}, 10.0));
    EXPECT_EQ(breached.lowered_cells, 2);
    EXPECT_DOUBLE_EQ(breached.volume, (2.0 + 1.0) * 100.0);
}

TEST(Breach, water_never_rises_and_cells_are_cut_no_deeper_than_a_pit_upstream) {
    for (const int levels : {0, 3, 20}) {
        Field<float> z = white_terrain(50, 40, 21, levels);
        cut_out(z, 20, 10, 30, 14);
        const FlowTree tree = tree_of(z);
        const Breached breached = breach(z, tree);
        Field<float> lowest_upstream = z;
        for (std::int32_t cell = 0; cell < z.size(); ++cell)
            for (std::int32_t below = cell; below >= 0; below = tree.receiver(below))
                lowest_upstream[below] = std::min(lowest_upstream[below], z[cell]);
        std::int64_t lowered = 0;
        for (std::int32_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) continue;
            ASSERT_EQ(breached.elevation[cell], lowest_upstream[cell]);
            lowered += breached.elevation[cell] < z[cell] ? 1 : 0;
            const std::int32_t receiver = tree.receiver(cell);
            ASSERT_TRUE(receiver < 0 || breached.elevation[receiver] <= breached.elevation[cell]);
        }
        EXPECT_EQ(breached.lowered_cells, lowered);
        EXPECT_GT(lowered, 0);
        EXPECT_TRUE(is_no_data(breached.elevation(25, 12)));
    }
}

TEST(Breach, of_a_breached_terrain_changes_nothing) {
    const Field<float> z = white_terrain(40, 40, 2);
    const FlowTree tree = tree_of(z);
    const Breached once = breach(z, tree);
    const Breached twice = breach(once.elevation, tree);
    EXPECT_EQ(twice.elevation, once.elevation);
    EXPECT_EQ(twice.lowered_cells, 0);
    EXPECT_EQ(twice.volume, 0.0);
}

TEST(Breach, stops_when_cancelled) {
    const Field<float> z = white_terrain(10, 10, 2);
    const FlowTree tree = tree_of(z);
    QuietProgress progress;
    progress.cancel();
    EXPECT_THROW(breach_elevation(z, tree, progress), Cancelled);
}

}  // namespace
}  // namespace thalweg
