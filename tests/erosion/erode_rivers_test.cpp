// Erosion along drawn rivers.
#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Flat ground that drains to the south alone, where a trunk and a tributary are drawn.
ErosionInputs drawn_problem(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(12800.0, 12800.0, cells);
    inputs.elevation = constant_source(0.0F);
    inputs.uplift = constant_source(1e-3F);
    inputs.boundary = Field<std::uint8_t>(inputs.grid, 0);
    for (int column = 0; column < cells; ++column) inputs.boundary(column, cells - 1) = 1;
    inputs.rivers = {{{2000.0, 11000.0, 5000.0, 8000.0, 6400.0, 4000.0, 7000.0, 0.0}},
                     {{10500.0, 10000.0, 8500.0, 6000.0, 6400.0, 4000.0}}};
    return inputs;
}

/// The network of a terrain without the drawn rivers: where its own slopes lead.
FlowTree own_tree(const ErosionInputs& inputs, const Field<float>& z) {
    Field<std::uint8_t> roots = inputs.boundary;
    return build_flow_tree(z, eight_neighbours(inputs.grid), roots, progress);
}

/// Share of the places along a line next to which the terrain's own river drains most of what it drains at
/// all.
double followed_share(const ErosionInputs& inputs, const Field<float>& z, const DrawnRiver& river) {
    const Field<double> area = drainage_area(own_tree(inputs, z));
    const Grid& grid = inputs.grid;
    int places = 0, followed = 0;
    for (std::size_t i = 0; i + 3 < river.points.size(); i += 2)
        for (double share = 0.05; share < 1.0; share += 0.1) {
            const int column = static_cast<int>(std::lround(
                grid.column_at(river.points[i] + share * (river.points[i + 2] - river.points[i]))));
            const int row = static_cast<int>(std::lround(
                grid.row_at(river.points[i + 1] + share * (river.points[i + 3] - river.points[i + 1]))));
            double largest = 0.0;
            for (int r = std::max(0, row - 1); r <= std::min(grid.rows - 1, row + 1); ++r)
                for (int c = std::max(0, column - 1); c <= std::min(grid.columns - 1, column + 1); ++c)
                    largest = std::max(largest, area(c, r));
            ++places;
            followed += largest > 20.0 * grid.cell_area() ? 1 : 0;
        }
    return static_cast<double>(followed) / places;
}

TEST(ErodeAlongRivers, makes_valleys_that_the_terrain_s_own_water_follows) {
    for (const ErosionLattice lattice :
         {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours})
        for (const double time : {4e6, kForever}) {
            const ErosionInputs inputs = drawn_problem(128);
            const Field<float> z = erode(inputs, {.time = time, .lattice = lattice}, 3, progress).elevation;
            for (const DrawnRiver& river : inputs.rivers)
                EXPECT_GT(followed_share(inputs, z, river), 0.85) << time;
            // Water leaves where the trunk was drawn to.
            const Field<double> area = drainage_area(own_tree(inputs, z));
            const auto mouth = std::max_element(area.begin(), area.end()) - area.begin();
            EXPECT_NEAR(inputs.grid.x(inputs.grid.column_of(mouth)), 7000.0, 300.0);
            EXPECT_GT(area[mouth], 0.5 * 12800.0 * 12800.0);
        }
}

TEST(ErodeAlongRivers, without_them_finds_other_valleys) {
    ErosionInputs inputs = drawn_problem(128);
    const std::vector<DrawnRiver> rivers = std::exchange(inputs.rivers, {});
    const Field<float> z = erode(inputs, {}, 3, progress).elevation;
    EXPECT_LT(followed_share(inputs, z, rivers[0]), 0.85);
}

TEST(ErodeAlongRivers, gives_the_same_mountains_at_every_size) {
    const Field<float> coarse = erode(drawn_problem(128), {}, 3, progress).elevation;
    const Field<float> fine = erode(drawn_problem(256), {}, 3, progress).elevation;
    double product = 0.0, coarse_square = 0.0, fine_square = 0.0, mean_coarse = 0.0, mean_fine = 0.0;
    const auto fine_at = [&](int column, int row) {
        return (double{fine(2 * column, 2 * row)} + double{fine(2 * column + 1, 2 * row + 1)}) / 2.0;
    };
    for (int row = 0; row < 128; ++row)
        for (int column = 0; column < 128; ++column) {
            mean_coarse += double{coarse(column, row)} / (128.0 * 128.0);
            mean_fine += fine_at(column, row) / (128.0 * 128.0);
        }
    for (int row = 0; row < 128; ++row)
        for (int column = 0; column < 128; ++column) {
            const double a = double{coarse(column, row)} - mean_coarse, b = fine_at(column, row) - mean_fine;
            product += a * b;
            coarse_square += a * a;
            fine_square += b * b;
        }
    EXPECT_GT(product / std::sqrt(coarse_square * fine_square), 0.9);
}

TEST(ErodeAlongRivers, keeps_a_drawn_network_on_the_ground_s_own) {
    // The ground falls to the south; the river runs across it, and then down.
    ErosionInputs inputs = drawn_problem(100);
    inputs.elevation = [](const Grid& grid, Progress&) {
        Field<float> z(grid);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            z[cell] = static_cast<float>(0.01 * grid.y(grid.row_of(cell)));
        return z;
    };
    inputs.rivers = {{{2000.0, 9000.0, 11000.0, 8000.0, 11000.0, 0.0}}};
    const ErosionParameters parameters{.lattice = ErosionLattice::FourNeighbours,
                                       .network = NetworkSource::Terrain};
    const ErosionResult result = erode(inputs, parameters, 3, progress);
    const ErosionLevel level =
        make_erosion_level(inputs, inputs.grid, inputs.boundary, parameters, 3, progress);
    EXPECT_GT(level.courses.cells.size(), 100U);
    const std::array<std::int32_t, 8> steps = level.lattice.index_steps();
    for (const CourseCell& course : level.courses.cells)
        ASSERT_GT(result.elevation[course.cell], result.elevation[course.cell + steps[course.direction]]);
    ASSERT_TRUE(result.report.optimisation);
    EXPECT_LT(result.report.optimisation->objective_after, result.report.optimisation->objective_before);
}

TEST(ErodeAlongRivers, has_the_same_bits_on_any_number_of_threads) {
    const ErosionInputs inputs = drawn_problem(150);
    const ExecutionScope on_one_thread({.threads = 1});
    const Field<float> expected = erode(inputs, {.time = 5e5}, 3, progress).elevation;
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(erode(inputs, {.time = 5e5}, 3, progress).elevation, expected) << threads;
    }
}

TEST(ErodeAlongRivers, refuses_one_that_lies_outside) {
    ErosionInputs inputs = drawn_problem(64);
    inputs.rivers.push_back({{20000.0, 500.0, 30000.0, 500.0}});
    try {
        erode(inputs, {}, 3, progress);
        FAIL();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("river 3 lies outside the landscape"));
    }
}

}  // namespace
}  // namespace thalweg
