// Masks of boundary cells: where water leaves, and land that they leave out.
#include "thalweg/core/parallel.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/network/closed_components.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kExtent = 12800.0;  // m
constexpr double kForEver = std::numeric_limits<double>::infinity();

/// Land in the west and the east, 500 m apart, with a bowl in each.
Field<float> two_lands(const Grid& grid, Progress&) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double x = grid.x(column) - 0.5 * kExtent;
            const double bowl = std::hypot(std::abs(x) - 3300.0, grid.y(row) - 6500.0);
            z(column, row) = std::abs(x) < 250.0 ? kNoData : static_cast<float>(100.0 + 0.01 * bowl);
        }
    return z;
}

/// Two lands of which only the western one has boundary cells.
ErosionInputs western_outlets(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, cells);
    inputs.elevation = two_lands;
    inputs.uplift = constant_source(1e-3F);
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    for (int row = 0; row < cells; ++row) inputs.boundary(0, row) = 1;
    return inputs;
}

TEST(Boundary, one_outlet_drains_everything_on_every_lattice_and_by_every_method) {
    ErosionInputs inputs;
    inputs.grid = make_grid(kExtent, kExtent, 64);
    inputs.elevation = constant_source(20.0F);
    inputs.uplift = constant_source(1e-3F);
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    inputs.boundary(0, 40) = 1;
    for (const ErosionLattice lattice :
         {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours})
        for (const ErosionMethod method :
             {ErosionMethod::Analytical, ErosionMethod::FixedPoint, ErosionMethod::Stepping})
            for (const double time : {3e5, kForEver}) {
                if (method == ErosionMethod::Stepping && time == kForEver) continue;
                const Field<float> z =
                    erode(inputs, {.time = time, .method = method, .lattice = lattice}, 3, progress)
                        .elevation;
                EXPECT_EQ(z(0, 40), 20.0F);
                EXPECT_EQ(*std::min_element(z.begin(), z.end()), 20.0F);
                // The corner farthest from the outlet rises too: no edge but the mask keeps its elevation.
                EXPECT_GT(z(63, 0), 60.0F);
                for (const Lattice& links : {four_neighbours(inputs.grid), eight_neighbours(inputs.grid)}) {
                    const FlowTree tree = build_flow_tree(z, links, inputs.boundary, progress);
                    EXPECT_DOUBLE_EQ(drainage_area(tree)(0, 40), kExtent * kExtent);
                }
            }
}

TEST(Boundary, an_island_without_boundary_cells_drains_into_its_lowest_cell_at_every_size_and_time) {
    for (const int cells : {64, 128})
        for (const double time : {1e5, kForEver}) {
            const ErosionInputs inputs = western_outlets(cells);
            const Field<float> before = two_lands(inputs.grid, progress);
            const ErosionResult result = erode(inputs, {.time = time}, 3, progress);
            EXPECT_EQ(result.report.closed_components, 1);
            std::int64_t lowest = inputs.grid.index(cells - 1, 0);
            for (std::int64_t cell = 0; cell < before.size(); ++cell) {
                EXPECT_EQ(is_no_data(before[cell]), is_no_data(result.elevation[cell]));
                if (inputs.grid.x(inputs.grid.column_of(cell)) > 0.5 * kExtent &&
                    before[cell] < before[lowest])
                    lowest = cell;
            }
            EXPECT_EQ(result.elevation[lowest], before[lowest]);
            for (std::int64_t cell = 0; cell < before.size(); ++cell)
                if (inputs.grid.x(inputs.grid.column_of(cell)) > 0.5 * kExtent + 250.0) {
                    ASSERT_GE(result.elevation[cell], before[lowest]);
                }
            EXPECT_GT(result.elevation(cells - 1, 0), before(cells - 1, 0) + 20.0F);
        }
}

TEST(Boundary, of_the_edges_of_the_data_leaves_no_island) {
    ErosionInputs inputs = western_outlets(64);
    inputs.boundary = {};
    EXPECT_EQ(erode(inputs, {.time = 1e5}, 3, progress).report.closed_components, 0);
}

TEST(Islands, are_counted_by_the_links_of_the_lattice) {
    // Two cells that touch at a corner, a root, and a lone cell.
    Field<float> z(Grid{.columns = 5, .rows = 3}, kNoData);
    z(0, 0) = 5.0F;
    z(1, 1) = 4.0F;
    z(3, 0) = 9.0F;
    z(4, 0) = 9.0F;
    z(3, 2) = 1.0F;
    Field<std::uint8_t> none(z.grid(), 0);
    none(4, 0) = 1;
    Field<std::uint8_t> by_four = none;
    EXPECT_EQ(root_closed_components(z, four_neighbours(z.grid()), by_four), 3);
    Field<std::uint8_t> by_eight = none;
    EXPECT_EQ(root_closed_components(z, eight_neighbours(z.grid()), by_eight), 2);
    Field<std::uint8_t> expected = none;
    expected(1, 1) = 1;
    expected(3, 2) = 1;
    EXPECT_EQ(by_eight, expected);
    expected(0, 0) = 1;
    EXPECT_EQ(by_four, expected);
    EXPECT_EQ(root_closed_components(z, four_neighbours(z.grid()), by_four), 0);
}

}  // namespace
}  // namespace thalweg
