#include "thalweg/core/execution.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/delta_ground.hpp"
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

/// A bay, with a shore in the north, and land in the west.
Field<float> bay(float depth) {
    Field<float> ground(make_grid(20000.0, 12000.0, 200));
    const Grid& grid = ground.grid();
    for (std::int64_t cell = 0; cell < ground.size(); ++cell) {
        const Position place = grid.centre(grid.column_of(cell), grid.row_of(cell));
        ground[cell] = place.x < kShore || place.y > 7500.0 ? 5.0F : -depth;
    }
    return ground;
}

RiverNetwork river_to_the_bay() {
    RiverNetwork network = river_to_the_sea();
    for (RiverPoint& point : network.reaches[0].points) point = {point.x + 300.0, 6000.0, point.z};
    network.nodes = nodes_at_ends(network.reaches);
    return network;
}

TEST(DeltaGround, of_a_lobe_in_even_water_is_a_frustum_of_the_volume_that_was_given) {
    constexpr double kDepth = 6.0;     // m
    constexpr double kRadius = 400.0;  // m
    Field<float> ground(make_grid(4000.0, 4000.0, 400), static_cast<float>(-kDepth));
    Field<float> deposit(ground.grid(), 0.0F);
    const double front = kDepth / 0.03;  // m, of its slope
    const double volume =
        std::numbers::pi * kDepth * (kRadius * kRadius + kRadius * front + front * front / 3.0);
    const DeltaLobe lobe{.mouth = {.x = 2003.0, .y = 1998.0}, .radius = kRadius, .top = 0.0};
    const LaidDown laid = lay_down(lobe, 1.01 * volume, ground, deposit);
    EXPECT_TRUE(laid.is_complete);
    EXPECT_NEAR(laid.volume, volume, 0.005 * volume);
    EXPECT_NEAR(ground(200 + 39, 200), 0.0, 1e-6);
    EXPECT_NEAR(ground(200 + 50, 200), -0.03 * (502.0 - 402.0), 0.1);
    double sum = 0.0;  // m
    for (std::int64_t cell = 0; cell < ground.size(); ++cell) {
        ASSERT_NEAR(deposit[cell], ground[cell] + kDepth, 1e-5);
        sum += deposit[cell];
    }
    EXPECT_NEAR(sum * 100.0, laid.volume, 1e-5 * volume);
    // Where it is full, nothing is laid down any more.
    EXPECT_LT(lay_down(lobe, 0.0, ground, deposit).volume, 1.0);
    // A little volume does not come up to the top.
    Field<float> deep(ground.grid(), -30.0F);
    Field<float> little(ground.grid(), 0.0F);
    const LaidDown mound = lay_down(lobe, 0.01 * volume, deep, little);
    EXPECT_FALSE(mound.is_complete);
    EXPECT_NEAR(mound.volume, 0.01 * volume, 1e-5 * volume);
    EXPECT_LT(*std::ranges::max_element(deep), -10.0F);
}

TEST(Deltas, lay_down_all_that_their_river_brings_and_they_keep) {
    for (const float depth : {4.0F, 12.0F}) {
        const Field<float> ground = bay(depth);
        MeanderSimulation rivers(river_to_the_bay(), kWithDeltas, ground, 2);
        QuietProgress progress;
        for (int step = 0; step < 300; ++step) rivers.step(progress);
        const MeanderState& state = rivers.state();
        // r c Q T / rho
        const double brought = 0.56 * 0.5 * 100.0 * 31557600.0 * 150.0 / 1600.0;
        const double waiting = state.channels[0].delta_load;
        double raised = 0.0;   // m
        double deposit = 0.0;  // m
        for (std::int64_t cell = 0; cell < ground.size(); ++cell) {
            raised += double{(*state.elevation)[cell]} - double{ground[cell]};
            deposit += (*state.delta_deposit)[cell];
        }
        const double cell_area = ground.grid().cell_area();
        EXPECT_NEAR(raised * cell_area + waiting, brought, 1e-3 * brought);
        EXPECT_NEAR(deposit * cell_area, raised * cell_area, 1e-3 * brought);
        // In shallow water mouths come forward as fast as they may, and part of it waits.
        EXPECT_LT(waiting, (depth > 10.0F ? 0.05 : 0.6) * brought);
    }
}

