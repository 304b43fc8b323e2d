#include "thalweg/meander/meander_simulation.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/river/network_checks.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "tests/meander/networks.hpp"
#include "tests/meander/plains.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

TEST(MeanderSimulation, keeps_a_network_sound_after_every_step) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const Field<float> elevation = plain(seed, 20000.0, 128, 2e-4);
        const RiverNetwork network = plain_network(elevation, 3e6, 6.0);
        ASSERT_GT(network.reaches.size(), 20U);
        MeanderSimulation rivers(network, {}, elevation, seed);
        QuietProgress progress;
        const double discharge = outflow_of(network);
        for (int step = 0; step < 400; ++step) {
            rivers.step(progress);
            expect_sound(rivers, discharge);
        }
        EXPECT_GT(rivers.report().captures + rivers.report().cutoffs, 0);
        EXPECT_GT(rivers.report().sinuosity, 1.2);
    }
}

TEST(MeanderSimulation, gives_the_same_bits_on_any_number_of_threads) {
    const Field<float> elevation = plain(5, 20000.0, 128, 2e-4);
    const RiverNetwork network = plain_network(elevation, 8e6, 6.0);
    const auto after = [&](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        MeanderSimulation rivers(network, {}, elevation, 9);
        for (int step = 0; step < 200; ++step) rivers.step(progress);
        rivers.record();
        return std::pair(rivers.network(), rivers.history());
    };
    const auto one = after(1);
    EXPECT_EQ(one, after(2));
    EXPECT_EQ(one, after(8));
}

TEST(MeanderSimulation, leaves_bends_behind_as_oxbows_of_their_year) {
    MeanderSimulation rivers(one_channel(20000.0, 50.0), {.crevasse_rate = 0.0}, std::nullopt, 4);
    QuietProgress progress;
    for (int step = 0; step < 400; ++step) rivers.step(progress);
    const MeanderHistory& history = rivers.history();
    ASSERT_GT(history.courses.size(), 20U);
    EXPECT_EQ(static_cast<std::int64_t>(history.courses.size()), rivers.report().cutoffs);
    std::set<std::int64_t> ids;
    double year = 0.0;
    for (const AbandonedCourse& course : history.courses) {
        EXPECT_TRUE(ids.insert(course.id).second);
        EXPECT_EQ(course.reach, 1);
        EXPECT_GE(course.year, year);
        year = course.year;
        const double gap = std::hypot(course.line.x.back() - course.line.x.front(),
                                      course.line.y.back() - course.line.y.front());
        EXPECT_LE(gap, 50.0 + 1e-6);
        EXPECT_GT(length_of(course.line), 3.0 * 50.0);
    }
    EXPECT_EQ(history.events.size(), history.courses.size());
}

TEST(MeanderSimulation, keeps_points_even_between_looks_and_does_not_space_them_anew_before_it_must) {
    MeanderSimulation rivers(one_channel(16000.0, 50.0), {.crevasse_rate = 0.0}, std::nullopt, 2);
    QuietProgress progress;
    const double spacing = channel_spacing(50.0);
    int kept = 0;
    for (int step = 0; step < 200; ++step) {
        const ChannelLine before = rivers.state().channels[0].line;
        rivers.step(progress);
        const ChannelLine& line = rivers.state().channels[0].line;
        kept += line.size() == before.size() ? 1 : 0;
        const bool is_look = rivers.state().steps == rivers.state().steps_at_update;
        for (std::size_t i = 1; i < line.size(); ++i) {
            const double segment = std::hypot(line.x[i] - line.x[i - 1], line.y[i] - line.y[i - 1]);
            ASSERT_GT(segment, (is_look ? 0.8 : 0.5) * spacing) << step;
            ASSERT_LT(segment, (is_look ? 1.25 : 1.6) * spacing) << step;
        }
    }
    EXPECT_GT(kept, 100);
}

