#include "thalweg/flow/conditioning.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/basins.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/spill_tree.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ranges>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::difficult_terrains;
using tests::for_each_neighbour;
using tests::terrain_of;
using tests::white_terrain;

QuietProgress progress;

Conditioned conditioned(const Field<float>& z, const ConditioningParameters& parameters) {
    return condition(z, eight_neighbours(z.grid()), {edge_roots(z)}, parameters, progress);
}

/// With that much water, m, of every cell in lakes.
Conditioned with_lakes(const Field<float>& z, double runoff) {
    return condition(z, eight_neighbours(z.grid()),
                     {.roots = edge_roots(z), .sources = {}, .water = {.runoff = runoff}},
                     {.depressions = Depressions::Lakes}, progress);
}

FlowTree tree_of(const Conditioned& result) {
    FlowTree tree;
    tree.grid = result.elevation.grid();
    tree.direction = result.direction;
    order_tree(tree, progress);
    return tree;
}

void expect_drained_without_rising(const Field<float>& z, const Conditioned& result) {
    const FlowTree tree = tree_of(result);
    std::int64_t drained = 0, inside = 0;
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        inside += is_no_data(z[cell]) ? 0 : 1;
        ASSERT_NE(tree.direction[at(cell)], kPit);
        const std::int32_t receiver = tree.receiver(cell);
        if (tree.direction[at(cell)] == kRoot) drained += tree.upstream_cells[at(cell)];
        if (receiver < 0) continue;
        ASSERT_LE(result.elevation[receiver], result.elevation[cell]);
    }
    EXPECT_EQ(drained, inside);
}

TEST(Conditioning, lets_every_cell_drain_without_rising) {
    for (const Field<float>& z : difficult_terrains()) {
        for (const ConditioningParameters& parameters :
             {ConditioningParameters{.depressions = Depressions::Breach},
              ConditioningParameters{.depressions = Depressions::Breach, .breach_depth = 0.3},
              ConditioningParameters{.depressions = Depressions::Breach, .breach_length = 30.0},
              ConditioningParameters{.depressions = Depressions::Fill},
              ConditioningParameters{.depressions = Depressions::Fill, .fill_gradient = true},
              ConditioningParameters{.depressions = Depressions::None},
              ConditioningParameters{.depressions = Depressions::Lakes}})
            expect_drained_without_rising(z, conditioned(z, parameters));
        for (const double runoff : {0.0, 3.0}) expect_drained_without_rising(z, with_lakes(z, runoff));
    }
}

TEST(Conditioning, with_full_lakes_drains_as_filled_ground_does) {
    for (const Field<float>& z : difficult_terrains()) {
        const Conditioned lakes = conditioned(z, {.depressions = Depressions::Lakes});
        const Conditioned filled = conditioned(z, {.depressions = Depressions::Fill});
        EXPECT_EQ(lakes.direction, filled.direction);
        EXPECT_EQ(lakes.changed_cells, filled.changed_cells);
        EXPECT_EQ(lakes.added_volume, filled.added_volume);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            ASSERT_TRUE(is_no_data(z[cell]) || lakes.elevation[cell] == filled.elevation[cell]);
    }
}

TEST(Conditioning, ends_water_in_lakes_that_are_not_full) {
    for (const Field<float>& z : difficult_terrains()) {
        const Conditioned result = with_lakes(z, 5.0);
        const Field<std::uint8_t> outlets = edge_roots(z);
        std::vector<std::uint8_t> is_end(at(z.size()), 0);
        for (const Lake& lake : result.lakes->lakes)
            if (lake.outlet < 0) is_end[at(lake.pit)] = 1;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const bool ends = result.direction[at(cell)] == kRoot && outlets[cell] == 0;
            ASSERT_TRUE(result.lakes->lake[cell] == 0 || ends == (is_end[at(cell)] != 0));
        }
    }
}

TEST(Conditioning, with_dry_lakes_drains_as_with_none) {
    const Field<float> z = white_terrain(60, 50, 3, 20);
    const Conditioned dry = with_lakes(z, 0.0);
    const Conditioned none = conditioned(z, {.depressions = Depressions::None});
    EXPECT_EQ(dry.direction, none.direction);
    EXPECT_EQ(dry.elevation, z);
    EXPECT_TRUE(dry.lakes->lakes.empty());
}

TEST(Conditioning, fills_to_the_least_surface_that_drains) {
    for (const Field<float>& z : difficult_terrains()) {
        const Conditioned result = conditioned(z, {.depressions = Depressions::Fill});
        const Filled slow = fill_depressions(z, edge_roots(z), FilledSurface::Level, progress);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) continue;
            ASSERT_EQ(result.elevation[cell], slow.elevation[cell]);
        }
        EXPECT_EQ(result.changed_cells, slow.raised_cells);
        EXPECT_NEAR(result.added_volume, slow.volume, 1e-9 * slow.volume);
    }
}

