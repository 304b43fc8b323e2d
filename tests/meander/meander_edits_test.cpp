#include "thalweg/meander/meander_edits.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/meander/channel/channel_migration.hpp"
#include "thalweg/meander/meander_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/meander/networks.hpp"
#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using ::testing::HasSubstr;

using Edit = std::function<void(MeanderState&)>;

MeanderSimulation edited(const MeanderSimulation& rivers, const Edit& edit) {
    MeanderState state = rivers.state();
    edit(state);
    return MeanderSimulation(std::move(state));
}

void wander(MeanderSimulation& rivers, int steps) {
    QuietProgress progress;
    for (int step = 0; step < steps; ++step) rivers.step(progress);
}

const MeanderChannel& channel_of(const MeanderSimulation& rivers, std::int64_t reach) {
    return *std::ranges::find(rivers.state().channels, reach, &MeanderChannel::reach);
}

/// A channel 20 km long that runs east at y = 0, 60 m wide, with bends of its own.
MeanderSimulation one_river(std::vector<ControlStroke> controls = {}) {
    return {one_channel(20000.0, 60.0), {.controls = std::move(controls)}, std::nullopt, 3};
}

/// Mean distance of the river's points between x = 7 km and 13 km from y, m.
double distance_from(const MeanderSimulation& rivers, double y) {
    double sum = 0.0;
    int count = 0;
    for (const MeanderChannel& channel : rivers.state().channels)
        for (std::size_t i = 0; i < channel.line.size(); ++i)
            if (channel.line.x[i] > 7000.0 && channel.line.x[i] < 13000.0) {
                sum += std::abs(channel.line.y[i] - y);
                ++count;
            }
    return sum / count;
}

ControlStroke line_at(double y, ControlKind kind, double strength = 1.0) {
    return {.kind = kind,
            .points = {6000.0, y, 14000.0, y},
            .radius = 1500.0,
            .falloff = 500.0,
            .strength = strength};
}

TEST(ControlStrokes, draw_a_river_to_a_line_and_drive_it_away) {
    for (const double y : {-600.0, 0.0, 600.0}) {
        const auto after = [&](std::vector<ControlStroke> controls) {
            MeanderSimulation rivers = one_river(std::move(controls));
            wander(rivers, 500);
            return distance_from(rivers, y);
        };
        const double alone = after({});
        EXPECT_LT(after({line_at(y, ControlKind::Attract)}), 0.6 * alone) << y;
        EXPECT_GT(after({line_at(y, ControlKind::Repel)}), 1.3 * alone) << y;
    }
}

TEST(ControlStrokes, move_points_by_the_size_of_the_rate_and_so_both_kinds_of_bends_one_way) {
    // Half a wave to the left and half a wave to the right, from which each other rate changes its sign.
    const auto moved = [](bool pulled) {
        ChannelLine line = sine_line(6000.0, 25.0, 1200.0, 60.0, 60.0);
        std::vector<float> north(line.size(), pulled ? 1.0F : 0.0F);
        const std::vector<float> east(line.size(), 0.0F);
        ChannelMigration migration({});
        migration.step(line, mobile(line.size()), 0.0, 0.5, {.x = east, .y = north});
        return line.y;
    };
    const std::vector<double> pulled = moved(true);
    const std::vector<double> free = moved(false);
    double most = 0.0;
    for (std::size_t i = 0; i < free.size(); ++i) {
        EXPECT_GE(pulled[i], free[i]);
        most = std::max(most, pulled[i] - free[i]);
    }
    EXPECT_GT(most, 0.5);
}

TEST(ControlStrokes, that_reach_no_channel_change_no_bit) {
    MeanderSimulation free = one_river();
    MeanderSimulation far =
        one_river({line_at(90000.0, ControlKind::Attract), line_at(5e4, ControlKind::Damp)});
    wander(free, 60);
    wander(far, 60);
    EXPECT_EQ(free.state().channels, far.state().channels);
    EXPECT_TRUE(far.state().channels.front().pull_x.empty());
}