/// Two rivers side by side, `gap` m apart, the second with a bend towards the first in its middle.
std::vector<Reach> two_rivers(double bend, double discharge_1, double discharge_2) {
    ChannelLine first = sine_line(8000.0, 50.0, 8000.0, 0.0, 60.0);
    ChannelLine second = first;
    for (std::size_t i = 0; i < second.size(); ++i) {
        const double x = second.x[i];
        second.y[i] = 900.0 - bend * std::exp(-std::pow((x - 4000.0) / 500.0, 2.0));
    }
    std::ranges::fill(first.values.discharge, static_cast<float>(discharge_1));
    std::ranges::fill(second.values.discharge, static_cast<float>(discharge_2));
    return {reach_along(1, 1, 2, -1, first), reach_along(2, 3, 4, -1, second)};
}

TEST(MeanderSimulation, forgets_courses_that_are_older_than_the_years_kept_and_wanders_on_as_without) {
    const auto after = [](double kept_years) {
        QuietProgress quiet;
        MeanderSimulation rivers(one_channel(16000.0, 60.0), {.kept_years = kept_years}, std::nullopt, 1);
        for (int decade = 0; decade < 25; ++decade) {
            rivers.record();
            for (int step = 0; step < 20; ++step) rivers.step(quiet);
        }
        rivers.record();
        return rivers;
    };
    const MeanderSimulation all = after(0.0);
    const MeanderSimulation some = after(50.0);
    EXPECT_EQ(all.state().channels, some.state().channels);
    EXPECT_EQ(all.history().events, some.history().events);
    EXPECT_EQ(some.history().networks.size(), 6U);
    EXPECT_EQ(some.history().networks.front().year, 200.0);
    EXPECT_GT(some.history().courses.size(), 0U);
    EXPECT_LT(some.history().courses.size(), all.history().courses.size());
    for (const AbandonedCourse& course : some.history().courses) EXPECT_GE(course.year, 200.0);
}

TEST(MeanderSimulation, lets_the_smaller_of_two_rivers_that_meet_flow_into_the_larger) {
    for (const bool first_is_larger : {true, false}) {
        const double larger = 90.0;
        const double smaller = 30.0;
        const RiverNetwork network = network_of(
            two_rivers(870.0, first_is_larger ? larger : smaller, first_is_larger ? smaller : larger));
        const MeanderSimulation rivers(network, {.migration = {.rate = 0.0}, .initial_roughness = 0.0},
                                       std::nullopt, 1);
        const RiverNetwork after = rivers.network();
        ASSERT_EQ(rivers.report().captures, 1);
        ASSERT_EQ(after.reaches.size(), 3U);
        check_network(after, "after", NetworkProfile::DownhillForest);
        const std::int64_t kept = first_is_larger ? 1 : 2;
        const std::int64_t captured = first_is_larger ? 2 : 1;
        const auto reach = [&](std::int64_t id) { return *std::ranges::find(after.reaches, id, &Reach::id); };
        EXPECT_EQ(reach(captured).next_down, reach(kept).next_down);
        const Reach below = reach(reach(kept).next_down);
        EXPECT_NEAR(below.values.discharge.back(), 120.0, 1e-3);
        EXPECT_NEAR(below.values.width.back(), 60.0 * std::sqrt(120.0 / 90.0), 1e-2);
        EXPECT_NEAR(below.values.depth.back(), depth_of_width(60.0) * std::pow(120.0 / 90.0, 0.5 / 1.41),
                    1e-2);
        EXPECT_NEAR(reach(kept).values.discharge.back(), 90.0, 1e-3);
        ASSERT_EQ(rivers.history().courses.size(), 1U);
        EXPECT_EQ(rivers.history().courses[0].reach, captured);
        EXPECT_EQ(rivers.history().courses[0].cause, MeanderEventKind::Capture);
    }
}