TEST(Conditioning, leaves_what_it_has_conditioned_as_it_is) {
    for (const Field<float>& z : difficult_terrains())
        for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
            const Conditioned once = conditioned(z, {.depressions = depressions});
            const Conditioned twice = conditioned(once.elevation, {.depressions = depressions});
            EXPECT_EQ(twice.changed_cells, 0);
            EXPECT_EQ(twice.pits, once.closed_components);
        }
}

/// The drainage of a terrain with all breach paths of its depressions turned, before they are carved.
FlowTree turned_tree(const Field<float>& z) {
    const Lattice lattice = eight_neighbours(z.grid());
    FlowTree tree;
    tree.grid = z.grid();
    tree.direction = steepest_directions(z, lattice, edge_roots(z));
    resolve_flats(z, lattice, tree.direction, progress);
    const Basins basins = find_basins(z.grid(), tree.direction, progress);
    turn_breach_paths(z.grid(), find_spills(z, lattice, basins, progress), basins, tree.direction);
    order_tree(tree, progress);
    return tree;
}

TEST(Conditioning, carves_every_cell_down_to_the_lowest_upstream) {
    for (const Field<float>& z : difficult_terrains()) {
        const Conditioned result = conditioned(z, {.depressions = Depressions::Breach});
        const FlowTree tree = turned_tree(z);
        Field<float> lowest_upstream = z;
        std::int64_t lowered = 0;
        double depth = 0.0;
        for (const std::int32_t cell : std::views::reverse(tree.order)) {
            ASSERT_EQ(result.elevation[cell], lowest_upstream[cell]);
            lowered += lowest_upstream[cell] < z[cell] ? 1 : 0;
            depth += static_cast<double>(z[cell]) - static_cast<double>(lowest_upstream[cell]);
            if (const std::int32_t receiver = tree.receiver(cell); receiver >= 0)
                lowest_upstream[receiver] = std::min(lowest_upstream[receiver], lowest_upstream[cell]);
        }
        EXPECT_EQ(result.changed_cells, lowered);
        EXPECT_NEAR(result.removed_volume, depth * z.grid().cell_area(), 1e-9 * result.removed_volume);
    }
}

// A pit of depth 3 behind a wall of 2 cells, and a shallow one beside the edge.
const Field<float> kTwoPits = terrain_of(7, 5, {9, 9, 9, 9, 9, 9, 9,  //
                                                9, 9, 9, 9, 9, 9, 9,  //
                                                9, 2, 5, 5, 3, 4, 0,  //
                                                9, 9, 9, 9, 9, 9, 9,  //
                                                9, 9, 9, 9, 9, 9, 9});

TEST(Conditioning, breaches_within_the_depth_and_fills_the_rest) {
    const Conditioned shallow = conditioned(kTwoPits, {.breach_depth = 1.5});
    EXPECT_EQ(shallow.elevation(5, 2), 3.0F);  // cut by 1
    EXPECT_EQ(shallow.elevation(1, 2), 5.0F);  // filled
    EXPECT_EQ(shallow.elevation(3, 2), 5.0F);
    const Conditioned deep = conditioned(kTwoPits, {.breach_depth = 3.0});
    for (int column = 1; column < 6; ++column) EXPECT_EQ(deep.elevation(column, 2), 2.0F);
    const Conditioned none = conditioned(kTwoPits, {.breach_depth = 0.5});
    EXPECT_EQ(none.elevation(4, 2), 4.0F);
    EXPECT_EQ(none.elevation(1, 2), 5.0F);
    EXPECT_EQ(none.removed_volume, 0.0);
}

TEST(Conditioning, breaches_within_the_length_and_fills_the_rest) {
    // Cells of 1 m: the outer pit is 2 steps from the edge, the inner one 5.
    const Conditioned near = conditioned(kTwoPits, {.breach_length = 2.0});
    EXPECT_EQ(near.elevation(5, 2), 3.0F);
    EXPECT_EQ(near.elevation(1, 2), 5.0F);
    const Conditioned far = conditioned(kTwoPits, {.breach_length = 5.0});
    for (int column = 1; column < 6; ++column) EXPECT_EQ(far.elevation(column, 2), 2.0F);
    EXPECT_EQ(conditioned(kTwoPits, {.breach_length = 0.0}).removed_volume, 0.0);
}

TEST(Conditioning, breaches_nothing_within_0_m_but_fills_as_fill_does) {
    for (const Field<float>& z : difficult_terrains()) {
        const Conditioned breached = conditioned(z, {.breach_depth = 0.0});
        const Conditioned filled = conditioned(z, {.depressions = Depressions::Fill});
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            ASSERT_TRUE(is_no_data(z[cell]) || breached.elevation[cell] == filled.elevation[cell]);
    }
}

