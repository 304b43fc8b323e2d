#include "thalweg/flow/spill_tree.hpp"

#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::for_each_neighbour;
using tests::terrain_of;
using tests::white_terrain;

QuietProgress progress;

struct Divided {
    std::vector<std::uint8_t> direction;
    Basins basins;
};

Divided divide(const Field<float>& z, const Lattice& lattice) {
    Divided divided;
    divided.direction = steepest_directions(z, lattice, edge_roots(z));
    resolve_flats(z, lattice, divided.direction, progress);
    divided.basins = find_basins(z.grid(), divided.direction, progress);
    return divided;
}

TEST(Basins, are_where_following_the_directions_ends) {
    for (const Field<float>& z :
         {white_terrain(400, 300, 1), white_terrain(37, 29, 2, 3), white_terrain(1, 9, 1)}) {
        const Divided divided = divide(z, eight_neighbours(z.grid()));
        const auto steps = eight_neighbours(z.grid()).index_steps();
        for (std::int64_t start = 0; start < z.size(); ++start) {
            std::int64_t cell = start;
            while (divided.direction[at(cell)] < 8) cell += steps[divided.direction[at(cell)]];
            const std::int32_t basin = divided.basins.of_cell[at(start)];
            if (divided.direction[at(cell)] == kPit) {
                ASSERT_GT(basin, 0);
                ASSERT_EQ(divided.basins.pits[at(basin - 1)], cell);
            } else {
                ASSERT_EQ(basin, kDrained);
            }
        }
    }
}

TEST(SpillTree, leads_from_every_basin_over_its_lowest_saddle_towards_the_outside) {
    const Field<float> z = white_terrain(80, 60, 3);
    const Lattice lattice = eight_neighbours(z.grid());
    const Basins basins = divide(z, lattice).basins;
    const SpillTree tree = find_spills(z, lattice, basins, progress);
    const std::vector<float> levels = full_levels(tree);
    ASSERT_EQ(static_cast<std::int64_t>(tree.order.size()), basins.count());
    EXPECT_EQ(tree.order[0], kDrained);
    EXPECT_EQ(tree.closed_components, 0);
    std::vector<std::uint8_t> seen(tree.spills.size(), 0);
    for (const std::int32_t basin : tree.order) {
        seen[at(basin)] = 1;
        if (basin == kDrained) continue;
        const Spill& spill = tree.spills[at(basin)];
        EXPECT_EQ(seen[at(spill.into)], 1);
        EXPECT_EQ(basins.of_cell[at(spill.from)], basin);
        EXPECT_EQ(basins.of_cell[at(spill.to)], spill.into);
        EXPECT_EQ(spill.saddle, std::max(z[spill.from], z[spill.to]));
    }
    // No basin's level can be lowered over any link: the levels are those of the lowest ways.
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        for_each_neighbour(z.grid(), cell, [&](std::int64_t other) {
            const std::int32_t a = basins.of_cell[at(cell)], b = basins.of_cell[at(other)];
            if (a == b || a == kDrained) return;
            ASSERT_LE(levels[at(a)], std::max({z[cell], z[other], levels[at(b)]}));
        });
}

TEST(SpillTree, of_basins_within_closed_ground_starts_from_the_lowest) {
    const Field<float> z = terrain_of(5, 1, {3, 4, 1, 5, 2});
    const Lattice lattice = eight_neighbours(z.grid());
    std::vector<std::uint8_t> direction = steepest_directions(z, lattice, Field<std::uint8_t>(z.grid(), 0));
    const Basins basins = find_basins(z.grid(), direction, progress);
    const SpillTree tree = find_spills(z, lattice, basins, progress);
    EXPECT_EQ(tree.closed_components, 1);
    EXPECT_EQ(tree.spills[1].into, 2);
    EXPECT_EQ(tree.spills[2].into, kNoBasin);
    EXPECT_EQ(tree.spills[3].into, 2);
    turn_breach_paths(z.grid(), tree, basins, direction);
    EXPECT_EQ(direction, (std::vector<std::uint8_t>{0, 0, kRoot, 4, 4}));
}

