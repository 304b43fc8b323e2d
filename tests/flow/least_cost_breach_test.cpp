#include "thalweg/flow/least_cost_breach.hpp"

#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
QuietProgress progress;

Digging breach(Field<float>& z, const BreachLimits& limits = {}) {
    return breach_least_cost(z, eight_neighbours(z.grid()), edge_roots(z), limits, progress);
}

/// Whether water gets from every cell to a root without climbing.
bool drains(const Field<float>& z) {
    const Field<std::uint8_t> roots = edge_roots(z);
    std::vector<std::uint8_t> is_drained(at(z.size()), 0);
    std::vector<std::int64_t> found;
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (roots[cell] != 0 && !is_no_data(z[cell])) {
            is_drained[at(cell)] = 1;
            found.push_back(cell);
        }
    for (std::size_t next = 0; next < found.size(); ++next)
        tests::for_each_neighbour(z.grid(), found[next], [&](std::int64_t other) {
            if (is_no_data(z[other]) || is_drained[at(other)] != 0 || z[other] < z[found[next]]) return;
            is_drained[at(other)] = 1;
            found.push_back(other);
        });
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (!is_no_data(z[cell]) && is_drained[at(cell)] == 0) return false;
    return true;
}

TEST(LeastCostBreach, drains_a_pit_of_one_cell_through_one_cell_by_the_middle) {
    Field<float> z = tests::terrain_of(7, 5, {9, 9, 9, 9, 9, 9, 9,  //
                                              9, 9, 9, 9, 9, 9, 9,  //
                                              9, 9, 4, 7, 2, 1, 0,  //
                                              9, 9, 9, 9, 9, 9, 9,  //
                                              9, 9, 9, 9, 9, 9, 9});
    const Digging digging = breach(z);
    EXPECT_EQ(digging.lowered_cells, 1);
    EXPECT_EQ(digging.volume, 4.0);
    EXPECT_EQ(z(3, 2), 3.0F);
}

TEST(LeastCostBreach, takes_the_long_way_through_low_ground_and_not_the_short_one_through_the_wall) {
    // The pit at (2, 3) is three steps of 30 m height from the west, or six of 1 m from the east.
    Field<float> z(Grid{.columns = 12, .rows = 7, .cell_size = 1.0}, 50.0F);
    z(2, 3) = 10.0F;
    for (int column = 3; column < 10; ++column) z(column, 3) = 11.0F;
    z(10, 3) = 5.0F;
    z(11, 3) = 0.0F;
    const Digging digging = breach(z);
    EXPECT_EQ(digging.lowered_cells, 7);
    EXPECT_TRUE(drains(z));
    for (int column = 2; column < 10; ++column) EXPECT_EQ(z(column, 3), 10.0F) << column;
    EXPECT_EQ(z(1, 3), 50.0F);
}

TEST(LeastCostBreach, drains_every_terrain_and_raises_nothing) {
    for (const Field<float>& before : tests::difficult_terrains()) {
        Field<float> z = before;
        const Digging digging = breach(z);
        EXPECT_TRUE(drains(z));
        double volume = 0.0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            ASSERT_FALSE(z[cell] > before[cell]);
            ASSERT_EQ(is_no_data(z[cell]), is_no_data(before[cell]));
            if (!is_no_data(z[cell]))
                volume += 100.0 * (static_cast<double>(before[cell]) - static_cast<double>(z[cell]));
        }
        EXPECT_NEAR(digging.volume, volume, 1e-6 * volume);
    }
}

