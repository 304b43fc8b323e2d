#include "thalweg/flow/descent.hpp"

#include "thalweg/core/execution.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::terrain_of;
using tests::white_terrain;

FlowTree descend_on(const Field<float>& z, Edges edges, std::uint8_t links = kAllEight,
                    std::uint64_t seed = 1) {
    QuietProgress progress;
    return descend(z, edges, links, seed, progress);
}

TEST(Descent, on_a_tilted_plane_every_column_drains_straight_to_the_south) {
    Field<float> z(Grid{.columns = 5, .rows = 4});
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 5; ++column) z(column, row) = static_cast<float>(3 - row);
    const FlowTree tree = descend_on(z, Edges::Wrapped);
    for (int row = 0; row < 4; ++row)
        for (int column = 0; column < 5; ++column) {
            const auto cell = static_cast<std::int32_t>(z.grid().index(column, row));
            EXPECT_EQ(tree.receiver(cell), row == 3 ? -1 : cell + 5);
            EXPECT_EQ(tree.upstream_cells[static_cast<std::size_t>(cell)], row + 1U);
        }
}

TEST(Descent, weighs_a_drop_by_its_distance) {
    const Field<float> z = terrain_of(3, 3, {9, 9, 9, 9, 5, 9, 9, 3.8F, 3.5F});
    const auto middle = 4;
    EXPECT_EQ(descend_on(z, Edges::South).receiver(middle), 7);  // 1.2 beats 1.5 / sqrt(2)
}

TEST(Descent, breaks_ties_evenly_and_by_the_seed) {
    const Field<float> z = terrain_of(3, 3, {9, 2, 9, 2, 5, 2, 9, 9, 9});
    std::vector<int> taken(9, 0);
    for (std::uint64_t seed = 0; seed < 3000; ++seed)
        ++taken[static_cast<std::size_t>(descend_on(z, Edges::Closed, kAllEight, seed).receiver(4))];
    for (const std::size_t tied : {1U, 3U, 5U})
        EXPECT_NEAR(taken[tied], 1000, 110);  // four standard deviations
}

TEST(Descent, keeps_pits_and_counts_what_comes_there) {
    const Field<float> z = terrain_of(5, 1, {4, 3, 1, 3, 4});
    const FlowTree tree = descend_on(z, Edges::Closed);
    EXPECT_EQ(tree.direction[2], kPit);
    EXPECT_EQ(tree.upstream_cells[2], 5U);
    const FlowTree flat = descend_on(Field<float>(Grid{.columns = 4, .rows = 4}, 1.0F), Edges::Closed);
    EXPECT_EQ(std::count(flat.direction.begin(), flat.direction.end(), kPit), 16);
}

TEST(Descent, lists_every_cell_with_data_once_and_receivers_first) {
    Field<float> z = white_terrain(40, 30, 3, 50);
    cut_out(z, 10, 10, 14, 16);
    for (const Edges edges : {Edges::Wrapped, Edges::Open, Edges::South, Edges::Closed}) {
        const FlowTree tree = descend_on(z, edges);
        ASSERT_EQ(tree.order.size(), 40U * 30U - 35U);
        std::vector<char> listed(40 * 30, 0);
        std::uint64_t drained = 0;
        for (const std::int32_t cell : tree.order) {
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver < 0)
                drained += tree.upstream_cells[static_cast<std::size_t>(cell)];
            else
                ASSERT_TRUE(listed[static_cast<std::size_t>(receiver)]);
            listed[static_cast<std::size_t>(cell)] = 1;
        }
        EXPECT_EQ(drained, tree.order.size());
    }
}

TEST(Descent, agrees_with_following_every_unit_of_water) {
    const Field<float> z = white_terrain(23, 17, 5, 40);
    const FlowTree tree = descend_on(z, Edges::Wrapped, kAxes);
    std::vector<std::uint32_t> visits(23 * 17, 0);
    for (std::int32_t start = 0; start < 23 * 17; ++start)
        for (std::int32_t cell = start; cell >= 0; cell = tree.receiver(cell))
            ++visits[static_cast<std::size_t>(cell)];
    EXPECT_EQ(visits, tree.upstream_cells);
}

TEST(Descent, on_wrapped_columns_turns_with_the_terrain) {
    const Field<float> z = white_terrain(24, 20, 9);
    const FlowTree tree = descend_on(z, Edges::Wrapped);
    for (const int shift : {1, 7, 23}) {
        Field<float> turned(z.grid());
        for (int row = 0; row < 20; ++row)
            for (int column = 0; column < 24; ++column) turned((column + shift) % 24, row) = z(column, row);
        const FlowTree other = descend_on(turned, Edges::Wrapped);
        for (int row = 0; row < 20; ++row)
            for (int column = 0; column < 24; ++column)
                ASSERT_EQ(tree.upstream_cells[static_cast<std::size_t>(z.grid().index(column, row))],
                          other.upstream_cells[static_cast<std::size_t>(
                              z.grid().index((column + shift) % 24, row))]);
    }
}

TEST(Descent, leaves_where_the_edges_say) {
    const Field<float> z(Grid{.columns = 6, .rows = 5}, 1.0F);
    const auto outlets = [&](Edges edges) {
        const Field<std::uint8_t> cells = outlet_cells(z, edges);
        return std::count(cells.begin(), cells.end(), 1);
    };
    EXPECT_EQ(outlets(Edges::Open), 18);
    EXPECT_EQ(outlets(Edges::Wrapped), 6);
    EXPECT_EQ(outlets(Edges::South), 6);
    EXPECT_EQ(outlets(Edges::Closed), 0);
    EXPECT_EQ(outlet_cells(z, Edges::South)(3, 4), 1);
}

TEST(Descent, is_the_same_on_any_number_of_threads) {
    const Field<float> z = white_terrain(300, 300, 2, 9);
    const ExecutionScope on_one_thread({.threads = 1});
    const FlowTree one = descend_on(z, Edges::Wrapped);
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        const FlowTree many = descend_on(z, Edges::Wrapped);
        EXPECT_EQ(one.direction, many.direction);
        EXPECT_EQ(one.order, many.order);
    }
}

}  // namespace
}  // namespace thalweg