TEST(Flats, drain_away_from_slopes_towards_their_way_out) {
    const Field<float> z = terrain_of(6, 5, {9, 9, 9, 9, 9, 9,  //
                                             9, 5, 5, 5, 5, 9,  //
                                             9, 5, 5, 5, 5, 1,  //
                                             9, 5, 5, 5, 5, 9,  //
                                             9, 9, 9, 9, 9, 9});
    const Divided divided = divide(z, eight_neighbours(z.grid()));
    EXPECT_TRUE(divided.basins.pits.empty());
    // The middle row takes the water of both sides.
    const std::vector<std::uint8_t>& d = divided.direction;
    const Grid& grid = z.grid();
    EXPECT_EQ(d[at(grid.index(1, 2))], 0);
    EXPECT_EQ(d[at(grid.index(2, 2))], 0);
    EXPECT_EQ(d[at(grid.index(1, 1))], 1);
    EXPECT_EQ(d[at(grid.index(1, 3))], 7);
    EXPECT_EQ(d[at(grid.index(2, 1))], 1);
}

TEST(Flats, without_a_way_out_keep_one_pit) {
    const Field<float> z = terrain_of(7, 4, {9, 9, 9, 9, 9, 9, 9,  //
                                             9, 5, 5, 9, 5, 5, 9,  //
                                             9, 5, 5, 9, 5, 5, 9,  //
                                             9, 9, 9, 9, 9, 9, 9});
    const Divided divided = divide(z, eight_neighbours(z.grid()));
    EXPECT_EQ(divided.basins.pits, (std::vector<std::int32_t>{8, 11}));
}

/// Steps over cells of the same flat to the nearest of `sources`, by relaxing until nothing changes.
Field<std::int32_t> slow_steps(const Field<float>& z, const std::vector<std::uint8_t>& is_flat,
                               const std::vector<std::uint8_t>& is_source) {
    constexpr std::int32_t kFar = 1 << 28;
    Field<std::int32_t> steps(z.grid(), kFar);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (is_source[at(cell)] != 0) steps[cell] = 1;
    for (bool changed = true; changed;) {
        changed = false;
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            if (is_flat[at(cell)] != 0)
                for_each_neighbour(z.grid(), cell, [&](std::int64_t other) {
                    if (is_flat[at(other)] == 0 || z[other] != z[cell] || steps[other] + 1 >= steps[cell])
                        return;
                    steps[cell] = steps[other] + 1;
                    changed = true;
                });
    }
    return steps;
}

TEST(Flats, follow_the_slow_sum_of_steps_on_plateaus_of_noise) {
    for (const int levels : {2, 3}) {
        const Field<float> z = white_terrain(50, 40, 5, levels);
        const Lattice lattice = eight_neighbours(z.grid());
        const std::vector<std::uint8_t> before = steepest_directions(z, lattice, edge_roots(z));
        std::vector<std::uint8_t> after = before;
        resolve_flats(z, lattice, after, progress);
        std::vector<std::uint8_t> is_flat(after.size(), 0), leaves(after.size(), 0), below(after.size(), 0);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (before[at(cell)] != kPit) continue;
            is_flat[at(cell)] = 1;
            leaves[at(cell)] = after[at(cell)] == kPit ? 1 : 0;
            for_each_neighbour(z.grid(), cell, [&](std::int64_t other) {
                if (z[other] == z[cell] && before[at(other)] != kPit) leaves[at(cell)] = 1;
                if (z[other] > z[cell]) below[at(cell)] = 1;
            });
        }
        const Field<std::int32_t> towards = slow_steps(z, is_flat, leaves),
                                  away = slow_steps(z, is_flat, below);
        const auto steps = lattice.index_steps();
        std::int64_t checked = 0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (is_flat[at(cell)] == 0 || after[at(cell)] == kPit) continue;
            const std::int64_t receiver = cell + steps[after[at(cell)]];
            ASSERT_EQ(z[receiver], z[cell]);
            if (is_flat[at(receiver)] == 0) continue;  // the exit
            const auto height = [&](std::int64_t c) {
                return 2 * towards[c] - (away[c] < (1 << 28) ? away[c] : 0);
            };
            ++checked;
            ASSERT_LT(height(receiver), height(cell));
            for_each_neighbour(z.grid(), cell, [&](std::int64_t other) {
                const bool is_same = is_flat[at(other)] != 0 && z[other] == z[cell];
                ASSERT_TRUE(!is_same || height(receiver) <= height(other));
            });
        }
        EXPECT_GT(checked, 50);
    }
}

}  // namespace
}  // namespace thalweg
