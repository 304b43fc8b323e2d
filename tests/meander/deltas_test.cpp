#include "thalweg/core/execution.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/meander_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "tests/meander/networks.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kShore = 6000.0;  // m, where the sea begins in the east

RiverNetwork river_to_the_sea() {
    return network_of({reach_along(1, 1, 2, -1, sine_line(kShore, 50.0, kShore, 0.0, 200.0))});
}

constexpr MeanderParameters kWithDeltas = {
    .migration = {.rate = 0.0}, .crevasse_rate = 0.0, .least_branch_share = 0.03, .deltas = true};

TEST(Deltas, share_the_rivers_water_among_mouths_and_cross_nowhere_after_every_step) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        MeanderSimulation rivers(river_to_the_sea(), kWithDeltas, std::nullopt, seed);
        QuietProgress progress;
        for (int step = 0; step < 800; ++step) {
            rivers.step(progress);
            const RiverBranches& delta = rivers.state().channels[0].delta;
            ASSERT_FALSE(delta.empty());
            ASSERT_EQ(rivers.report().self_crossings, 0) << rivers.year();
            std::map<std::int32_t, double> balance = {{kHeadNode, 1.0}};
            for (const RiverBranch& branch : delta.channels) {
                balance[branch.from] -= branch.share;
                balance[branch.to] += branch.share;
                ASSERT_NEAR(branch.line.values.discharge.back(), 100.0 * branch.share, 1e-3);
                ASSERT_NEAR(branch.line.values.width.back(), 200.0 * std::sqrt(branch.share), 1e-3);
            }
            double mouths = 0.0;
            for (const auto& [node, water] : balance) {
                ASSERT_GE(water, -1e-9);
                mouths += water;
            }
            ASSERT_NEAR(mouths, 1.0, 1e-9);
        }
        EXPECT_GT(rivers.report().branches, 8);
        EXPECT_GT(rivers.report().bifurcations, 5);
        check_network(rivers.network(), "the network", NetworkProfile::DownhillForest);
    }
}

TEST(Deltas, part_first_as_far_from_the_shore_as_their_mouth_bar_and_at_its_angle) {
    MeanderParameters parameters = kWithDeltas;
    parameters.mouth_bar_distance = 10.0;
    MeanderSimulation rivers(river_to_the_sea(), parameters, std::nullopt, 5);
    QuietProgress progress;
    while (rivers.report().bifurcations == 0) rivers.step(progress);
    const RiverBranches& delta = rivers.state().channels[0].delta;
    ASSERT_EQ(delta.channels.size(), 3U);
    EXPECT_NEAR(length_of(delta.channels[0].line), 10.0 * 200.0, 0.25 * 10.0 * 200.0);
    // 40 m a year.
    EXPECT_NEAR(rivers.year(), length_of(delta.channels[0].line) / 40.0, 6.0);
    const auto heading = [](const ChannelLine& line) {
        return std::atan2(line.y[1] - line.y[0], line.x[1] - line.x[0]);
    };
    EXPECT_NEAR(heading(delta.channels[1].line) - heading(delta.channels[2].line),
                72.0 * std::numbers::pi / 180.0, 1e-6);
    // Branches are shorter from order to order: where these part lies nearer to where they began.
    while (rivers.report().bifurcations < 3) rivers.step(progress);
    for (const RiverBranch& branch : rivers.state().channels[0].delta.channels) {
        if (branch.share < 0.9) {
            EXPECT_LT(length_of(branch.line), length_of(rivers.state().channels[0].delta.channels[0].line));
        }
    }
}

TEST(Deltas, grow_in_water_alone_and_leave_ground_there) {
    Field<float> ground(make_grid(20000.0, 12000.0, 200));
    const Grid& grid = ground.grid();
    for (std::int64_t cell = 0; cell < ground.size(); ++cell) {
        const Position place = grid.centre(grid.column_of(cell), grid.row_of(cell));
        // A bay, with a shore in the north, and land in the west.
        ground[cell] = place.x < kShore || place.y > 7500.0 ? 5.0F : -4.0F;
    }
    RiverNetwork network = river_to_the_sea();
    for (RiverPoint& point : network.reaches[0].points) point = {point.x + 300.0, 6000.0, point.z};
    network.nodes = nodes_at_ends(network.reaches);
    MeanderSimulation rivers(network, kWithDeltas, ground, 2);
    QuietProgress progress;
    for (int step = 0; step < 600; ++step) rivers.step(progress);
    const RiverBranches& delta = rivers.state().channels[0].delta;
    ASSERT_GT(delta.channels.size(), 4U);
    for (const RiverBranch& branch : delta.channels)
        for (const double y : branch.line.y) EXPECT_LT(y, 7500.0);
    const Field<float>& after = *rivers.state().elevation;
    std::int64_t raised = 0;
    for (std::int64_t cell = 0; cell < after.size(); ++cell) {
        ASSERT_TRUE(after[cell] == ground[cell] || ground[cell] < 0.3F || after[cell] < ground[cell]);
        raised += after[cell] > ground[cell] ? 1 : 0;
    }
    EXPECT_GT(static_cast<double>(raised) * grid.cell_area(), 2e6);

    MeanderParameters dry = kWithDeltas;
    dry.water_level = -10.0;
    MeanderSimulation inland(network, dry, ground, 2);
    for (int step = 0; step < 20; ++step) inland.step(progress);
    EXPECT_TRUE(inland.state().channels[0].delta.empty());
}

TEST(Deltas, have_the_same_bits_on_any_number_of_threads) {
    const auto after = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        MeanderSimulation rivers(river_to_the_sea(), kWithDeltas, std::nullopt, 9);
        for (int step = 0; step < 400; ++step) rivers.step(progress);
        rivers.record();
        return std::pair(rivers.network(), rivers.history());
    };
    const auto one = after(1);
    EXPECT_EQ(one, after(2));
    EXPECT_EQ(one, after(8));
}

}  // namespace
}  // namespace thalweg
