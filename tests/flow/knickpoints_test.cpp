#include "thalweg/flow/knickpoints.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "tests/flow/built_terrain.hpp"
#include "tests/flow/streams.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
QuietProgress progress;

/// The entry of the trunk so many cells above the outlet of the largest basin.
std::int32_t trunk_entry(const StreamTree& streams, int cells) {
    std::int32_t entry = 0;
    for (std::int32_t other = 0; other < streams.size(); other = streams.upstream_end[at(other)])
        if (streams.area[at(other)] > streams.area[at(entry)]) entry = other;
    for (int i = 0; i < cells; ++i) entry = streams.main_donor[at(entry)];
    return entry;
}

bool is_upstream(const FlowTree& tree, std::int32_t cell, std::int32_t of) {
    while (cell >= 0 && cell != of) cell = tree.receiver(cell);
    return cell == of;
}

TEST(Knickpoints, are_nowhere_on_a_steady_terrain) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    const StreamTree streams = tests::streams_of(tests::steady_terrain(tree, 60.0, 0.45), tree, 2000.0);
    EXPECT_TRUE(find_knickpoints(streams, {.tolerance = 0.1}, 500.0, progress).empty());
}

TEST(Knickpoints, find_a_step_of_known_place_and_height_between_channels_of_known_steepness) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    Field<float> z = tests::steady_terrain(tree, 60.0, 0.45);
    const std::int32_t lip = trunk_entry(tests::streams_of(z, tree, 2000.0), 40);
    const std::int32_t cell = tests::streams_of(z, tree, 2000.0).cell[at(lip)];
    for (std::int32_t other = 0; other < z.size(); ++other)
        if (is_upstream(tree, other, cell)) z[other] += 75.0F;
    const std::vector<Knickpoint> found =
        find_knickpoints(tests::streams_of(z, tree, 2000.0), {.tolerance = 10.0}, 300.0, progress);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].entry, lip);
    EXPECT_NEAR(found[0].height, 75.0, 0.05);
    EXPECT_GT(found[0].offset, 40.0);
    EXPECT_LE(found[0].offset, 75.0);
    EXPECT_NEAR(found[0].steepness_above, 60.0, 0.3);
    EXPECT_NEAR(found[0].steepness_below, 60.0, 0.3);
}

TEST(Knickpoints, find_where_an_old_gentler_river_ends_above_a_steeper_one) {
    const FlowTree tree = tests::noise_tree(150, 120, 2);
    const Field<double> area = drainage_area(tree);
    const StreamTree steady = tests::streams_of(tests::steady_terrain(tree, 60.0, 0.45), tree, 2000.0);
    const std::int32_t lip = trunk_entry(steady, 40);
    const Field<float> z = tests::built_up(tree, [&](std::int32_t cell, std::int32_t receiver, double way) {
        const double steepness = is_upstream(tree, receiver, steady.cell[at(lip)]) ? 25.0 : 100.0;
        return 0.5 * way * steepness * (std::pow(area[cell], -0.45) + std::pow(area[receiver], -0.45));
    });
    const std::vector<Knickpoint> found =
        find_knickpoints(tests::streams_of(z, tree, 2000.0), {.tolerance = 5.0}, 150.0, progress);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].entry, lip);
    EXPECT_NEAR(found[0].height, 0.0, 0.1);
    EXPECT_NEAR(found[0].steepness_above, 25.0, 0.2);
    EXPECT_NEAR(found[0].steepness_below, 100.0, 0.5);
}