/// The greatest slope from a cell to a neighbour, m a cell; 0 where none lies lower.
float steepest_slope(const Field<float>& z, std::int64_t cell) {
    float steepest = 0.0F;
    for_each_neighbour(z.grid(), cell, [&](std::int64_t other) {
        const bool is_diagonal = z.grid().column_of(other) != z.grid().column_of(cell) &&
                                 z.grid().row_of(other) != z.grid().row_of(cell);
        steepest = std::max(steepest, (z[cell] - z[other]) / (is_diagonal ? std::sqrt(2.0F) : 1.0F));
    });
    return steepest;
}

TEST(Conditioning, breached_drains_down_the_steepest_way_over_the_carved_ground) {
    for (const Field<float>& z : difficult_terrains()) {
        const Conditioned result = conditioned(z, {.depressions = Depressions::Breach});
        const Lattice lattice = eight_neighbours(z.grid());
        const FlowTree tree = tree_of(result);
        for (std::int32_t cell = 0; cell < z.size(); ++cell) {
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver < 0) continue;
            const float slope = (result.elevation[cell] - result.elevation[receiver]) /
                                lattice.link_length(cell, receiver, tree.direction[at(cell)]);
            const float steepest = steepest_slope(result.elevation, cell);
            ASSERT_NEAR(slope, steepest, 1e-6F * steepest);
        }
    }
}

TEST(Conditioning, breached_ways_go_straight_across_right_angles) {
    std::int64_t ways = 0, kept = 0;
    for (const Field<float>& z : difficult_terrains()) {
        const Conditioned result = conditioned(z, {.depressions = Depressions::Breach});
        const FlowTree tree = tree_of(result), turned = turned_tree(z);
        for (std::int32_t cell = 0; cell < z.size(); ++cell) {
            const std::int32_t next = tree.receiver(cell);
            const std::int32_t after = next < 0 ? -1 : tree.receiver(next);
            if (after < 0 || result.elevation[after] < result.elevation[cell]) continue;
            const bool is_carved = result.elevation[cell] < z[cell] || result.elevation[next] < z[next] ||
                                   result.elevation[after] < z[after];
            const int columns = std::abs(z.grid().column_of(after) - z.grid().column_of(cell));
            const int rows = std::abs(z.grid().row_of(after) - z.grid().row_of(cell));
            ways += is_carved ? 1 : 0;
            if (!is_carved || columns != 1 || rows != 1) continue;
            // Such a one is left only where water from the fourth cell would be crossed.
            const std::int32_t fourth = cell + after - next;
            ASSERT_EQ(turned.receiver(fourth), next);
            ++kept;
        }
    }
    EXPECT_GT(ways, 1000);
    EXPECT_LT(kept, ways / 100);
}

TEST(Conditioning, keeps_the_turned_way_but_for_its_corners) {
    // From the pit (1) the bed rises east, then south, for that is the steepest way down it: its right angle
    // at (2, 1) is left out, and the water of that cell, which was cut, goes on along the way.
    const Field<float> z = terrain_of(5, 5, {9, 9, 9, 9, 9,  //
                                             9, 1, 2, 9, 9,  //
                                             9, 9, 6, 9, 9,  //
                                             9, 9, 7, 9, 9,  //
                                             9, 9, 0, 9, 9});
    const Conditioned result = conditioned(z, {.depressions = Depressions::Breach});
    const auto direction_at = [&](int column, int row) {
        return int{result.direction[at(z.grid().index(column, row))]};
    };
    EXPECT_EQ(direction_at(1, 1), 1);
    EXPECT_EQ(direction_at(2, 1), 2);
    EXPECT_EQ(direction_at(2, 2), 2);
    EXPECT_EQ(direction_at(2, 3), 2);
    EXPECT_EQ(result.elevation(2, 1), 1.0F);
    EXPECT_EQ(result.elevation(2, 2), 1.0F);
    EXPECT_EQ(result.elevation(2, 3), 1.0F);
    EXPECT_EQ(result.changed_cells, 3);
    EXPECT_EQ(result.removed_volume, 1.0 + 5.0 + 6.0);
}

/// Whether the quad whose north-western cell this is has water along both of its diagonals.
bool is_crossed(const FlowTree& tree, std::int32_t cell) {
    const std::int32_t east = cell + 1, south = cell + tree.grid.columns, opposite_cell = south + 1;
    const auto joins = [&](std::int32_t a, std::int32_t b) {
        return tree.receiver(a) == b || tree.receiver(b) == a;
    };
    return joins(cell, opposite_cell) && joins(east, south);
}

