#include "thalweg/flow/stream_tree.hpp"

#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/river_profile.hpp"
#include "thalweg/flow/route.hpp"

#include <vector>

#include "tests/flow/some_trees.hpp"
#include "tests/flow/streams.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

TEST(StreamTree, holds_every_river_cell_once_receivers_before_donors) {
    for (const FlowTree& tree : tests::some_trees()) {
        const Field<float> z(tree.grid, 1.0F);
        const Field<double> area = drainage_area(tree);
        const StreamTree streams = tests::streams_of(z, tree, 500.0);
        std::vector<std::int32_t> entry(tree.direction.size(), -1);
        for (std::int32_t i = 0; i < streams.size(); ++i) {
            ASSERT_EQ(entry[at(streams.cell[at(i)])], -1);
            entry[at(streams.cell[at(i)])] = i;
            const std::int32_t receiver = tree.receiver(streams.cell[at(i)]);
            ASSERT_EQ(streams.below[at(i)], receiver < 0 ? -1 : entry[at(receiver)]);
            ASSERT_LT(streams.below[at(i)], i);
        }
        for (std::int64_t cell = 0; cell < tree.grid.cells(); ++cell)
            ASSERT_EQ(entry[at(cell)] >= 0, area[cell] >= 500.0 && tree.direction[at(cell)] != kOutside);
    }
}

TEST(StreamTree, keeps_all_upstream_of_an_entry_in_one_piece_behind_it) {
    for (const FlowTree& tree : tests::some_trees()) {
        const StreamTree streams = tests::streams_of(Field<float>(tree.grid, 1.0F), tree, 300.0);
        for (std::int32_t i = 0; i < streams.size(); ++i)
            for (std::int32_t other = i + 1; other < streams.size(); ++other) {
                std::int32_t down = other;
                while (down > i) down = streams.below[at(down)];
                ASSERT_EQ(down == i, other < streams.upstream_end[at(i)]);
                if (other > i + 300) break;  // near ones tell
            }
    }
}

TEST(StreamTree, follows_the_largest_donor_and_numbers_streams_by_their_mouths) {
    const Field<float> z = tests::white_terrain(60, 45, 3);
    const FlowResult flow = route(z, {}, progress);
    const StreamTree streams = tests::streams_of(flow.elevation, flow.tree, 400.0);
    std::int32_t mouths = 0;
    for (std::int32_t i = 0; i < streams.size(); ++i) {
        double largest = -1.0;
        for (std::int32_t other = 0; other < streams.size(); ++other)
            if (streams.below[at(other)] == i) largest = std::max(largest, streams.area[at(other)]);
        if (const std::int32_t main = streams.main_donor[at(i)]; main >= 0) {
            EXPECT_EQ(main, i + 1);
            EXPECT_EQ(streams.area[at(main)], largest);
            EXPECT_EQ(streams.stream[at(main)], streams.stream[at(i)]);
        } else {
            EXPECT_EQ(largest, -1.0);
        }
        if (streams.is_mouth(i)) {
            EXPECT_EQ(streams.stream[at(i)], mouths++);
        }
    }
}

TEST(StreamTree, has_the_chi_and_distance_of_the_layers) {
    const Field<float> z = tests::white_terrain(50, 40, 5);
    const FlowResult flow = route(z, {}, progress);
    const Lattice lattice = eight_neighbours(z.grid());
    const StreamTree streams = tests::streams_of(flow.elevation, flow.tree, 400.0);
    const Field<double> chi_layer = chi(flow.tree, lattice, flow.drainage_area, {});
    const Field<double> distance = distance_to_outlet(flow.tree, lattice);
    ASSERT_GT(streams.size(), 50);
    for (std::int32_t i = 0; i < streams.size(); ++i) {
        const std::int32_t cell = streams.cell[at(i)];
        EXPECT_DOUBLE_EQ(streams.chi[at(i)], chi_layer[cell]);
        EXPECT_EQ(streams.distance[at(i)], distance[cell]);
        EXPECT_EQ(streams.area[at(i)], flow.drainage_area[cell]);
        EXPECT_EQ(streams.elevation[at(i)], static_cast<double>(flow.elevation[cell]));
    }
}

}  // namespace
}  // namespace thalweg
