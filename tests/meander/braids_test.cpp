#include "thalweg/core/execution.hpp"
#include "thalweg/meander/branches/braid_criterion.hpp"
#include "thalweg/meander/branches/branch_graph.hpp"
#include "thalweg/meander/branches/branch_lines.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/meander_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tests/meander/networks.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kWidth = 240.0;     // m
constexpr double kLength = 20000.0;  // m

/// A river from west to east that falls by `slope`.
RiverNetwork river(double slope) {
    ChannelLine line = sine_line(kLength, 50.0, kLength, 0.0, kWidth);
    for (std::size_t i = 0; i < line.size(); ++i) line.z[i] = slope * (kLength - line.x[i]);
    return network_of({reach_along(1, 1, 2, -1, line)});
}

constexpr MeanderParameters kBraiding = {
    .migration = {.rate = 20.0}, .crevasse_rate = 0.0, .braiding = Braiding::StreamPower, .grain_size = 0.03};

TEST(BraidCriterion, is_that_of_the_sources) {
    ChannelLine line =
        river(0.002).reaches.empty() ? ChannelLine{} : sine_line(10000.0, 50.0, 10000.0, 0.0, 300.0);
    for (std::size_t i = 0; i < line.size(); ++i) line.z[i] = 0.002 * (10000.0 - line.x[i]);
    const BraidForm form = braid_form(line, 1600.0, {.grain_size = 0.03, .braid_plain = 2.0});
    EXPECT_NEAR(form.slope, 0.002, 1e-9);
    // rho g Q^0.5 S / 3.0 = 9810 * 40 * 0.002 / 3
    EXPECT_NEAR(form.stream_power, 261.6, 0.1);
    EXPECT_NEAR(form.threshold, 900.0 * std::pow(0.03, 0.42), 0.1);
    const double depth = line.values.depth[0];
    const double chezy = 8.1 * std::sqrt(9.81) * std::pow(depth / 0.075, 1.0 / 6.0);
    const double mode = std::sqrt(0.17 * 9.81 * 7.0 / std::sqrt(1.65 * 0.03) * std::pow(300.0, 3.0) * 0.002 /
                                  (chezy * 1600.0));
    EXPECT_NEAR(form.mode, mode, 1e-3);
    EXPECT_NEAR(form.channels, std::min((mode - 1.0) / 2.0 + 1.0, 2.0 / 1.6), 1e-3);
    EXPECT_NEAR(braid_form(line, 0.0, {.grain_size = 0.03}).flow, 1e4, 1.0);
    EXPECT_NEAR(braid_form(line, 0.0, {.grain_size = 0.0005}).flow, 1e4 * std::pow(3.0 / 4.7, 2.0), 1.0);
}

TEST(BraidCriterion, lets_steep_rivers_of_fine_gravel_braid_and_flat_ones_not) {
    const auto branches_after = [](double slope, Braiding braiding) {
        MeanderParameters parameters = kBraiding;
        parameters.braiding = braiding;
        MeanderSimulation rivers(river(slope), parameters, std::nullopt, 1);
        QuietProgress progress;
        for (int step = 0; step < 60; ++step) rivers.step(progress);
        return rivers.report().branches;
    };
    EXPECT_GT(branches_after(0.006, Braiding::StreamPower), 10);
    EXPECT_EQ(branches_after(0.0002, Braiding::StreamPower), 0);
    EXPECT_EQ(branches_after(0.006, Braiding::None), 0);
}

/// Where branches cross the line x = `at` and which way: their shares, positive downstream.
struct Section {
    double flow = 0.0;
    int channels = 0;
};

Section section_at(const RiverBranches& braid, double at) {
    Section section;
    for (const RiverBranch& branch : braid.channels)
        for (std::size_t i = 0; i + 1 < branch.line.size(); ++i) {
            const bool before = branch.line.x[i] < at;
            const bool after = branch.line.x[i + 1] < at;
            if (before == after) continue;
            section.flow += before ? branch.share : -branch.share;
            ++section.channels;
        }
    return section;
}

