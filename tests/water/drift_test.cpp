#include "thalweg/water/drift.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/refusal.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A straight stream 30 m long and 4 m wide.
DriftWater stream() {
    DriftWater water{.extent = {0.0, -2.0, 30.0, 2.0}};
    water.velocity = [](Position) { return WaterVelocity{1.0, 0.0}; };
    water.distance_to_bank = [](Position p) { return 2.0 - std::abs(p.y); };
    return water;
}

/// The same with two rocks that the velocity runs straight into, and banks that it runs out over.
DriftWater rocky_stream() {
    DriftWater water = stream();
    water.velocity = [](Position p) {
        return WaterVelocity{1.2 + 0.3 * std::sin(p.x), 0.8 * std::sin(0.7 * p.x)};
    };
    water.distance_to_bank = [](Position p) {
        const double first = std::hypot(p.x - 8.0, p.y) - 0.7;
        const double second = std::hypot(p.x - 15.0, p.y - 0.8) - 0.4;
        return std::min({2.0 - std::abs(p.y), first, second});
    };
    return water;
}

const std::vector<DriftInflow> kAcross = {{{0.0, -1.9}, {0.0, 1.9}, 4.0}};

TEST(Drift, carries_a_thing_by_velocity_times_time) {
    QuietProgress progress;
    const Drift drift(stream(), kAcross, {.loop_period = 20.0}, 1, progress);
    EXPECT_EQ(drift.entries(), 80);
    const std::vector<Drifter> drifters = drift.at(5.0);
    // Each is on its way for 30 s, which is one and a half loops.
    EXPECT_NEAR(static_cast<double>(drifters.size()), 120.0, 4.0);
    for (const Drifter& drifter : drifters) {
        EXPECT_NEAR(drifter.position.x, drifter.age, 1e-9);
        EXPECT_NEAR(drifter.velocity.x, 1.0, 1e-9);
        EXPECT_NEAR(drifter.position.y, drift.way(drifter.entry)[0].position.y, 1e-12);
    }
}

TEST(Drift, comes_round_a_whirl_with_an_error_that_falls_with_the_square_of_the_step) {
    DriftWater whirl{.extent = {-10.0, -10.0, 10.0, 10.0}};
    whirl.velocity = [](Position p) { return WaterVelocity{-p.y, p.x}; };
    whirl.distance_to_bank = [](Position) { return 10.0; };
    const std::vector<DriftInflow> inflow = {{{3.0, 0.0}, {3.0, 0.0}, 0.05}};
    const auto error = [&](double step) {
        QuietProgress progress;
        const Drift drift(whirl, inflow, {.loop_period = 20.0, .time_step = step, .longest_age = 4.0}, 1,
                          progress);
        const Drift::WayPoint last = drift.way(0).back();
        return std::hypot(last.position.x - 3.0 * std::cos(4.0), last.position.y - 3.0 * std::sin(4.0));
    };
    EXPECT_LT(error(0.05), 0.01);
    EXPECT_NEAR(error(0.1) / error(0.05), 4.0, 0.3);
}

TEST(Drift, never_leaves_the_water) {
    QuietProgress progress;
    const DriftWater water = rocky_stream();
    const Drift drift(water, kAcross, {.loop_period = 20.0, .longest_age = 60.0}, 1, progress);
    int left = 0;
    for (std::int64_t entry = 0; entry < drift.entries(); ++entry) {
        const std::span<const Drift::WayPoint> way = drift.way(entry);
        for (std::size_t i = 1; i < way.size(); ++i)
            for (int part = 0; part <= 4; ++part) {
                const double t = 0.25 * part;
                const Position p{way[i - 1].position.x + t * (way[i].position.x - way[i - 1].position.x),
                                 way[i - 1].position.y + t * (way[i].position.y - way[i - 1].position.y)};
                ASSERT_GE(water.distance_to_bank(p), 0.0) << entry << " at " << p.x << ", " << p.y;
            }
        left += way.back().position.x > 30.0 ? 1 : 0;
    }
    // Most slide along rocks and banks and get out at the end.
    EXPECT_GT(left, 70);
}

TEST(Drift, is_the_same_a_loop_later) {
    QuietProgress progress;
    const Drift drift(rocky_stream(), kAcross, {.loop_period = 8.0}, 1, progress);
    const std::vector<Drifter> now = drift.at(3.0);
    const std::vector<Drifter> later = drift.at(3.0 + 8.0 * 1000);
    ASSERT_THAT(later, SizeIs(now.size()));
    for (std::size_t i = 0; i < now.size(); ++i) {
        EXPECT_NEAR(now[i].position.x, later[i].position.x, 1e-9);
        EXPECT_NEAR(now[i].position.y, later[i].position.y, 1e-9);
    }
}

