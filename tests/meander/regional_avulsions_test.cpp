#include "thalweg/meander/events/regional_avulsions.hpp"

#include "thalweg/meander/channel/crossings.hpp"
#include "thalweg/meander/events/least_cost_path.hpp"
#include "thalweg/meander/network/channels.hpp"
#include "thalweg/meander/simulation/network_update.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/meander/networks.hpp"
#include "tests/meander/plains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr float kClosed = std::numeric_limits<float>::infinity();

/// A small ground with cuts by lot, a third of it closed, and three ends.
DiggingGround ground_by_lot(std::uint64_t seed) {
    DiggingGround ground{.grid = make_grid(120.0, 90.0, 12), .depth = 2.0};
    for (std::int64_t cell = 0; cell < ground.grid.cells(); ++cell) {
        const auto key = static_cast<std::uint64_t>(cell);
        const double draw = unit_double(random_bits(seed, Stream::WhiteNoise, key));
        ground.cut.push_back(draw < 0.3 ? kClosed : static_cast<float>(9.0 * (draw - 0.3)));
        ground.is_end.push_back(cell % 37 == 36 ? 1 : 0);
    }
    return ground;
}

double cost_along(const DiggingGround& ground, const std::vector<std::int32_t>& path) {
    double cost = 0.0;
    for (std::size_t i = 1; i < path.size(); ++i) {
        const Grid& grid = ground.grid;
        const int columns = grid.column_of(path[i]) - grid.column_of(path[i - 1]);
        const int rows = grid.row_of(path[i]) - grid.row_of(path[i - 1]);
        EXPECT_LE(std::max(std::abs(columns), std::abs(rows)), 1);
        cost += grid.cell_size * std::hypot(columns, rows) * (1.0 + ground.cut[path[i]] / ground.depth);
    }
    return cost;
}

/// Costs of all cells, by looking at all pairs of neighbours until nothing becomes cheaper.
double least_cost_by_looking_at_all(const DiggingGround& ground, std::int32_t start) {
    std::vector<double> costs(ground.cut.size(), std::numeric_limits<double>::infinity());
    costs[start] = 0.0;
    const Grid& grid = ground.grid;
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (std::int64_t from = 0; from < grid.cells(); ++from)
            for (std::int64_t to = 0; to < grid.cells(); ++to) {
                const int columns = grid.column_of(to) - grid.column_of(from);
                const int rows = grid.row_of(to) - grid.row_of(from);
                if (from == to || std::abs(columns) > 1 || std::abs(rows) > 1) continue;
                const double cost = costs[from] + grid.cell_size * std::hypot(columns, rows) *
                                                      (1.0 + ground.cut[to] / ground.depth);
                if (!(cost < costs[to])) continue;
                costs[to] = cost;
                is_changed = true;
            }
    }
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t cell = 0; cell < costs.size(); ++cell)
        if (ground.is_end[cell] != 0) least = std::min(least, costs[cell]);
    return least;
}

TEST(LeastCostPath, costs_as_little_as_any_way_and_runs_through_open_cells_to_an_end) {
    int found = 0;
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const DiggingGround ground = ground_by_lot(seed);
        const auto start = static_cast<std::int32_t>(seed % static_cast<std::uint64_t>(ground.grid.cells()));
        const double least = least_cost_by_looking_at_all(ground, start);
        const std::vector<std::int32_t> path = least_cost_path(ground, start);
        ASSERT_EQ(path.empty(), std::isinf(least)) << seed;
        if (path.empty()) continue;
        ++found;
        EXPECT_EQ(path.front(), start);
        EXPECT_EQ(ground.is_end[path.back()], 1);
        EXPECT_NEAR(cost_along(ground, path), least, 1e-9 * least) << seed;
    }
    EXPECT_GT(found, 30);
}

