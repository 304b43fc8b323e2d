#include "thalweg/flow/hack_law.hpp"

#include <cmath>
#include <vector>

#include "tests/flow/built_terrain.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

TEST(HackLaw, of_parallel_rivers_of_many_lengths_is_that_of_strips) {
    // Columns that fall to the south and end where the terrain does, each longer than the last: of n cells of
    // 10 m, L = 10 (n - 1) and A = 100 n, so that L = A / 10 but for the first cell.
    FlowTree tree;
    tree.grid = Grid{.columns = 40, .rows = 4100, .cell_size = 10.0};
    tree.direction.assign(at(tree.grid.cells()), kOutside);
    for (int column = 0; column < 40; ++column)
        for (int row = 0; row < 100 + 100 * column; ++row)
            tree.direction[at(tree.grid.index(column, row))] = row + 1 == 100 + 100 * column ? kRoot : 2;
    order_tree(tree, progress);
    const HackLaw law = hack_law(tree, eight_neighbours(tree.grid), 5000.0);
    ASSERT_EQ(law.points.size(), 40U);
    for (const HackPoint& point : law.points) EXPECT_EQ(point.length, point.area / 10.0 - 10.0);
    ASSERT_TRUE(law.fit.has_value());
    EXPECT_NEAR(law.fit->exponent, 1.0, 3e-3);
    EXPECT_NEAR(law.fit->coefficient, 0.1, 5e-3);
    EXPECT_GT(law.fit->r_squared, 0.9999);
}

TEST(HackLaw, points_are_those_where_rivers_meet_or_leave_and_their_lengths_those_of_every_way_down) {
    Field<float> z = tests::white_terrain(50, 41, 7);
    tests::cut_out(z, 11, 9, 16, 12);
    const FlowResult flow = route(z, {}, progress);
    const Lattice lattice = eight_neighbours(z.grid());
    const double least_area = 1500.0;
    std::vector<double> longest(at(z.size()), 0.0);
    for (std::int32_t start = 0; start < z.size(); ++start) {
        double length = 0.0;
        for (std::int32_t cell = start; flow.tree.receiver(cell) >= 0;) {
            length += lattice.distance(cell, flow.tree.direction[at(cell)]);
            cell = flow.tree.receiver(cell);
            longest[at(cell)] = std::max(longest[at(cell)], length);
        }
    }
    std::vector<HackPoint> expected;
    for (std::int32_t cell = 0; cell < z.size(); ++cell) {
        if (is_no_data(z[cell]) || flow.drainage_area[cell] < least_area) continue;
        int beside = 0;  // rivers that end in the same cell
        for (std::int32_t other = 0; other < z.size(); ++other)
            beside += flow.tree.receiver(cell) >= 0 && flow.drainage_area[other] >= least_area &&
                              flow.tree.receiver(other) == flow.tree.receiver(cell)
                          ? 1
                          : 0;
        if (beside != 1) expected.push_back({flow.drainage_area[cell], longest[at(cell)]});
    }
    const HackLaw law = hack_law(flow.tree, lattice, least_area);
    ASSERT_EQ(law.points.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(law.points[i].area, expected[i].area);
        ASSERT_NEAR(law.points[i].length, expected[i].length, 1e-9);
    }
    EXPECT_GT(expected.size(), 20U);
    EXPECT_TRUE(law.fit.has_value());
}

TEST(HackLaw, of_few_or_equal_basins_has_no_fit) {
    const Field<float> level(Grid{.columns = 30, .rows = 30, .cell_size = 10.0}, 5.0F);
    const FlowResult flow = route(level, {}, progress);
    EXPECT_FALSE(hack_law(flow.tree, eight_neighbours(level.grid()), 1e9).fit.has_value());
    const Field<float> nothing(Grid{.columns = 9, .rows = 9}, kNoData);
    const HackLaw none = hack_law(route(nothing, {}, progress).tree, eight_neighbours(nothing.grid()), 0.0);
    EXPECT_TRUE(none.points.empty());
    EXPECT_FALSE(none.fit.has_value());
}

}  // namespace
}  // namespace thalweg