TEST(Drift, moves_without_jumps) {
    QuietProgress progress;
    const Drift drift(rocky_stream(), kAcross, {.loop_period = 8.0}, 1, progress);
    for (double time = 0.0; time < 8.0; time += 0.5)
        for (const Drifter& before : drift.at(time))
            for (const Drifter& after : drift.at(time + 0.01))
                if (after.entry == before.entry && std::abs(after.age - before.age - 0.01) < 1e-9) {
                    EXPECT_LT(std::hypot(after.position.x - before.position.x,
                                         after.position.y - before.position.y),
                              0.05);
                }
}

TEST(Drift, has_the_same_ways_on_any_number_of_threads) {
    const auto built = [](int threads) {
        const ExecutionScope scope({.threads = threads});
        QuietProgress progress;
        const Drift drift(rocky_stream(), kAcross, {.loop_period = 5.0}, 1, progress);
        std::vector<double> numbers;
        for (const Drifter& drifter : drift.at(2.0))
            numbers.insert(numbers.end(), {drifter.position.x, drifter.position.y, drifter.heading});
        return numbers;
    };
    EXPECT_EQ(built(1), built(2));
    EXPECT_EQ(built(1), built(8));
}

TEST(Drift, leaves_out_entries_on_dry_ground) {
    QuietProgress progress;
    const std::vector<DriftInflow> inflow = {{{0.0, 5.0}, {0.0, 6.0}, 1.0}};
    EXPECT_THAT(Drift(stream(), inflow, {}, 1, progress).at(1.0), IsEmpty());
}

TEST(Drift, fades_in_a_lifetime_of_its_own_and_is_gone_then) {
    QuietProgress progress;
    const std::vector<DriftInflow> inflows = {
        kAcross[0],
        {.begin = {0.0, -1.9}, .end = {0.0, 1.9}, .rate = 4.0, .kind = DriftKind::Foam, .lifetime = 10.0}};
    const Drift drift(stream(), inflows, {.loop_period = 20.0}, 1, progress);
    double least = 1.0;
    double oldest = 0.0;
    for (const Drifter& drifter : drift.at(5.0)) {
        if (drifter.kind == DriftKind::Leaf) {
            EXPECT_EQ(drifter.left, 1.0);
            continue;
        }
        const double lifetime = drift.way(drifter.entry).back().age;
        EXPECT_GE(lifetime, 5.0);
        EXPECT_LE(lifetime, 15.0);
        EXPECT_NEAR(drifter.left, 1.0 - drifter.age / lifetime, 1e-9);
        least = std::min(least, drifter.left);
        oldest = std::max(oldest, drifter.age);
    }
    EXPECT_LT(least, 0.1);
    EXPECT_GT(oldest, 10.0);
    // Leaves go as they do alone.
    const Drift alone(stream(), kAcross, {.loop_period = 20.0}, 1, progress);
    EXPECT_EQ(alone.at(5.0)[3].position.x, drift.at(5.0)[3].position.x);
    const std::vector<DriftInflow> endless = {{.begin = {}, .end = {}, .lifetime = -1.0}};
    EXPECT_THAT(refusal_of([&] { Drift(stream(), endless, {}, 1, progress); }),
                HasSubstr("a lifetime of -1 s"));
}

TEST(Drift, refuses_parameters_that_are_not_allowed) {
    QuietProgress progress;
    const auto refusal = [&](const DriftParameters& parameters, double rate) {
        const std::vector<DriftInflow> inflow = {{{0.0, 0.0}, {0.0, 1.0}, rate}};
        return refusal_of([&] { Drift(stream(), inflow, parameters, 1, progress); });
    };
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(refusal({.loop_period = 0.0}, 1.0), HasSubstr("loop_period = 0"));
    EXPECT_THAT(refusal({.time_step = -1.0}, 1.0), HasSubstr("time_step = -1"));
    EXPECT_THAT(refusal({.margin = 0.0}, 1.0), HasSubstr("margin = 0"));
    EXPECT_THAT(refusal({}, -1.0), HasSubstr("rate"));
    EXPECT_THAT(refusal({}, nan), HasSubstr("rate"));
    EXPECT_THAT(refusal({}, 1e9), HasSubstr("entries in a loop"));
    const Drift drift(stream(), kAcross, {.loop_period = 5.0}, 1, progress);
    EXPECT_THAT(refusal_of([&] { (void)drift.at(nan); }), HasSubstr("time = nan"));
}

}  // namespace
}  // namespace thalweg