TEST(LeastCostPath, is_one_straight_line_on_even_ground_and_bends_around_what_is_closed) {
    DiggingGround ground{.grid = make_grid(400.0, 200.0, 40), .is_end = {}};
    ground.cut.assign(800, 0.0F);
    ground.is_end.assign(800, 0);
    const Grid& grid = ground.grid;
    const auto start = static_cast<std::int32_t>(grid.index(2, 3));
    const std::int64_t end = grid.index(36, 14);
    ground.is_end[end] = 1;
    EXPECT_EQ(straightened(ground, least_cost_path(ground, start)).size(), 2U);
    for (int row = 0; row < 17; ++row) ground.cut[grid.index(20, row)] = kClosed;
    const std::vector<Position> around = straightened(ground, least_cost_path(ground, start));
    ASSERT_GE(around.size(), 3U);
    EXPECT_LE(around.size(), 5U);
    double length = 0.0;
    for (std::size_t i = 1; i < around.size(); ++i)
        length += std::hypot(around[i].x - around[i - 1].x, around[i].y - around[i - 1].y);
    const double by_the_corner = std::hypot(18.0, 14.0) + std::hypot(16.0, 3.0);  // cells
    EXPECT_NEAR(length, 10.0 * by_the_corner, 12.0);
}

/// Two rivers that run east, the northern one `drop` m higher, on ground that is even between them or
/// nowhere.
RiverNetwork two_rivers(double drop, double slope = 3e-4) {
    const auto river = [&](std::int64_t id, double y, double raised, double width) {
        ChannelLine line = sine_line(20000.0, 100.0, 2500.0, 300.0, width);
        for (std::size_t i = 0; i < line.size(); ++i) {
            line.y[i] += y;
            line.z[i] = raised + slope * (20000.0 - line.x[i]) - line.values.depth[i];
        }
        return reach_along(id, 10 * id, 10 * id + 1, -1, line);
    };
    return network_of({river(1, 9000.0, drop, 60.0), river(2, 5000.0, 0.0, 60.0)});
}

/// Ground at the banks of the northern river from y = 8 km on, of the southern one up to 6 km, and `ridge` m
/// higher between them, on 20 x 14 km.
Field<float> ground_between(double drop, double ridge, double slope = 3e-4) {
    Field<float> ground(make_grid(20000.0, 14000.0, 400));
    const Grid& grid = ground.grid();
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
        const double y = grid.y(grid.row_of(cell));
        const double share = std::clamp((y - 6000.0) / 2000.0, 0.0, 1.0);
        const double hill = ridge * std::max(0.0, 1.0 - std::abs(y - 7000.0) / 400.0);
        ground[cell] =
            static_cast<float>(slope * (20000.0 - grid.x(grid.column_of(cell))) + share * drop + hill);
    }
    return ground;
}

MeanderState state_of(const RiverNetwork& network, std::optional<Field<float>> ground = std::nullopt,
                      std::uint64_t seed = 1) {
    return MeanderSimulation(network, {.initial_roughness = 0.0, .crevasse_rate = 0.0}, std::move(ground),
                             seed)
        .state();
}

/// The southernmost point of a channel's line between two shares of its length.
ChannelPoint southern_bend(const MeanderState& state, std::int64_t reach, double from, double to) {
    const auto channel = std::ranges::find(state.channels, reach, &MeanderChannel::reach);
    const std::vector<double>& y = channel->line.y;
    const auto size = static_cast<double>(y.size());
    const auto first = y.begin() + static_cast<std::ptrdiff_t>(from * size);
    const auto lowest = std::min_element(first, y.begin() + static_cast<std::ptrdiff_t>(to * size));
    return {.channel = static_cast<std::size_t>(channel - state.channels.begin()),
            .point = static_cast<std::size_t>(lowest - y.begin())};
}

MeanderSimulation settled(MeanderState state) {
    space_evenly(state);
    return MeanderSimulation(std::move(state));
}

