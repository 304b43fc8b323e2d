#include "thalweg/flow/channel_steepness.hpp"

#include "thalweg/core/execution.hpp"

#include <cmath>
#include <vector>

#include "tests/flow/built_terrain.hpp"
#include "tests/flow/streams.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(ChannelSteepness, of_a_steady_terrain_is_that_of_its_law_everywhere) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    for (const double concavity : {0.35, 0.5}) {
        const Field<float> z = tests::steady_terrain(tree, 60.0, concavity);
        const StreamTree streams = tests::streams_of(z, tree, 3000.0, concavity);
        ASSERT_GT(streams.size(), 200);
        for (const double steepness : channel_steepness(streams, 200.0))
            EXPECT_NEAR(steepness, 60.0, 60.0 * 1e-3);  // elevations are float
    }
}

TEST(ChannelSteepness, is_that_of_the_length_about_a_place) {
    // k_sn is 20 up to a place on every way and 80 above it.
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    const Field<double> area = drainage_area(tree);
    const Lattice lattice = eight_neighbours(tree.grid);
    Field<double> distance(tree.grid, 0.0);
    const Field<float> z = tests::built_up(tree, [&](std::int32_t cell, std::int32_t receiver, double way) {
        distance[cell] = distance[receiver] + way;
        const double steepness = distance[receiver] < 600.0 ? 20.0 : 80.0;
        return 0.5 * way * steepness * (std::pow(area[cell], -0.45) + std::pow(area[receiver], -0.45));
    });
    const StreamTree streams = tests::streams_of(z, tree, 3000.0);
    const std::vector<double> found = channel_steepness(streams, 100.0);
    int low = 0, high = 0;
    for (std::int32_t i = 0; i < streams.size(); ++i) {
        const double from_break = streams.distance[at(i)] - 600.0;
        // The window reaches a cell beyond half its length.
        if (from_break < -80.0) {
            ++low;
            EXPECT_NEAR(found[at(i)], 20.0, 0.1);
        } else if (from_break > 80.0 && std::isfinite(found[at(i)])) {
            ++high;
            EXPECT_NEAR(found[at(i)], 80.0, 0.1);
        }
    }
    EXPECT_GT(low, 50);
    EXPECT_GT(high, 50);
}

TEST(ChannelSteepness, of_short_reaches_takes_as_much_river_as_is_wanted_from_both_sides) {
    // A chain of 10 cells, chi in whole numbers, elevation its square.
    std::vector<std::int32_t> below, main_donor;
    std::vector<double> chi, elevation;
    for (int i = 0; i < 10; ++i) {
        below.push_back(i - 1);
        main_donor.push_back(i == 9 ? -1 : i + 1);
        chi.push_back(i);
        elevation.push_back(i * i);
    }
    const JoinedCells cells{
        .below = below, .main_donor = main_donor, .distance = chi, .chi = chi, .elevation = elevation};
    EXPECT_DOUBLE_EQ(channel_steepness(cells, 5, 4, 0.0), 9.0);
    EXPECT_DOUBLE_EQ(channel_steepness(cells, 5, 4, 3.0), 9.0);  // from 3 to 6
    EXPECT_DOUBLE_EQ(channel_steepness(cells, 6, 5, 3.0), 11.0);
    EXPECT_DOUBLE_EQ(channel_steepness(cells, 1, 0, 3.0), 2.0);  // there is nothing below: from 0 to 2
    EXPECT_TRUE(std::isnan(channel_steepness(cells, 4, 4, 0.0)));
}

TEST(ChannelSteepness, of_single_cells_and_level_rivers_is_told_as_it_is) {
    const Field<float> one(Grid{.columns = 1, .rows = 1, .cell_size = 10.0}, 3.0F);
    QuietProgress progress;
    const FlowResult flow = route(one, {}, progress);
    const std::vector<double> of_one = channel_steepness(tests::streams_of(one, flow.tree, 0.0), 100.0);
    ASSERT_EQ(of_one.size(), 1U);
    EXPECT_TRUE(std::isnan(of_one[0]));
    const Field<float> flat(Grid{.columns = 20, .rows = 1, .cell_size = 10.0}, 3.0F);
    Field<std::uint8_t> root(flat.grid(), 0);
    root[0] = 1;
    const FlowTree tree = route(flat, eight_neighbours(flat.grid()), {root}, {}, progress).tree;
    for (const double steepness : channel_steepness(tests::streams_of(flat, tree, 0.0), 100.0))
        EXPECT_NEAR(steepness, 0.0, 1e-20);
}

TEST(ChannelSteepness, is_the_same_on_any_number_of_threads) {
    const FlowTree tree = tests::noise_tree(200, 150, 4);
    const StreamTree streams = tests::streams_of(tests::flint_terrain(tree, 30.0, 0.4), tree, 500.0);
    std::vector<std::vector<double>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(channel_steepness(streams, 300.0));
    }
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

}  // namespace
}  // namespace thalweg
