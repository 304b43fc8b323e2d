#include "thalweg/flow/depressions/breach_basins.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::difficult_terrains;
using tests::white_terrain;

QuietProgress progress;

/// Plain lattices and a displaced mesh.
std::vector<Lattice> lattices_of(const Grid& grid) {
    std::vector<Lattice> lattices = {eight_neighbours(grid), four_neighbours(grid)};
    if (grid.columns > 2 && grid.rows > 2) lattices.push_back(jittered_mesh(grid, 3, 0.45, progress));
    return lattices;
}

TEST(BreachBasins, let_every_cell_drain_over_links_alone) {
    for (const Field<float>& z : difficult_terrains())
        for (const Lattice& lattice : lattices_of(z.grid())) {
            const Field<std::uint8_t> roots = edge_roots(z);
            FlowTree tree;
            tree.grid = z.grid();
            tree.direction = steepest_directions(z, lattice, roots);
            breach_basins(z, lattice, tree.direction, progress);
            order_tree(tree, progress);  // asserts that there is no circle
            std::int64_t drained = 0, inside = 0;
            for (std::int32_t cell = 0; cell < z.size(); ++cell) {
                const std::uint8_t d = tree.direction[at(cell)];
                inside += is_no_data(z[cell]) ? 0 : 1;
                ASSERT_NE(d, kPit);
                if (d == kRoot) drained += tree.upstream_cells[at(cell)];
                if (d < kRoot) {
                    ASSERT_NE(lattice.links_inside(z.grid().column_of(cell), z.grid().row_of(cell)) >> d & 1,
                              0);
                }
            }
            EXPECT_EQ(drained, inside);
        }
}

TEST(BreachBasins, tell_what_they_turned) {
    const Field<float> z = white_terrain(120, 90, 3);
    const Lattice lattice = jittered_mesh(z.grid(), 5, 0.45, progress);
    const std::vector<std::uint8_t> before = steepest_directions(z, lattice, edge_roots(z));
    std::vector<std::uint8_t> after = before;
    std::vector<std::int32_t> changed;
    const std::vector<std::int32_t> turned = breach_basins(z, lattice, after, progress);
    for (std::int32_t cell = 0; cell < z.size(); ++cell)
        if (after[at(cell)] != before[at(cell)]) changed.push_back(cell);
    EXPECT_EQ(turned, changed);
    EXPECT_GT(turned.size(), 1000U);
}

TEST(BreachBasins, make_a_root_of_the_lowest_cell_where_there_is_none) {
    const Field<float> z = white_terrain(40, 30, 5);
    const Lattice lattice = eight_neighbours(z.grid());
    std::vector<std::uint8_t> direction = steepest_directions(z, lattice, Field<std::uint8_t>(z.grid(), 0));
    breach_basins(z, lattice, direction, progress);
    const auto lowest = std::min_element(z.begin(), z.end()) - z.begin();
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        EXPECT_EQ(direction[at(cell)] == kRoot, cell == lowest);
}

TEST(BreachBasins, are_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(700, 500, 9);
    const Lattice lattice = jittered_mesh(z.grid(), 5, 0.45, progress);
    std::vector<std::vector<std::uint8_t>> found;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        found.push_back(steepest_directions(z, lattice, edge_roots(z)));
        breach_basins(z, lattice, found.back(), progress);
    }
    EXPECT_EQ(found[1], found[0]);
    EXPECT_EQ(found[2], found[0]);
}

}  // namespace
}  // namespace thalweg