TEST(ControlStrokes, that_damp_let_a_stretch_migrate_the_less_the_stronger_they_are) {
    const auto wandered = [](double strength) {
        MeanderSimulation rivers = one_river({line_at(0.0, ControlKind::Damp, strength)});
        const std::vector<double> before = rivers.state().channels.front().line.y;
        wander(rivers, 150);
        double most = 0.0;
        const ChannelLine& line = rivers.state().channels.front().line;
        for (std::size_t i = 0; i < line.size(); ++i)
            if (line.x[i] > 6200.0 && line.x[i] < 13800.0) most = std::max(most, std::abs(line.y[i]));
        return most;
    };
    const double locked = wandered(1.0);
    const double half = wandered(0.5);
    const double free = wandered(0.0);
    EXPECT_LT(locked, 3.0);  // the first bends alone
    EXPECT_GT(half, locked);
    EXPECT_GT(free, half);
}

TEST(MeanderEdits, move_a_point_with_a_smooth_bump_of_the_line_around_it) {
    const MeanderSimulation rivers = one_river();
    const MeanderSimulation moved = edited(rivers, [](MeanderState& state) {
        move_point(state, 1, {.x = 10000.0, .y = 0.0}, {.x = 10000.0, .y = 500.0}, 1500.0);
    });
    const ChannelLine& line = channel_of(moved, 1).line;
    double highest = 0.0;
    double sharpest = 0.0;
    for (std::size_t i = 1; i + 1 < line.size(); ++i) {
        highest = std::max(highest, line.y[i]);
        if (std::abs(line.x[i] - 10000.0) > 1550.0) {
            EXPECT_LT(std::abs(line.y[i]), 3.0) << line.x[i];
        }
        const double turn = std::atan2(line.y[i + 1] - line.y[i], line.x[i + 1] - line.x[i]) -
                            std::atan2(line.y[i] - line.y[i - 1], line.x[i] - line.x[i - 1]);
        sharpest = std::max(sharpest, std::abs(turn));
    }
    EXPECT_NEAR(highest, 500.0, 3.0);
    EXPECT_LT(sharpest, 0.2);
}

TEST(MeanderEdits, split_a_channel_into_two_that_go_on_with_its_water_and_what_is_set_of_it) {
    MeanderSimulation rivers = one_river();
    std::int64_t lower = 0;
    rivers = edited(rivers, [&](MeanderState& state) {
        adjust_channel(state, 1, 0.0, 0.5);
        lower = split_channel(state, 1, {.x = 10000.0, .y = 0.0});
    });
    ASSERT_EQ(rivers.state().channels.size(), 2U);
    expect_sound(rivers, 100.0);
    EXPECT_NEAR(channel_of(rivers, lower).line.x.front(), 10000.0, 30.0);
    EXPECT_EQ(channel_of(rivers, lower).rate_factor, 0.5);
    EXPECT_EQ(rivers.network().reaches.front().next_down, lower);
    const double node = channel_of(rivers, lower).line.x.front();
    wander(rivers, 300);
    expect_sound(rivers, 100.0);
    EXPECT_EQ(channel_of(rivers, lower).line.x.front(), node);
}

TEST(MeanderEdits, add_a_channel_that_flows_into_the_river_at_whose_edge_it_ends) {
    MeanderSimulation rivers = one_river();
    std::int64_t added = 0;
    rivers = edited(rivers, [&](MeanderState& state) {
        added = add_channel(state, {.points = {{.x = 8000.0, .y = 4000.0}, {.x = 9000.0, .y = 100.0}},
                                    .width = 30.0,
                                    .discharge = 44.0});
    });
    ASSERT_EQ(rivers.state().channels.size(), 3U);
    expect_sound(rivers, 144.0);
    const Reach below = rivers.network().reaches.back();
    EXPECT_EQ(below.next_down, -1);
    EXPECT_NEAR(below.width, 60.0 * std::sqrt(1.44), 0.1);
    EXPECT_NEAR(channel_of(rivers, added).line.y.front(), 4000.0, 1e-9);
    wander(rivers, 200);
    expect_sound(rivers, 144.0);
    // And another one, far away, to the sea.
    rivers = edited(rivers, [&](MeanderState& state) {
        add_channel(state,
                    {.points = {{.x = 0.0, .y = 30000.0}, {.x = 9000.0, .y = 30000.0}}, .width = 20.0});
    });
    expect_sound(rivers, 148.0);
}

