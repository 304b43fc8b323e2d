#include "thalweg/core/error.hpp"
#include "thalweg/core/execution.hpp"
#include "thalweg/erosion/erode.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"

#include <cmath>
#include <limits>

#include "tests/erosion/solve_transient.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

using ::testing::HasSubstr;

constexpr double kForever = std::numeric_limits<double>::infinity();

/// Ground that falls to the west, with ridges and valleys across, and not a single pit.
Field<float> ridged_slope(const Grid& grid, Progress&) {
    Field<float> z(grid);
    for (int row = 0; row < grid.rows; ++row)
        for (int column = 0; column < grid.columns; ++column) {
            const double x = grid.x(column), y = grid.y(row);
            z(column, row) =
                static_cast<float>(100.0 + 0.02 * x + 60.0 * std::sin(y / 700.0 + x / 3000.0) + 0.001 * y);
        }
    return z;
}

ErosionInputs problem(int cells) {
    ErosionInputs inputs;
    inputs.grid = make_grid(12800.0, 12800.0, cells);
    inputs.elevation = ridged_slope;
    inputs.uplift = constant_source(1e-3F);
    return inputs;
}

/// The network of the ground at time 0, on the lattice on which nodes are cell centres.
ErosionNetwork ground_network(const ErosionInputs& inputs, const ErosionParameters& parameters) {
    const ErosionLevel level = make_erosion_level(inputs, inputs.grid, {}, parameters, 3, progress);
    ErosionNetwork network;
    PhaseTimes phases;
    TerrainRouter().route(level, level.initial, parameters.receivers, receiver_draw_key(3, inputs.grid, 0),
                          network, phases, progress);
    set_celerities(level, parameters.law, network);
    return network;
}

TEST(KeptNetwork, still_drains_every_cell_as_the_ground_at_the_beginning_did) {
    const ErosionInputs inputs = problem(100);
    for (const double time : {2e5, kForever}) {
        const ErosionParameters parameters{
            .time = time, .lattice = ErosionLattice::FourNeighbours, .network = NetworkSource::Terrain};
        const FlowTree tree = ground_network(inputs, parameters).tree;
        const ErosionResult result = erode(inputs, parameters, 3, progress);
        for (const std::int32_t cell : tree.order) {
            const std::int32_t receiver = tree.receiver(cell);
            if (receiver < 0) continue;
            ASSERT_GT(result.elevation[cell], result.elevation[receiver]) << time;
        }
        EXPECT_EQ(result.report.levels, 1);
        EXPECT_EQ(result.report.iterations, 1);
    }
}

TEST(KeptNetwork, is_solved_once_over_the_whole_time) {
    const ErosionInputs inputs = problem(80);
    const ErosionParameters parameters{.time = 3e5,
                                       .lattice = ErosionLattice::FourNeighbours,
                                       .network = NetworkSource::Terrain,
                                       .optimisation_iterations = 0};
    const ErosionNetwork network = ground_network(inputs, parameters);
    const ErosionLevel level = make_erosion_level(inputs, inputs.grid, {}, parameters, 3, progress);
    Field<float> expected = level.initial;
    solve_transient(network.tree, parameters.law, network.path_inputs(level), 3e5, level.initial, expected,
                    progress);
    const ErosionResult result = erode(inputs, parameters, 3, progress);
    EXPECT_EQ(result.elevation, expected);
    EXPECT_FALSE(result.report.optimisation);
}

TEST(KeptNetwork, loses_most_of_its_discontinuities_by_default) {
    for (const ErosionLattice lattice :
         {ErosionLattice::Mesh, ErosionLattice::FourNeighbours, ErosionLattice::EightNeighbours})
        for (const double time : {5e5, kForever}) {
            const ErosionReport report =
                erode(problem(200), {.time = time, .lattice = lattice, .network = NetworkSource::Terrain}, 3,
                      progress)
                    .report;
            ASSERT_TRUE(report.optimisation);
            EXPECT_EQ(report.optimisation->iterations, 50);
            EXPECT_GT(report.optimisation->discontinuous_share_before, 0.003);
            EXPECT_LT(report.optimisation->discontinuous_share_after,
                      report.optimisation->discontinuous_share_before / 3.0);
            EXPECT_LT(report.optimisation->objective_after, report.optimisation->objective_before / 5.0);
        }
}

