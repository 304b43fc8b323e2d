#include "thalweg/flow/river_profile.hpp"

#include "thalweg/flow/derived.hpp"
#include "thalweg/flow/route.hpp"

#include <cmath>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::terrain_of;
using tests::white_terrain;

QuietProgress progress;

FlowResult flow_with_a_hole() {
    Field<float> z = white_terrain(40, 31, 3);
    cut_out(z, 11, 9, 16, 12);
    return route(z, {}, progress);
}

TEST(RiverProfile, chi_of_a_single_river_is_the_sum_written_by_hand) {
    // Water runs west along a row of cells of 10 m, from an area of 100 m^2 to one of 400.
    const Field<float> z = terrain_of(4, 1, {1, 2, 3, 4}, 10.0);
    Field<std::uint8_t> roots(z.grid(), 0);
    roots[0] = 1;
    const Lattice lattice = eight_neighbours(z.grid());
    const FlowResult flow = route(z, lattice, {roots}, {}, progress);
    const Field<double> found =
        chi(flow.tree, lattice, flow.drainage_area, {.concavity = 0.5, .reference_area = 100.0});
    const double f1 = std::sqrt(1.0 / 4.0), f2 = std::sqrt(1.0 / 3.0), f3 = std::sqrt(1.0 / 2.0), f4 = 1.0;
    EXPECT_EQ(found[0], 0.0);
    EXPECT_NEAR(found[1], 5.0 * (f1 + f2), 1e-12);
    EXPECT_NEAR(found[3], 5.0 * (f1 + 2.0 * f2 + 2.0 * f3 + f4), 1e-12);
}

TEST(RiverProfile, chi_meets_its_integral_to_second_order) {
    // A(x) = (2 - x)^2 along x from 0 to 1, so that chi(1) = integral of 1 / (2 - x) = ln 2 for m/n = 1/2.
    const auto error_of = [](int cells) {
        Field<float> z(Grid{.columns = cells + 1, .rows = 1, .cell_size = 1.0 / cells});
        Field<double> area(z.grid());
        Field<std::uint8_t> roots(z.grid(), 0);
        roots[0] = 1;
        for (int column = 0; column <= cells; ++column) {
            z(column, 0) = static_cast<float>(column);
            area(column, 0) = std::pow(2.0 - static_cast<double>(column) / cells, 2.0);
        }
        const Lattice lattice = eight_neighbours(z.grid());
        const FlowResult flow = route(z, lattice, {roots}, {}, progress);
        return std::abs(chi(flow.tree, lattice, area, {.concavity = 0.5})[cells] - std::log(2.0));
    };
    EXPECT_LT(error_of(100), 1e-5);
    EXPECT_NEAR(error_of(50) / error_of(100), 4.0, 0.05);
}

TEST(RiverProfile, chi_is_the_sum_along_the_way_of_every_cell) {
    const FlowResult flow = flow_with_a_hole();
    const Lattice lattice = eight_neighbours(flow.tree.grid);
    const Field<double> found = chi(flow.tree, lattice, flow.drainage_area, {});
    for (std::int32_t start = 0; start < flow.tree.grid.cells(); ++start) {
        if (is_no_data(flow.elevation[start])) {
            ASSERT_TRUE(std::isnan(found[start]));
            continue;
        }
        double sum = 0.0;
        for (std::int32_t cell = start; flow.tree.receiver(cell) >= 0; cell = flow.tree.receiver(cell)) {
            const double here = std::pow(flow.drainage_area[cell], -0.45);
            const double there = std::pow(flow.drainage_area[flow.tree.receiver(cell)], -0.45);
            sum += (here + there) / 2.0 * lattice.distance(cell, flow.tree.direction[at(cell)]);
        }
        ASSERT_NEAR(found[start], sum, 1e-9 * sum);
    }
}

TEST(RiverProfile, flow_length_where_two_rivers_meet_is_that_of_the_longer_one) {
    // From the west two steps, from the north-west a diagonal, both into (2, 1), and one step east to the
    // root.
    FlowTree tree;
    tree.grid = Grid{.columns = 4, .rows = 2, .cell_size = 10.0};
    tree.direction = {kOutside, 1, kOutside, kOutside,  //
                      0,        0, 0,        kRoot};
    order_tree(tree, progress);
    const Field<double> length = longest_flow_length(tree, eight_neighbours(tree.grid));
    EXPECT_EQ(length(1, 0), 0.0);
    EXPECT_EQ(length(0, 1), 0.0);
    EXPECT_EQ(length(1, 1), 10.0);
    EXPECT_EQ(length(2, 1), 20.0);
    EXPECT_EQ(length(3, 1), 30.0);
    EXPECT_TRUE(std::isnan(length(0, 0)));
}

TEST(RiverProfile, flow_length_is_that_of_the_longest_way_from_any_source) {
    const FlowResult flow = flow_with_a_hole();
    const Lattice lattice = eight_neighbours(flow.tree.grid);
    const Field<double> found = longest_flow_length(flow.tree, lattice);
    // Walk down from every cell, and keep what is longest.
    std::vector<double> longest(flow.tree.direction.size(), 0.0);
    for (std::int32_t start = 0; start < flow.tree.grid.cells(); ++start) {
        double length = 0.0;
        for (std::int32_t cell = start; flow.tree.receiver(cell) >= 0;) {
            length += lattice.distance(cell, flow.tree.direction[at(cell)]);
            cell = flow.tree.receiver(cell);
            longest[at(cell)] = std::max(longest[at(cell)], length);
        }
    }
    double most = 0.0;
    for (std::int64_t cell = 0; cell < found.size(); ++cell) {
        if (is_no_data(flow.elevation[cell])) {
            ASSERT_TRUE(std::isnan(found[cell]));
            continue;
        }
        ASSERT_NEAR(found[cell], longest[at(cell)], 1e-9);
        most = std::max(most, found[cell]);
    }
    EXPECT_GT(most, 50.0);
}

TEST(RiverProfile, hypsometric_integral_of_a_ramp_is_a_half_and_of_a_plain_with_a_peak_near_0) {
    Field<float> ramp(Grid{.columns = 101, .rows = 7});
    for (std::int64_t cell = 0; cell < ramp.size(); ++cell)
        ramp[cell] = 50.0F + 3.0F * static_cast<float>(ramp.grid().column_of(cell));
    EXPECT_NEAR(hypsometric_integral(ramp), 0.5, 1e-12);
    EXPECT_NEAR(hypsometric_integral(terrain_of(3, 2, {1, 1, 1, 5, 1, kNoData})), 0.2, 1e-12);
    EXPECT_TRUE(std::isnan(hypsometric_integral(terrain_of(2, 1, {4, 4}))));
    EXPECT_TRUE(std::isnan(hypsometric_integral(terrain_of(1, 1, {kNoData}))));
}

}  // namespace
}  // namespace thalweg