TEST(MeanderEdits, remove_a_channel_with_its_water_and_what_runs_dry_below) {
    const MeanderSimulation rivers = one_river();
    std::int64_t added = 0;
    MeanderSimulation more = edited(rivers, [&](MeanderState& state) {
        added = add_channel(state, {.points = {{.x = 8000.0, .y = 4000.0}, {.x = 9000.0, .y = 100.0}},
                                    .width = 30.0,
                                    .discharge = 44.0});
    });
    const MeanderSimulation less = edited(more, [&](MeanderState& state) { remove_channel(state, added); });
    ASSERT_EQ(less.state().channels.size(), 1U);
    EXPECT_EQ(less.state().channels.front().reach, 1);
    expect_sound(less, 100.0);
    EXPECT_NEAR(less.network().reaches.front().width, 60.0, 1e-2);
    // The river above: what is left below is the tributary's.
    const MeanderSimulation tributary = edited(more, [&](MeanderState& state) { remove_channel(state, 1); });
    ASSERT_EQ(tributary.state().channels.size(), 1U);
    expect_sound(tributary, 44.0);
    EXPECT_NEAR(channel_of(tributary, added).line.x.back(), 20000.0, 1e-6);
    // Two in a row: the lower one has no other water.
    std::int64_t alone = 0;
    const MeanderSimulation dry = edited(more, [&](MeanderState& state) {
        alone = add_channel(
            state, {.points = {{.x = 0.0, .y = 30000.0}, {.x = 9000.0, .y = 30000.0}}, .width = 20.0});
        split_channel(state, alone, {.x = 4000.0, .y = 30000.0});
        remove_channel(state, alone);
    });
    EXPECT_EQ(dry.state().channels.size(), 3U);
    expect_sound(dry, 144.0);
}

TEST(MeanderEdits, redraw_a_channel_between_its_nodes) {
    const std::vector<Position> line = {{.x = 5000.0, .y = 3000.0}, {.x = 15000.0, .y = -3000.0}};
    const MeanderSimulation rivers =
        edited(one_river(), [&](MeanderState& state) { redraw_channel(state, 1, line); });
    expect_sound(rivers, 100.0);
    const ChannelLine& drawn = channel_of(rivers, 1).line;
    EXPECT_EQ(drawn.x.front(), 0.0);
    EXPECT_EQ(drawn.x.back(), 20000.0);
    for (const Position& place : line) {
        double nearest = 1e9;
        for (std::size_t i = 0; i < drawn.size(); ++i)
            nearest = std::min(nearest, std::hypot(drawn.x[i] - place.x, drawn.y[i] - place.y));
        EXPECT_LT(nearest, 30.0);
    }
}

TEST(MeanderEdits, let_a_channel_that_is_drawn_across_another_flow_into_it) {
    RiverNetwork network = one_channel(20000.0, 60.0);
    MeanderSimulation rivers(network, {}, std::nullopt, 1);
    rivers = edited(rivers, [&](MeanderState& state) {
        add_channel(state, {.points = {{.x = 9000.0, .y = 5000.0}, {.x = 10000.0, .y = -5000.0}},
                            .width = 30.0,
                            .discharge = 20.0});
    });
    expect_sound(rivers, 120.0);
    EXPECT_EQ(rivers.state().channels.size(), 3U);
    EXPECT_EQ(rivers.report().captures, 1);
}

TEST(MeanderEdits, let_a_channel_have_a_width_and_a_rate_of_its_own) {
    const auto wandered = [](double factor) {
        MeanderSimulation rivers =
            edited(one_river(), [&](MeanderState& state) { adjust_channel(state, 1, 90.0, factor); });
        EXPECT_NEAR(rivers.state().channels.front().width, 90.0, 0.1);
        EXPECT_NEAR(rivers.network().reaches.front().depth, depth_of_width(90.0), 1e-3);
        wander(rivers, 120);
        return rivers.report().sinuosity;
    };
    EXPECT_EQ(wandered(0.0), wandered(0.0));
    EXPECT_LT(wandered(0.0), 1.001);
    EXPECT_GT(wandered(1.0), 1.001);
    EXPECT_GT(wandered(2.0), wandered(1.0));
}