TEST(Optimisation, of_a_free_network_cleans_what_the_levels_left) {
    for (const ErosionMethod method : {ErosionMethod::Analytical, ErosionMethod::FixedPoint})
        for (const double time : {4e5, kForever}) {
            ErosionParameters parameters{.time = time, .method = method, .fixed_point_iterations = 5};
            const ErosionResult plain = erode(problem(300), parameters, 3, progress);
            parameters.optimisation_iterations = 30;
            const ErosionResult clean = erode(problem(300), parameters, 3, progress);
            EXPECT_FALSE(plain.report.optimisation);
            ASSERT_TRUE(clean.report.optimisation);
            EXPECT_EQ(clean.report.optimisation->iterations, 30);
            EXPECT_LT(clean.report.optimisation->objective_after,
                      clean.report.optimisation->objective_before);
            EXPECT_LE(clean.report.optimisation->discontinuous_share_after,
                      clean.report.optimisation->discontinuous_share_before);
            EXPECT_NE(clean.elevation, plain.elevation);
        }
}

TEST(Optimisation, reaches_every_definition_of_time) {
    for (const TimeDefinition definition : {TimeDefinition::Multilevel, TimeDefinition::FullResolution})
        for (const int cells : {100, 300}) {
            const ErosionParameters parameters{
                .time = 1e5, .time_definition = definition, .optimisation_iterations = 3};
            EXPECT_TRUE(erode(problem(cells), parameters, 3, progress).report.optimisation);
        }
}

TEST(Optimisation, leaves_closed_basins_as_deep_as_they_were) {
    ErosionInputs inputs = problem(64);
    inputs.elevation = [](const Grid& grid, Progress& told) {
        Field<float> z = ridged_slope(grid, told);
        for (int row = 25; row < 35; ++row)
            for (int column = 40; column < 50; ++column) z(column, row) -= 150.0F;
        return z;
    };
    ErosionParameters parameters{.time = 1e4,
                                 .lattice = ErosionLattice::FourNeighbours,
                                 .network = NetworkSource::Terrain,
                                 .optimisation_iterations = 0};
    const Field<float> before = erode(inputs, parameters, 3, progress).elevation;
    parameters.optimisation_iterations = 50;
    const Field<float> after = erode(inputs, parameters, 3, progress).elevation;
    EXPECT_LT(after(45, 30), before(45, 30) + 30.0F);
    EXPECT_LT(after(45, 30), after(36, 30) - 50.0F);
}

TEST(KeptNetwork, has_the_same_bits_on_any_number_of_threads) {
    const ErosionParameters parameters{.time = 5e5, .network = NetworkSource::Terrain};
    const ExecutionScope on_one_thread({.threads = 1});
    const Field<float> expected = erode(problem(150), parameters, 3, progress).elevation;
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(erode(problem(150), parameters, 3, progress).elevation, expected) << threads;
    }
}

std::string refusal(const ErosionParameters& parameters) {
    try {
        erode(problem(32), parameters, 3, progress);
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "no error";
}

TEST(KeptNetwork, is_refused_to_methods_that_find_networks_as_they_go) {
    for (const ErosionMethod method : {ErosionMethod::FixedPoint, ErosionMethod::Stepping})
        EXPECT_THAT(refusal({.time = 1e5, .method = method, .network = NetworkSource::Terrain}),
                    HasSubstr("network = \"terrain\" is not allowed with a method other than"));
}

TEST(Optimisation, refuses_stepping_and_less_than_no_iterations) {
    EXPECT_THAT(refusal({.time = 1e5, .method = ErosionMethod::Stepping, .optimisation_iterations = 10}),
                HasSubstr("optimisation_iterations = 10 is not allowed with method = \"stepping\""));
    EXPECT_THAT(refusal({.optimisation_iterations = -2}),
                HasSubstr("optimisation_iterations = -2 is not allowed: give 0 or more, or -1"));
}

}  // namespace
}  // namespace thalweg