TEST(RegionalAvulsions, lead_a_river_into_another_one_which_takes_its_water) {
    for (const bool has_ground : {false, true}) {
        MeanderState state =
            state_of(two_rivers(2.0), has_ground ? std::optional(ground_between(2.0, 0.0)) : std::nullopt);
        const ChannelPoint from = southern_bend(state, 1, 0.3, 0.5);
        const ChannelLine before = state.channels[from.channel].line;
        ASSERT_EQ(avulse_to(state, from), CourseOutcome::Taken);
        const MeanderSimulation rivers = settled(std::move(state));
        expect_sound(rivers, 200.0);
        const RiverNetwork network = rivers.network();
        ASSERT_EQ(network.reaches.size(), 3U);
        const Reach& turned = *std::ranges::find(network.reaches, 1, &Reach::id);
        const Reach& below = *std::ranges::find(network.reaches, turned.next_down, &Reach::id);
        EXPECT_EQ(below.next_down, -1);
        EXPECT_NEAR(below.values.discharge.back(), 200.0, 1e-2);
        EXPECT_NEAR(below.values.width.back(), 60.0 * std::sqrt(2.0), 1e-2);
        // It is left from the burst to its end, in this year.
        ASSERT_EQ(rivers.history().courses.size(), 1U);
        const AbandonedCourse& left = rivers.history().courses.front();
        EXPECT_EQ(left.cause, MeanderEventKind::Avulsion);
        EXPECT_EQ(left.line.x.front(), before.x[from.point]);
        EXPECT_EQ(left.line.x.back(), before.x.back());
        ASSERT_EQ(rivers.history().events.size(), 1U);
        EXPECT_EQ(rivers.history().events.front().y, before.y[from.point]);
        EXPECT_EQ(rivers.history().events.front().course, left.id);
    }
}

TEST(RegionalAvulsions, run_downhill_on_the_ground_and_cut_no_deeper_than_they_may) {
    MeanderState state = state_of(two_rivers(4.0), ground_between(4.0, 2.5));
    const Field<float> before = *state.elevation;
    const ChannelPoint from = southern_bend(state, 1, 0.3, 0.5);
    ASSERT_EQ(avulse_to(state, from), CourseOutcome::Taken);
    const ChannelLine& line = state.channels[from.channel].line;
    double deepest = 0.0;
    for (std::size_t i = from.point; i + 1 < line.size(); ++i) {
        ASSERT_LE(line.z[i + 1], line.z[i]);
        const double bank = line.z[i] + line.values.depth[i];
        const Grid& grid = before.grid();
        const auto column = static_cast<int>(std::lround(grid.column_at(line.x[i])));
        const auto row = static_cast<int>(std::lround(grid.row_at(line.y[i])));
        deepest = std::max(deepest, before[grid.index(column, row)] - bank);
    }
    EXPECT_GT(deepest, 0.3);
    EXPECT_LT(deepest, 3.0 + 0.5);
    EXPECT_NE(*state.elevation, before);
    for (std::int64_t cell = 0; cell < before.size(); ++cell)
        ASSERT_LE((*state.elevation)[cell], before[cell]);
}

TEST(RegionalAvulsions, do_not_happen_where_they_could_not_run_downhill_or_had_to_cut_too_deep) {
    const auto outcome = [](double drop, double ridge) {
        MeanderState state = state_of(two_rivers(drop), ground_between(drop, ridge));
        // The rim in the south would do too, past the source of the other river.
        for (std::int64_t cell = 0; cell < state.elevation->size(); ++cell) {
            const Grid& grid = state.elevation->grid();
            const double x = grid.x(grid.column_of(cell));
            if (x < 300.0 || x > 19700.0 || grid.y(grid.row_of(cell)) > 13000.0)
                (*state.elevation)[cell] = 900.0F;
        }
        const std::vector<MeanderChannel> before = state.channels;
        const ChannelPoint from = southern_bend(state, 1, 0.3, 0.5);
        const CourseOutcome result = avulse_to(state, from);
        if (result != CourseOutcome::Taken) {
            EXPECT_EQ(state.channels, before);
            EXPECT_TRUE(state.history.events.empty());
        }
        return result;
    };
    EXPECT_EQ(outcome(2.0, 0.0), CourseOutcome::Taken);
    EXPECT_EQ(outcome(2.0, 40.0), CourseOutcome::NoWay);
    EXPECT_EQ(outcome(-30.0, 0.0), CourseOutcome::NoWay);
}