/// The least cost of a way from one pit, by relaxing all cells until nothing changes.
double slow_cost(const Field<float>& z, std::int64_t pit) {
    const Field<std::uint8_t> roots = edge_roots(z);
    std::vector<double> cost(at(z.size()), kInf);
    cost[at(pit)] = 0.0;
    for (bool changes = true; changes;) {
        changes = false;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const bool is_end = cell != pit && (roots[cell] != 0 || z[cell] < z[pit]);
            if (cost[at(cell)] == kInf || is_end) continue;
            tests::for_each_neighbour(z.grid(), cell, [&](std::int64_t next) {
                const bool is_diagonal = z.grid().column_of(cell) != z.grid().column_of(next) &&
                                         z.grid().row_of(cell) != z.grid().row_of(next);
                const double way = z.grid().cell_size * (is_diagonal ? std::sqrt(2.0) : 1.0);
                const double its = cost[at(cell)] + way * std::max(0.0, static_cast<double>(z[next]) -
                                                                            static_cast<double>(z[pit]));
                if (its < cost[at(next)] - 1e-9) {
                    cost[at(next)] = its;
                    changes = true;
                }
            });
        }
    }
    double least = kInf;
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (cell != pit && (roots[cell] != 0 || z[cell] < z[pit])) least = std::min(least, cost[at(cell)]);
    return least;
}

TEST(LeastCostBreach, digs_no_more_than_the_way_of_least_cost_of_a_slow_oracle) {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        // One pit on a rough hill, deeper than its foot.
        Field<float> z = tests::white_terrain(17, 15, seed);
        for (int row = 0; row < 15; ++row)
            for (int column = 0; column < 17; ++column)
                z(column, row) -=
                    40.0F * static_cast<float>(std::max(std::abs(column - 8), std::abs(row - 7)));
        z = fill_depressions(z, edge_roots(z), FilledSurface::Draining, progress).elevation;
        z(8, 7) = -2000.0F;
        const std::int64_t pit = z.grid().index(8, 7);
        const double least = slow_cost(z, pit);
        Field<float> cut = z;
        (void)breach(cut);
        // The cells that were cut down to the pit or below, and the steps to them, cost no more.
        double height = 0.0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            if (cut[cell] <= -2000.0F && cell != pit) height += static_cast<double>(z[cell]) + 2000.0;
        EXPECT_GT(height, 0.0);
        EXPECT_LE(height * 10.0, least * (1.0 + 1e-6));
        EXPECT_GE(height * 10.0 * std::sqrt(2.0), least * (1.0 - 1e-6));
    }
}

TEST(LeastCostBreach, leaves_pits_whose_ways_are_beyond_the_limits_to_be_filled) {
    Field<float> z(Grid{.columns = 12, .rows = 7, .cell_size = 1.0}, 50.0F);
    z(2, 3) = 10.0F;
    for (int column = 3; column < 10; ++column) z(column, 3) = 11.0F;
    z(10, 3) = 5.0F;
    z(11, 3) = 0.0F;
    for (const BreachLimits& limits : {BreachLimits{.depth = 0.5}, BreachLimits{.length = 7.5}}) {
        Field<float> cut = z;
        const Digging digging = breach(cut, limits);
        // A short way leads over the wall in the west where only length is held.
        if (limits.depth < 1.0) {
            EXPECT_EQ(digging.lowered_cells, 0);
            EXPECT_EQ(cut.values(), z.values());
        } else {
            EXPECT_GT(digging.lowered_cells, 0);
            EXPECT_LT(cut(1, 3), 11.0F);
        }
    }
    const FlowResult flow =
        route(z, {.conditioning = {.depressions = Depressions::LeastCost, .breach_depth = 0.5}}, progress);
    EXPECT_EQ(flow.removed_volume, 0.0);
    EXPECT_GT(flow.added_volume, 0.0);
}

TEST(LeastCostBreach, in_routing_leads_all_water_out_without_climbing) {
    for (const Field<float>& z : tests::difficult_terrains()) {
        const FlowResult flow = route(z, {.conditioning = {.depressions = Depressions::LeastCost}}, progress);
        double leaving = 0.0, falling = 0.0;
        for (std::int32_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) continue;
            falling += 100.0;
            const std::int32_t receiver = flow.tree.receiver(cell);
            if (receiver < 0) {
                leaving += flow.drainage_area[cell];
            } else {
                ASSERT_LE(flow.elevation[receiver], flow.elevation[cell]);
            }
        }
        EXPECT_NEAR(leaving, falling, 1e-9 * falling);
    }
}

}  // namespace
}  // namespace thalweg
