#include "thalweg/flow/graph/depth_first_order.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "tests/flow/some_trees.hpp"
#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

std::span<const TreeVisit> visits_of(const DepthFirstOrder& order) {
    return {order.visits(), at(order.count())};
}

TEST(DepthFirstOrder, lists_every_cell_once_and_all_that_drains_through_it_behind_it) {
    DepthFirstOrder order;
    for (const FlowTree& tree : tests::some_trees()) {
        order.find(tree, progress);
        ASSERT_EQ(order.count(), static_cast<std::int64_t>(tree.order.size()));
        for (std::int64_t i = 0; i < DepthFirstOrder::kMargin; ++i)  // after larger trees too
            ASSERT_EQ(order.visits()[order.count() + i].cell, 0);
        std::vector<std::int64_t> place(tree.direction.size(), -1);
        for (std::int64_t i = 0; i < order.count(); ++i) {
            std::int64_t& of_cell = place[at(order.visits()[i].cell)];
            ASSERT_EQ(of_cell, -1);
            of_cell = i;
        }
        for (const std::int32_t cell : tree.order) {
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver < 0) continue;
            // As many places as the receiver has cells upstream: nothing else lies among them.
            ASSERT_GT(place[at(cell)], place[at(receiver)]);
            ASSERT_LE(place[at(cell)] + tree.upstream_cells[at(cell)],
                      place[at(receiver)] + tree.upstream_cells[at(receiver)]);
        }
    }
}

TEST(DepthFirstOrder, counts_the_links_down_to_the_root) {
    DepthFirstOrder order;
    for (const FlowTree& tree : tests::some_trees()) {
        order.find(tree, progress);
        std::int32_t most = 0;
        for (const TreeVisit& visit : visits_of(order)) {
            std::int32_t links = 0;
            for (std::int32_t cell = tree.receiver(visit.cell); cell >= 0; cell = tree.receiver(cell))
                ++links;
            ASSERT_EQ(visit.links, links);
            most = std::max(most, links);
        }
        EXPECT_EQ(order.most_links(), most);
    }
}

TEST(DepthFirstOrder, lists_trees_by_their_roots_cells) {
    const Field<float> z = tests::white_terrain(90, 70, 3);
    const FlowTree tree = build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress);
    DepthFirstOrder order;
    order.find(tree, progress);
    std::int32_t last = -1;
    int roots = 0;
    for (const TreeVisit& visit : visits_of(order)) {
        if (visit.links > 0) continue;
        ASSERT_GT(visit.cell, last);
        last = visit.cell;
        ++roots;
    }
    EXPECT_EQ(roots, 2 * (90 + 70) - 4);
}

TEST(DepthFirstOrder, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = tests::white_terrain(300, 500, 9);
    const FlowTree tree = build_flow_tree(z, eight_neighbours(z.grid()), edge_roots(z), progress);
    std::vector<std::vector<std::int32_t>> cells;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        DepthFirstOrder order;
        order.find(tree, progress);
        cells.emplace_back();
        for (const TreeVisit& visit : visits_of(order)) cells.back().push_back(visit.cell);
    }
    EXPECT_EQ(cells[1], cells[0]);
    EXPECT_EQ(cells[2], cells[0]);
}

}  // namespace
}  // namespace thalweg