TEST(RegionalAvulsions, lead_a_river_off_the_terrain_where_that_is_nearest) {
    RiverNetwork network = two_rivers(2.0);
    network = network_of({network.reaches.front()});
    MeanderState state = state_of(network, ground_between(2.0, 0.0));
    const std::int64_t id = state.channels.front().reach;
    const ChannelPoint from = southern_bend(state, id, 0.3, 0.5);
    ASSERT_EQ(avulse_to(state, from), CourseOutcome::Taken);
    const MeanderSimulation rivers = settled(std::move(state));
    expect_sound(rivers, 100.0);
    ASSERT_EQ(rivers.state().channels.size(), 1U);
    const ChannelLine& line = rivers.state().channels.front().line;
    const double rim = std::min({line.x.back(), 20000.0 - line.x.back(), line.y.back()});
    EXPECT_NEAR(rim, 0.0, 1.0);
    EXPECT_LT(line.y.back(), 8000.0);
}

/// Rivers of a plain with noise, with many reaches.
MeanderState plain_state(std::uint64_t seed) {
    const Field<float> elevation = plain(seed, 20000.0, 128, 5e-4);
    MeanderSimulation rivers(plain_network(elevation, 1e7, 6.0), {.crevasse_rate = 0.0}, elevation, seed);
    QuietProgress progress;
    for (int step = 0; step < 100; ++step) rivers.step(progress);
    return rivers.state();
}

TEST(RegionalAvulsions, leave_networks_sound_wherever_a_bank_bursts) {
    int tried = 0;
    int taken = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const MeanderState start = plain_state(seed);
        const double discharge = outflow_of(MeanderSimulation(start).network());
        for (std::size_t c = 0; c < start.channels.size(); ++c) {
            const std::size_t points = start.channels[c].line.size();
            for (const std::size_t point : {points / 4, points / 2, (3 * points) / 4}) {
                if (point == 0 || point + 1 >= points) continue;
                MeanderState state = start;
                ++tried;
                if (avulse_to(state, {.channel = c, .point = point}) != CourseOutcome::Taken) continue;
                ++taken;
                SCOPED_TRACE(testing::Message()
                             << "seed " << seed << ", channel " << c << ", point " << point);
                MeanderSimulation rivers = settled(std::move(state));
                expect_sound(rivers, discharge);
                QuietProgress progress;
                for (int step = 0; step < 4; ++step) rivers.step(progress);
                expect_sound(rivers, discharge);
                if (HasFatalFailure()) return;
            }
        }
    }
    EXPECT_GT(taken, tried / 10) << tried;
}

TEST(RegionalAvulsions, leave_a_network_sound_over_centuries) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Field<float> elevation = plain(seed, 20000.0, 128, 5e-4);
        MeanderSimulation rivers(plain_network(elevation, 1e7, 6.0),
                                 {.crevasse_rate = 0.3, .avulsion_share = 0.5, .regional_share = 0.7},
                                 elevation, seed);
        const double discharge = outflow_of(rivers.network());
        QuietProgress progress;
        for (int step = 0; step < 400; ++step) {
            rivers.step(progress);
            expect_sound(rivers, discharge);
            if (HasFatalFailure()) return;
        }
        EXPECT_GT(rivers.report().avulsions, 3);
    }
}

}  // namespace
}  // namespace thalweg