TEST(Conditioning, breached_ways_do_not_cross) {
    std::vector<Field<float>> terrains = difficult_terrains();
    // The way from the pit (-9) over two others turns back in a quad of four cells.
    terrains.push_back(terrain_of(5, 5, {9, 9, 9, 9,  9,  //
                                         9, 1, 2, 9,  9,  //
                                         9, 4, 7, 9,  9,  //
                                         9, 5, 9, -9, 9,  //
                                         9, 0, 9, 9,  9}));
    for (const Field<float>& z : terrains) {
        const FlowTree tree = tree_of(conditioned(z, {.depressions = Depressions::Breach}));
        for (int row = 0; row + 1 < z.rows(); ++row)
            for (int column = 0; column + 1 < z.columns(); ++column)
                ASSERT_FALSE(is_crossed(tree, static_cast<std::int32_t>(z.grid().index(column, row))));
    }
}

TEST(Conditioning, names_directions_truly_where_there_are_but_one_or_two_columns) {
    for (const int columns : {1, 2}) {
        const Field<float> z = white_terrain(columns, 40, 5);
        const Lattice lattice = eight_neighbours(z.grid());
        Field<std::uint8_t> outlets(z.grid(), 0);
        outlets[0] = 1;  // edges are closed
        for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
            const Conditioned result =
                condition(z, lattice, {outlets}, {.depressions = depressions}, progress);
            for (std::int64_t cell = 1; cell < z.size(); ++cell) {
                const std::uint8_t links =
                    lattice.links_inside(z.grid().column_of(cell), z.grid().row_of(cell));
                ASSERT_TRUE((links >> result.direction[at(cell)] & 1) != 0);
            }
        }
    }
}

TEST(Conditioning, has_no_diagonals_where_only_four_neighbours_are_joined) {
    const Field<float> z = white_terrain(60, 50, 21);
    const Conditioned result = condition(z, four_neighbours(z.grid()), {edge_roots(z)}, {}, progress);
    EXPECT_TRUE(std::ranges::none_of(result.direction, [](std::uint8_t d) { return d < 8 && d % 2 == 1; }));
    EXPECT_EQ(tree_of(result).order.size(), at(z.size()));
}

TEST(Conditioning, leaves_pits_as_outlets_of_their_own_when_asked_for) {
    const Conditioned result = conditioned(kTwoPits, {.depressions = Depressions::None});
    EXPECT_EQ(result.pits, 2);
    EXPECT_EQ(result.elevation, kTwoPits);
    EXPECT_EQ(result.direction[at(kTwoPits.grid().index(1, 2))], kRoot);
    EXPECT_EQ(result.direction[at(kTwoPits.grid().index(4, 2))], kRoot);
}

TEST(Conditioning, gives_a_part_without_a_root_its_lowest_cell) {
    const Field<float> z = white_terrain(40, 30, 5);
    const Field<std::uint8_t> no_roots(z.grid(), 0);
    for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
        const Conditioned result =
            condition(z, eight_neighbours(z.grid()), {no_roots}, {.depressions = depressions}, progress);
        EXPECT_EQ(result.closed_components, 1);
        const FlowTree tree = tree_of(result);
        const auto lowest = std::min_element(z.begin(), z.end()) - z.begin();
        EXPECT_EQ(tree.upstream_cells[at(lowest)], z.size());
    }
}

TEST(Conditioning, turns_and_mirrors_with_its_terrain) {
    const Field<float> z = white_terrain(60, 60, 12);
    Field<float> mirrored(z.grid()), turned(z.grid());
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 60; ++column) {
            mirrored(59 - column, row) = z(column, row);
            turned(59 - row, column) = z(column, row);
        }
    for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
        const ConditioningParameters parameters{.depressions = depressions};
        const FlowTree here = tree_of(conditioned(z, parameters));
        const FlowTree in_mirror = tree_of(conditioned(mirrored, parameters));
        const FlowTree after_turn = tree_of(conditioned(turned, parameters));
        for (int row = 0; row < 60; ++row)
            for (int column = 0; column < 60; ++column) {
                const std::uint32_t own = here.upstream_cells[at(z.grid().index(column, row))];
                ASSERT_EQ(in_mirror.upstream_cells[at(z.grid().index(59 - column, row))], own);
                ASSERT_EQ(after_turn.upstream_cells[at(z.grid().index(59 - row, column))], own);
            }
    }
}

TEST(Conditioning, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(700, 400, 10, 1000);
    for (const Depressions depressions : {Depressions::Breach, Depressions::Fill, Depressions::None}) {
        std::vector<Conditioned> results;
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            results.push_back(conditioned(z, {.depressions = depressions}));
        }
        for (const Conditioned& result : results) {
            EXPECT_EQ(result.direction, results[0].direction);
            EXPECT_EQ(result.elevation, results[0].elevation);
            EXPECT_EQ(result.added_volume, results[0].added_volume);
        }
    }
}

}  // namespace
}  // namespace thalweg
