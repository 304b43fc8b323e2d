#include "thalweg/erosion/network/subtree_runs.hpp"

#include "thalweg/flow/route.hpp"

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

FlowTree tree_of(const Field<float>& z, const Lattice& lattice) {
    return build_flow_tree(z, lattice, edge_roots(z), progress);
}

/// Small and large subtrees, one root, a single path, and nothing but roots.
std::vector<FlowTree> some_trees() {
    std::vector<FlowTree> trees;
    Field<float> noise = tests::white_terrain(150, 130, 7);
    tests::cut_out(noise, 20, 30, 60, 50);
    trees.push_back(tree_of(noise, eight_neighbours(noise.grid())));
    Field<std::uint8_t> one_root(noise.grid(), 0);
    one_root(3, 4) = 1;
    trees.push_back(build_flow_tree(noise, eight_neighbours(noise.grid()), one_root, progress));
    FlowTree path{.grid = {.columns = 5000, .rows = 1},
                  .direction = {},
                  .order = {},
                  .run_starts = {},
                  .crossing = {},
                  .upstream_cells = {}};
    path.direction.assign(5000, 4);
    path.direction[0] = kRoot;
    order_tree(path, progress);
    trees.push_back(path);
    trees.push_back(tree_of(tests::white_terrain(2, 2, 1), four_neighbours({.columns = 2, .rows = 2})));
    return trees;
}

TEST(SubtreeRuns, gather_what_lies_upstream_as_a_walk_down_from_every_cell_does) {
    for (const FlowTree& tree : some_trees()) {
        std::vector<float> values(tree.direction.size());
        std::vector<double> expected(values.size(), 0.0);
        for (std::size_t cell = 0; cell < values.size(); ++cell) values[cell] = static_cast<float>(cell % 5);
        for (const std::int32_t start : tree.order)
            for (std::int32_t cell = start; cell >= 0; cell = tree.receiver(cell))
                expected[at(cell)] += start % 5;
        SubtreeRuns(tree).gather(values.data(), progress);
        for (const std::int32_t cell : tree.order) ASSERT_EQ(values[at(cell)], expected[at(cell)]) << cell;
    }
}

TEST(SubtreeRuns, go_upstream_through_every_cell_after_its_receiver) {
    for (const FlowTree& tree : some_trees()) {
        std::vector<float> depth(tree.direction.size(), -1.0F);
        for (const std::int32_t cell : tree.order)
            if (tree.receiver(cell) < 0) depth[at(cell)] = 0.0F;
        SubtreeRuns(tree).go_upstream(depth.data(), progress,
                                      [](std::int32_t, float below) { return below + 1.0F; });
        for (const std::int32_t start : tree.order) {
            int steps = 0;
            for (std::int32_t cell = tree.receiver(start); cell >= 0; cell = tree.receiver(cell)) ++steps;
            ASSERT_EQ(depth[at(start)], static_cast<float>(steps));
        }
    }
}

}  // namespace
}  // namespace thalweg