TEST(MeanderEdits, cut_a_bend_off_between_two_places_and_keep_it) {
    MeanderSimulation rivers = one_river();
    wander(rivers, 180);
    const auto before = rivers.history().courses.size();
    const ChannelLine line = channel_of(rivers, 1).line;
    const std::size_t first = line.size() / 2;
    const std::size_t last = first + 30;
    rivers = edited(rivers, [&](MeanderState& state) {
        cut_off_channel(state, 1, {.x = line.x[last], .y = line.y[last]},
                        {.x = line.x[first], .y = line.y[first]});
    });
    expect_sound(rivers, 100.0);
    ASSERT_GE(rivers.history().courses.size(), before + 1);
    const AbandonedCourse& course = rivers.history().courses[before];
    EXPECT_EQ(course.line.x.front(), line.x[first]);
    EXPECT_EQ(course.line.x.back(), line.x[last]);
    EXPECT_EQ(rivers.report().cutoffs, static_cast<std::int64_t>(rivers.history().events.size()));
}

/// Two rivers that run east, 4 km apart, the southern one 1 m lower.
MeanderSimulation two_rivers() {
    ChannelLine north = sine_line(20000.0, 100.0, 20000.0, 0.0, 60.0);
    ChannelLine south = north;
    for (std::size_t i = 0; i < north.size(); ++i) {
        north.y[i] += 4000.0;
        south.z[i] -= 1.0;
    }
    return {
        network_of({reach_along(1, 1, 2, -1, north), reach_along(2, 3, 4, -1, south)}), {}, std::nullopt, 3};
}

TEST(MeanderEdits, let_a_bank_burst_and_lead_the_river_into_another_one) {
    MeanderSimulation rivers = two_rivers();
    wander(rivers, 100);
    const std::size_t courses = rivers.history().courses.size();
    rivers = edited(rivers, [](MeanderState& state) {
        avulse_channel(state, 1, {.x = 8000.0, .y = 4000.0}, {.x = 11000.0, .y = 0.0});
    });
    expect_sound(rivers, 200.0);
    ASSERT_EQ(rivers.state().channels.size(), 3U);
    const ChannelLine& turned = channel_of(rivers, 1).line;
    EXPECT_LT(std::hypot(turned.x.back() - 11000.0, turned.y.back()), 300.0);
    ASSERT_EQ(rivers.history().courses.size(), courses + 1);
    EXPECT_EQ(rivers.history().courses.back().cause, MeanderEventKind::Avulsion);
    EXPECT_EQ(rivers.history().courses.back().line.x.back(), 20000.0);
    wander(rivers, 200);
    expect_sound(rivers, 200.0);
}

TEST(MeanderEdits, let_a_bank_burst_wherever_there_is_free_ground) {
    MeanderSimulation rivers = two_rivers();
    wander(rivers, 100);
    for (double x = 3000.0; x < 14000.0; x += 1100.0) {
        EXPECT_NO_THROW(edited(rivers, [&](MeanderState& state) {
            avulse_channel(state, 1, {.x = x, .y = 4000.0}, {.x = x + 3000.0, .y = 0.0});
        })) << x;
    }
}

TEST(MeanderEdits, let_a_bank_burst_and_lead_the_river_back_to_itself_or_to_an_outlet) {
    MeanderSimulation rivers = two_rivers();
    wander(rivers, 300);
    const ChannelLine before = channel_of(rivers, 1).line;
    const auto place = [&](std::size_t i) { return Position{.x = before.x[i], .y = before.y[i]}; };
    const MeanderSimulation back = edited(rivers, [&](MeanderState& state) {
        avulse_channel(state, 1, place(before.size() / 4), place(before.size() / 2));
    });
    expect_sound(back, 200.0);
    EXPECT_EQ(back.state().channels.size(), 2U);
    EXPECT_EQ(channel_of(back, 1).line.x.back(), 20000.0);
    EXPECT_EQ(back.history().courses.back().cause, MeanderEventKind::Avulsion);
    EXPECT_LT(length_of(channel_of(back, 1).line), length_of(before) - 500.0);
    MeanderSimulation out = edited(rivers, [](MeanderState& state) {
        avulse_channel(state, 1, {.x = 6000.0, .y = 4000.0}, {.x = 12000.0, .y = 9000.0});
    });
    expect_sound(out, 200.0);
    EXPECT_EQ(out.state().channels.size(), 2U);
    EXPECT_EQ(channel_of(out, 1).line.x.back(), 12000.0);
    EXPECT_EQ(channel_of(out, 1).line.y.back(), 9000.0);
    wander(out, 200);
    expect_sound(out, 200.0);
}