/// Every node has as much water as comes to it, no way comes round to itself, and ends meet.
void expect_sound_braid(const RiverBranches& braid, double year) {
    std::map<std::int32_t, double> balance;
    std::map<std::int32_t, std::pair<double, double>> places;
    const auto expect_place = [&](std::int32_t node, double x, double y) {
        const auto [known, is_new] = places.try_emplace(node, std::pair(x, y));
        ASSERT_NEAR(known->second.first, x, 1e-6) << year;
        ASSERT_NEAR(known->second.second, y, 1e-6) << year;
    };
    std::set<std::int64_t> ids;
    for (const RiverBranch& branch : braid.channels) {
        ASSERT_TRUE(ids.insert(branch.id).second);
        ASSERT_GT(branch.share, 0.0);
        balance[branch.from] -= branch.share;
        balance[branch.to] += branch.share;
        ASSERT_FALSE(flows_to(braid, branch.to, branch.from)) << year;
        ASSERT_TRUE(std::ranges::is_sorted(branch.line.z, std::greater<>())) << year;
        expect_place(branch.from, branch.line.x.front(), branch.line.y.front());
        expect_place(branch.to, branch.line.x.back(), branch.line.y.back());
    }
    for (const auto& [node, water] : balance)
        ASSERT_NEAR(water, node == kHeadNode ? -1.0 : node == kEndNode ? 1.0 : 0.0, 1e-9) << year;
}

TEST(Braids, share_the_rivers_water_and_cross_nowhere_after_every_step) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        MeanderSimulation rivers(river(0.008), kBraiding, std::nullopt, seed);
        QuietProgress progress;
        for (int step = 0; step < 300; ++step) {
            rivers.step(progress);
            const MeanderChannel& channel = rivers.state().channels[0];
            ASSERT_FALSE(channel.braid.empty());
            ASSERT_NO_FATAL_FAILURE(expect_sound_braid(channel.braid, rivers.year()));
            ASSERT_EQ(rivers.report().self_crossings, 0) << "year " << rivers.year();
            for (double at = 500.0; at < kLength; at += 500.0)
                ASSERT_NEAR(section_at(channel.braid, at).flow, 1.0, 1e-3) << rivers.year() << " " << at;
        }
        const MeanderReport report = rivers.report();
        EXPECT_GT(report.bifurcations, 50);
        EXPECT_GT(report.confluences, 20);
        EXPECT_GT(report.closures, 5);
        check_network(rivers.network(), "the network", NetworkProfile::DownhillForest);
        EXPECT_EQ(static_cast<std::int64_t>(rivers.network().branches.size()), report.branches);
    }
}

TEST(Braids, have_about_as_many_channels_side_by_side_as_the_mode_of_bars_predicts) {
    double of_flatter = 1.0;
    for (const double slope : {0.003, 0.006, 0.012}) {
        double channels = 0.0;
        double predicted = 0.0;
        int sections = 0;
        for (const std::uint64_t seed : {1U, 2U, 3U}) {
            MeanderParameters parameters = kBraiding;
            parameters.braid_plain = 6.0;
            MeanderSimulation rivers(river(slope), parameters, std::nullopt, seed);
            QuietProgress progress;
            for (int step = 0; step < 200; ++step) rivers.step(progress);
            for (int step = 0; step < 100; ++step) {
                rivers.step(progress);
                for (double at = 2000.0; at < kLength - 1999.0; at += 1000.0, ++sections)
                    channels += section_at(rivers.state().channels[0].braid, at).channels;
            }
            predicted = braid_form(rivers.state().channels[0].line, 0.0, parameters).channels;
        }
        channels /= sections;
        EXPECT_GT(channels, 0.75 * predicted);
        EXPECT_LT(channels, 1.25 * predicted);
        EXPECT_GT(channels, of_flatter + 0.1);
        of_flatter = channels;
    }
}

TEST(Braids, have_the_same_bits_on_any_number_of_threads) {
    const auto after = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        MeanderSimulation rivers(river(0.008), kBraiding, std::nullopt, 9);
        for (int step = 0; step < 120; ++step) rivers.step(progress);
        rivers.record();
        return std::pair(rivers.network(), rivers.history());
    };
    const auto one = after(1);
    EXPECT_FALSE(one.first.branches.empty());
    EXPECT_EQ(one, after(2));
    EXPECT_EQ(one, after(8));
}

}  // namespace
}  // namespace thalweg