TEST(Deltas, come_forward_the_slower_the_deeper_the_water_and_the_less_sediment_there_is) {
    const auto longest = [](float depth, double concentration) {
        MeanderParameters parameters = kWithDeltas;
        parameters.sediment_concentration = concentration;
        MeanderSimulation rivers(river_to_the_bay(), parameters, bay(depth), 2);
        QuietProgress progress;
        for (int step = 0; step < 100; ++step) rivers.step(progress);
        double length = 0.0;
        for (const RiverBranch& branch : rivers.state().channels[0].delta.channels)
            length += length_of(branch.line);
        return length;
    };
    const double usual = longest(4.0F, 0.5);
    EXPECT_LT(longest(12.0F, 0.5), 0.8 * usual);
    EXPECT_LT(longest(4.0F, 0.1), 0.8 * usual);
    // The mouth stays where it is without any.
    EXPECT_LT(longest(4.0F, 0.0), 250.0);
}

TEST(Deltas, have_the_same_statistics_in_half_the_steps) {
    struct Tally {
        double branches = 0.0;
        double bifurcations = 0.0;
        double length = 0.0;  // m
    };
    const auto mean_of = [](double time_step) {
        constexpr int kSeeds = 6;
        Tally mean;
        for (int seed = 1; seed <= kSeeds; ++seed) {
            MeanderParameters parameters = kWithDeltas;
            parameters.migration.time_step = time_step;
            MeanderSimulation rivers(river_to_the_sea(), parameters, std::nullopt,
                                     static_cast<std::uint64_t>(seed));
            QuietProgress progress;
            while (rivers.year() < 250.0) rivers.step(progress);
            mean.branches += static_cast<double>(rivers.report().branches) / kSeeds;
            mean.bifurcations += static_cast<double>(rivers.report().bifurcations) / kSeeds;
            for (const RiverBranch& branch : rivers.state().channels[0].delta.channels)
                mean.length += length_of(branch.line) / kSeeds;
        }
        return mean;
    };
    const Tally usual = mean_of(1.0);
    const Tally half = mean_of(0.5);
    EXPECT_GT(usual.branches, 5.0);
    EXPECT_NEAR(half.branches, usual.branches, 0.2 * usual.branches);
    EXPECT_NEAR(half.bifurcations, usual.bifurcations, 0.2 * usual.bifurcations);
    EXPECT_NEAR(half.length, usual.length, 0.1 * usual.length);
}

TEST(Deltas, grow_in_water_alone_and_leave_ground_there) {
    const Field<float> ground = bay(4.0F);
    const Grid& grid = ground.grid();
    const RiverNetwork network = river_to_the_bay();
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

TEST(Deltas, go_out_to_sea_and_not_along_the_shore) {
    constexpr double kNearLand = 500.0;       // m, two and a half widths of the river
    constexpr double kFromTheMouth = 2000.0;  // m, along the shore
    Field<float> coast(make_grid(20000.0, 12000.0, 200));
    const Grid& grid = coast.grid();
    for (std::int64_t cell = 0; cell < coast.size(); ++cell)
        coast[cell] = grid.centre(grid.column_of(cell), grid.row_of(cell)).x < kShore ? 5.0F : -2.0F;
    MeanderSimulation rivers(river_to_the_bay(), kWithDeltas, coast, 1);
    QuietProgress progress;
    for (int step = 0; step < 260; ++step) rivers.step(progress);
    double length = 0.0;
    double along_shore = 0.0;
    for (const RiverBranch& branch : rivers.state().channels[0].delta.channels) {
        const ChannelLine& line = branch.line;
        length += length_of(line);
        for (std::size_t i = 1; i < line.size(); ++i)
            if (line.x[i] < kShore + kNearLand && std::abs(line.y[i] - 6000.0) > kFromTheMouth)
                along_shore += std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]);
    }
    EXPECT_GT(length, 40000.0);
    EXPECT_LT(along_shore, 0.01 * length) << along_shore << " of " << length << " in " << rivers.year();
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