/// A tributary (2) that joins a river (1, then 3) from the north at x = 4000 and comes close to it `at` x.
RiverNetwork confluence(double at) {
    const auto part = [](double from, double to) {
        std::vector<RiverPoint> points;
        for (double x = from; x <= to + 1.0; x += 50.0) points.push_back({x, 0.0, 0.001 * (8000.0 - x)});
        return points;
    };
    std::vector<RiverPoint> tributary;
    for (double s = 0.0; s <= 1.0; s += 1.0 / 160.0) {
        // From afar to the river at x = `at`, and then in a bow to the confluence.
        const double side = at < 4000.0 ? -600.0 : 600.0;
        const double x = s < 0.5 ? at + side * (1.0 - 2.0 * s) : at + (4000.0 - at) * (2.0 * s - 1.0);
        const double y = 30.0 + (s < 0.5 ? 1500.0 * (1.0 - 2.0 * s)
                                         : 700.0 * std::sin(std::numbers::pi * (2.0 * s - 1.0)));
        tributary.push_back({x, s == 1.0 ? 0.0 : y, 4.5 - 0.5 * s});
    }
    tributary.back() = {4000.0, 0.0, 4.0};
    return network_of({reach_along(1, 1, 3, 3, channel_line(part(0.0, 4000.0), 60.0, 2.3, 80.0)),
                       reach_along(2, 2, 3, 3, channel_line(tributary, 30.0, 1.4, 20.0)),
                       reach_along(3, 3, 4, -1, channel_line(part(4000.0, 8000.0), 60.0, 2.3, 100.0))});
}

TEST(MeanderSimulation, moves_a_confluence_to_where_the_tributary_meets_the_river_above_or_below_it) {
    for (const double at : {2500.0, 5500.0}) {
        const MeanderSimulation rivers(confluence(at), {.migration = {.rate = 0.0}, .initial_roughness = 0.0},
                                       std::nullopt, 1);
        const RiverNetwork after = rivers.network();
        check_network(after, "after", NetworkProfile::DownhillForest);
        ASSERT_EQ(rivers.report().captures, 1) << at;
        ASSERT_EQ(after.reaches.size(), 3U) << at;
        EXPECT_NEAR(outflow_of(after), 100.0, 1e-3);
        const auto mouth = std::ranges::find(after.nodes, NodeKind::Confluence, &RiverNode::kind);
        ASSERT_NE(mouth, after.nodes.end());
        EXPECT_NEAR(mouth->point.x, at, 100.0);
        for (const Reach& reach : after.reaches)
            for (std::size_t i = 0; i < reach.points.size(); ++i) {
                if (reach.id == 2) continue;
                const double expected = reach.points[i].x <= mouth->point.x ? 80.0 : 100.0;
                if (std::abs(reach.points[i].x - mouth->point.x) <= 1.0) continue;
                ASSERT_NEAR(reach.values.discharge[i], expected, 1e-2) << at << " " << reach.points[i].x;
            }
    }
}

TEST(MeanderSimulation, keeps_straight_where_the_ground_is_steep_and_wanders_on_a_plain) {
    const auto sinuosity_on = [](double slope) {
        Field<float> elevation(make_grid(24000.0, 24000.0, 240));
        const Grid& grid = elevation.grid();
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
            elevation[cell] = static_cast<float>(slope * (24000.0 - grid.x(grid.column_of(cell))));
        RiverNetwork network = one_channel(20000.0, 60.0);
        for (RiverPoint& point : network.reaches[0].points) {
            point.x += 2000.0;
            point.y += 12000.0;
        }
        network.nodes = nodes_at_ends(network.reaches);
        MeanderSimulation rivers(network, {}, elevation, 3);
        QuietProgress progress;
        for (int step = 0; step < 300; ++step) rivers.step(progress);
        return rivers.report().sinuosity;
    };
    EXPECT_LT(sinuosity_on(0.2), 1.001);
    EXPECT_GT(sinuosity_on(0.001), 1.5);
}

TEST(MeanderSimulation, refuses_networks_without_widths) {
    RiverNetwork network = one_channel(2000.0, 50.0);
    network.reaches[0].values = {};
    try {
        const MeanderSimulation rivers(network, {}, std::nullopt, 1);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("width"));
    }
}

}  // namespace
}  // namespace thalweg