/// The envelope by its definition: from the outlets up, piece by piece, over all entries each time.
std::vector<double> slow_envelope(const StreamTree& streams, const std::vector<std::uint8_t>& is_knickpoint) {
    std::vector<double> level(at(streams.size()), kInf);
    const auto is_above = [&](std::int32_t entry, std::int32_t base) {  // with no knickpoint between
        for (entry = streams.below[at(entry)]; entry >= 0; entry = streams.below[at(entry)]) {
            if (entry == base) return true;
            if (is_knickpoint[at(entry)] != 0) return false;
        }
        return false;
    };
    const auto branch_of = [&](std::int32_t entry, std::int32_t base) {
        while (streams.below[at(entry)] != base) entry = streams.below[at(entry)];
        return entry;
    };
    const std::function<void(std::int32_t, std::int32_t)> lay = [&](std::int32_t base, std::int32_t branch) {
        double least = kInf;
        std::int32_t end = -1;
        for (std::int32_t entry = 0; entry < streams.size(); ++entry) {
            if (!is_above(entry, base) || branch_of(entry, base) != branch) continue;
            const double slope = (streams.elevation[at(entry)] - level[at(base)]) /
                                 (streams.distance[at(entry)] - streams.distance[at(base)]);
            if (slope <= least) {
                least = slope;
                end = entry;
            }
        }
        level[at(end)] = streams.elevation[at(end)];
        for (std::int32_t on = streams.below[at(end)]; on != base; on = streams.below[at(on)])
            level[at(on)] = level[at(base)] + least * (streams.distance[at(on)] - streams.distance[at(base)]);
        for (std::int32_t on = end; on != base; on = streams.below[at(on)])
            for (std::int32_t donor = 0; donor < streams.size(); ++donor)
                if (streams.below[at(donor)] == on && level[at(donor)] == kInf) lay(on, donor);
    };
    for (std::int32_t entry = 0; entry < streams.size(); ++entry) {
        if (streams.below[at(entry)] >= 0) continue;
        level[at(entry)] = streams.elevation[at(entry)];
        for (std::int32_t donor = 0; donor < streams.size(); ++donor)
            if (streams.below[at(donor)] == entry) lay(entry, donor);
    }
    return level;
}

TEST(Knickpoints, have_the_envelope_of_a_slow_oracle) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const FlowResult flow = route(tests::white_terrain(26, 22, seed), {}, progress);
        const StreamTree streams = tests::streams_of(flow.elevation, flow.tree, 200.0);
        std::vector<std::uint8_t> is_knickpoint(at(streams.size()), 0);
        for (const int every : {1000, 7, 2}) {
            for (std::int32_t i = 0; i < streams.size(); ++i) is_knickpoint[at(i)] = i % every == 5 ? 1 : 0;
            const ConcaveEnvelope found = concave_envelope(streams, is_knickpoint, progress);
            const std::vector<double> slow = slow_envelope(streams, is_knickpoint);
            for (std::int32_t i = 0; i < streams.size(); ++i) {
                ASSERT_NEAR(found.elevation[at(i)], slow[at(i)], 1e-9);
                ASSERT_LE(found.elevation[at(i)], streams.elevation[at(i)] + 1e-9);
                if (is_knickpoint[at(i)] != 0) {
                    ASSERT_EQ(found.elevation[at(i)], streams.elevation[at(i)]);
                }
            }
        }
    }
}

TEST(Knickpoints, leave_no_cell_further_above_the_envelope_than_the_tolerance) {
    for (const double tolerance : {0.5, 2.0, 30.0}) {
        const FlowResult flow = route(tests::white_terrain(80, 70, 9), {}, progress);
        const StreamTree streams = tests::streams_of(flow.elevation, flow.tree, 500.0);
        const std::vector<Knickpoint> found =
            find_knickpoints(streams, {.tolerance = tolerance}, 200.0, progress);
        std::vector<std::uint8_t> is_knickpoint(at(streams.size()), 0);
        for (const Knickpoint& knickpoint : found) {
            EXPECT_GE(knickpoint.offset, tolerance);
            EXPECT_EQ(is_knickpoint[at(knickpoint.entry)], 0);
            is_knickpoint[at(knickpoint.entry)] = 1;
        }
        EXPECT_TRUE(std::ranges::is_sorted(found, {}, &Knickpoint::entry));
        const ConcaveEnvelope envelope = concave_envelope(streams, is_knickpoint, progress);
        for (std::int32_t i = 0; i < streams.size(); ++i)
            EXPECT_LT(streams.elevation[at(i)] - envelope.elevation[at(i)], tolerance);
        EXPECT_EQ(found.empty(), tolerance > 20.0);
    }
}

TEST(Knickpoints, are_none_where_there_are_no_rivers_or_single_cells) {
    const FlowTree tree = tests::noise_tree(30, 20, 2);
    const Field<float> z = tests::steady_terrain(tree, 60.0, 0.45);
    EXPECT_TRUE(find_knickpoints(tests::streams_of(z, tree, 1e12), {}, 500.0, progress).empty());
    for (const Field<float>& ground : tests::difficult_terrains()) {
        const FlowResult flow = route(ground, {}, progress);
        for (const Knickpoint& knickpoint : find_knickpoints(
                 tests::streams_of(flow.elevation, flow.tree, 0.0), {.tolerance = 1.0}, 50.0, progress))
            EXPECT_GE(knickpoint.offset, 1.0);
    }
}

}  // namespace
}  // namespace thalweg