TEST(MeanderEdits, refuse_new_courses_that_would_run_uphill_or_come_round) {
    const MeanderSimulation rivers = two_rivers();
    const auto refused = [&](Position place, Position target, std::int64_t reach) {
        return refusal_of([&] {
            (void)edited(rivers, [&](MeanderState& state) { avulse_channel(state, reach, place, target); });
        });
    };
    EXPECT_THAT(refused({.x = 0.0, .y = 4000.0}, {.x = 9000.0, .y = 0.0}, 1), HasSubstr("its end"));
    EXPECT_THAT(refused({.x = 9000.0, .y = 4000.0}, {.x = 5000.0, .y = 4000.0}, 1),
                HasSubstr("comes from there"));
    EXPECT_THAT(refused({.x = 9000.0, .y = 0.0}, {.x = 9000.0, .y = 4000.0}, 2),
                HasSubstr("no way that leads downhill"));
    EXPECT_THAT(refused({.x = 9000.0, .y = 4000.0}, {.x = NAN, .y = 0.0}, 1), HasSubstr("is not allowed"));
}

TEST(MeanderEdits, let_hills_that_rise_around_a_channel_hold_it) {
    Field<float> flat(make_grid(24000.0, 24000.0, 240));
    RiverNetwork network = one_channel(20000.0, 60.0);
    for (RiverPoint& point : network.reaches[0].points) {
        point.x += 2000.0;
        point.y += 12000.0;
        point.z = -depth_of_width(60.0);
    }
    network.nodes = nodes_at_ends(network.reaches);
    const auto sinuosity = [&](const Field<float>& after) {
        MeanderSimulation rivers(network, {}, flat, 3);
        wander(rivers, 40);
        rivers = edited(rivers, [&](MeanderState& state) { change_ground(state, after); });
        wander(rivers, 260);
        return rivers.report().sinuosity;
    };
    Field<float> slope = flat;
    for (std::int64_t cell = 0; cell < slope.size(); ++cell)
        slope[cell] = static_cast<float>(0.3 * slope.grid().x(slope.grid().column_of(cell)));
    EXPECT_LT(sinuosity(slope), 1.02);
    EXPECT_GT(sinuosity(flat), 1.5);
}

TEST(MeanderEdits, are_refused_with_one_sentence) {
    const MeanderSimulation rivers = one_river();
    const auto refused = [&](const Edit& edit) { return refusal_of([&] { (void)edited(rivers, edit); }); };
    const Position middle{.x = 10000.0, .y = 0.0};
    EXPECT_THAT(refused([&](MeanderState& s) { split_channel(s, 7, middle); }), HasSubstr("reach = 7"));
    EXPECT_THAT(refused([&](MeanderState& s) { split_channel(s, 1, {}); }), HasSubstr("from its ends"));
    EXPECT_THAT(refused([&](MeanderState& s) { move_point(s, 1, {}, middle, 100.0); }), HasSubstr("its end"));
    EXPECT_THAT(refused([&](MeanderState& s) { move_point(s, 1, middle, {.x = NAN}, 100.0); }),
                HasSubstr("is not allowed"));
    EXPECT_THAT(refused([&](MeanderState& s) { remove_channel(s, 1); }), HasSubstr("the last one"));
    EXPECT_THAT(refused([&](MeanderState& s) { add_channel(s, {.points = {middle}, .width = 3.0}); }),
                HasSubstr("two or more"));
    EXPECT_THAT(refused([&](MeanderState& s) {
                    add_channel(s, {.points = {{.x = 0.0, .y = 999.0}, middle}, .width = 0.0});
                }),
                HasSubstr("width = 0"));
    EXPECT_THAT(refused([&](MeanderState& s) { redraw_channel(s, 1, {}); }), HasSubstr("one or more"));
    EXPECT_THAT(refused([&](MeanderState& s) { adjust_channel(s, 1, -5.0, 1.0); }), HasSubstr("width = -5"));
    EXPECT_THAT(refused([&](MeanderState& s) { adjust_channel(s, 1, 0.0, 11.0); }),
                HasSubstr("rate_factor = 11"));
    EXPECT_THAT(refused([&](MeanderState& s) { cut_off_channel(s, 1, middle, middle); }),
                HasSubstr("between them"));
    EXPECT_THAT(refused([&](MeanderState& s) { change_parameters(s, {.controls = {{.points = {1.0}}}}); }),
                HasSubstr("pairs x, y"));
}

}  // namespace
}  // namespace thalweg
