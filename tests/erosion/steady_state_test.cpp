#include "thalweg/erosion/solvers/steady_state.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/law/least_rise.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/erosion/channel.hpp"
#include "tests/erosion/solve_transient.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Largest relative error of the steady channel against u times the travel time.
double steady_error(int cells) {
    Channel channel(cells, 20000.0);
    Field<float> z = channel.initial;
    solve_steady(channel.tree, channel.law, channel.inputs(), z, progress);
    double worst = 0.0;
    for (int i = 1; i < cells; ++i) {
        const double exact = Channel::kUplift * channel.travel_time(channel.x(i));
        worst = std::max(worst, std::abs(double{z[i]} - exact) / exact);
    }
    return worst;
}

TEST(SolveSteady, matches_the_closed_form_of_a_single_channel_to_first_order) {
    const double at_128 = steady_error(129);
    const double at_512 = steady_error(513);
    const double at_2048 = steady_error(2049);
    EXPECT_LT(at_128, 0.06);
    EXPECT_LT(at_2048, 0.005);
    // The order of convergence: errors fall four times with spacing.
    EXPECT_NEAR(std::log(at_128 / at_512) / std::log(4.0), 1.0, 0.15);
    EXPECT_NEAR(std::log(at_512 / at_2048) / std::log(4.0), 1.0, 0.15);
}

TEST(SolveTransient, of_flat_ground_rises_with_the_uplift_until_the_signal_arrives) {
    Channel channel(513, 20000.0);
    const double time = 0.4 * channel.travel_time(20000.0);
    Field<float> z;
    z = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), time, channel.initial, z, progress);
    for (int i = 1; i < 513; ++i) {
        const double exact = Channel::kUplift * std::min(time, channel.travel_time(channel.x(i)));
        ASSERT_NEAR(z[i], exact, 0.01 * Channel::kUplift * time) << "at " << channel.x(i) << " m";
    }
    // The least slope of 1e-6 lifts the far end by up to 0.02 m.
    EXPECT_NEAR(z[512], Channel::kUplift * time, 0.02);
}

TEST(SolveTransient, moves_a_knickpoint_to_within_one_cell_of_its_place) {
    Channel channel(401, 20000.0);
    std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
    constexpr int kStep = 100;  // cell where a cliff of 100 m stands at first
    for (int i = kStep; i < 401; ++i) channel.initial[i] = 100.0F;
    const double reached = 12000.0;  // m
    const double time = channel.travel_time(reached) - channel.travel_time(channel.x(kStep) - 0.5 * 50.0);
    Field<float> z = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), time, channel.initial, z, progress);
    int knickpoint = 0;
    int width = 0;
    for (int i = 0; i < 401; ++i) {
        if (z[i] < 50.0F) knickpoint = i;
        if (z[i] > 5.0F && z[i] < 95.0F) ++width;
    }
    EXPECT_NEAR(channel.x(knickpoint) + 25.0, reached, 50.0);
    EXPECT_LE(width, 3);
    EXPECT_NEAR(z[400], 100.0, 0.1);
}

/// A random forest on a plain grid, random inputs on it.
struct RandomProblem {
    FlowTree tree;
    std::vector<float> length, celerity, uplift;
    Field<float> initial;

    explicit RandomProblem(std::uint64_t seed, int side = 40) {
        Field<float> z(Grid{.columns = side, .rows = side, .cell_size = 30.0});
        const auto draw = [&](std::int64_t cell, std::uint64_t what) {
            return unit_float(random_bits(seed, Stream::SeedTerrain, static_cast<std::uint64_t>(cell), what));
        };
        for (std::int64_t cell = 0; cell < z.size(); ++cell) z[cell] = 200.0F * draw(cell, 0);
        const Lattice lattice = four_neighbours(z.grid());
        tree = build_flow_tree(z, lattice, edge_roots(z), progress);
        initial = z;
        // Ground that rises upstream along every path.
        for (const std::int32_t cell : tree.order)
            if (tree.receiver(cell) >= 0)
                initial[cell] = initial[tree.receiver(cell)] + 5.0F + 20.0F * draw(cell, 4);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            length.push_back(
                tree.receiver(static_cast<std::int32_t>(cell)) < 0 ? 0.0F : 15.0F + 15.0F * draw(cell, 1));
            celerity.push_back(1e-3F + 1e-2F * draw(cell, 2));
            uplift.push_back(2e-3F * draw(cell, 3));
        }
    }

    [[nodiscard]] PathInputs inputs() const { return {length, celerity, uplift}; }
};

/// The closed form by walking down from one cell: slow and obvious.
double elevation_by_walking_down(const RandomProblem& p, std::int32_t cell, double time) {
    double gained = 0.0;
    double remaining = time;
    for (;;) {
        const std::int32_t receiver = p.tree.receiver(cell);
        if (receiver < 0) return gained + double{p.initial[cell]};
        const double step = double{p.length[at(cell)]} / double{p.celerity[at(cell)]};
        const double uplift = double{p.uplift[at(cell)]};
        // The characteristic starts between this node and its receiver: z0 minus accumulated uplift is linear
        // there.
        if (step > remaining) {
            const double share = remaining / step;
            return gained + uplift * remaining + double{p.initial[cell]} * (1.0 - share) +
                   double{p.initial[receiver]} * share;
        }
        gained += uplift * step;
        remaining -= step;
        cell = receiver;
    }
}

TEST(SolveTransient, agrees_with_walking_down_every_path) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const RandomProblem p(seed);
        for (const double time : {100.0, 5e3, 2e4, 1e6}) {
            Field<float> z = p.initial;
            solve_transient(p.tree, {.thermal = false}, p.inputs(), time, p.initial, z, progress);
            // What water follows never rises downstream, and erosion never builds up.
            std::vector<double> surface(p.length.size());
            for (const std::int32_t cell : p.tree.order) {
                const std::int32_t receiver = p.tree.receiver(cell);
                const double walked = elevation_by_walking_down(p, cell, time);
                surface[at(cell)] = receiver < 0 ? walked : std::max(walked, surface[at(receiver)]);
                const double risen = double{p.initial[cell]} + double{p.uplift[at(cell)]} * time;
                const double expected = receiver < 0 ? walked : std::min(surface[at(cell)], risen);
                ASSERT_NEAR(z[cell], expected, 0.02)
                    << "seed " << seed << " time " << time << " cell " << cell;
            }
        }
    }
}

/// A river of `cells` links in a row, on ground of random steps, through rock of random strength.
RandomProblem long_river(int cells) {
    RandomProblem p(2, 3);
    const auto draw = [](std::int64_t cell, std::uint64_t what) {
        return unit_float(random_bits(9, Stream::SeedTerrain, static_cast<std::uint64_t>(cell), what));
    };
    p.tree = {};
    p.tree.grid = Grid{.columns = cells, .rows = 1, .cell_size = 30.0};
    p.tree.direction.assign(at(cells), 4);
    p.tree.direction[0] = kRoot;
    order_tree(p.tree, progress);
    p.initial = Field<float>(p.tree.grid, 10.0F);
    p.length.assign(1, 0.0F);
    p.celerity.assign(1, 1e-2F);
    p.uplift.assign(1, 0.0F);
    for (int cell = 1; cell < cells; ++cell) {
        p.initial[cell] = p.initial[cell - 1] + draw(cell, 0);
        p.length.push_back(15.0F + 15.0F * draw(cell, 1));
        p.celerity.push_back(1e-3F + 1e-2F * draw(cell, 2));
        p.uplift.push_back(2e-3F * draw(cell, 3));
    }
    return p;
}

TEST(SolveTransient, agrees_with_walking_down_a_river_of_thousands_of_links) {
    const RandomProblem p = long_river(3000);
    double reach = 0.0;  // yr, that a signal takes up the whole river
    for (std::size_t cell = 1; cell < p.length.size(); ++cell)
        reach += double{p.length[cell]} / double{p.celerity[cell]};
    for (const double share : {1e-4, 1e-3, 0.01, 0.1, 0.5, 0.99, 1.01}) {
        const double time = share * reach;
        Field<float> z = p.initial;
        solve_transient(p.tree, {.thermal = false}, p.inputs(), time, p.initial, z, progress);
        float surface = 10.0F;
        for (std::int32_t cell = 1; cell < 3000; ++cell) {
            const double walked = elevation_by_walking_down(p, cell, time);
            surface = std::max(static_cast<float>(walked), least_above(surface, p.length[at(cell)]));
            const double risen = double{p.initial[cell]} + double{p.uplift[at(cell)]} * time;
            ASSERT_NEAR(z[cell], std::min(double{surface}, risen), 1e-6 * double{surface})
                << "time " << time << " cell " << cell;
        }
    }
}

TEST(SolveTransient, may_write_over_its_start_and_leaves_cells_outside_without_data) {
    RandomProblem p(7);
    for (std::int64_t cell = 300; cell < 310; ++cell) p.initial[cell] = std::nanf("");
    p.tree = build_flow_tree(p.initial, four_neighbours(p.initial.grid()), edge_roots(p.initial), progress);
    TransientSolver solver;
    Field<float> apart(p.initial.grid(), 7.0F);
    solver.solve({p.tree, {}, p.inputs(), 2e4, p.initial}, apart, progress);
    solver.solve({p.tree, {}, p.inputs(), 2e4, p.initial}, p.initial, progress);
    for (std::int64_t cell = 0; cell < apart.size(); ++cell) {
        EXPECT_EQ(std::isnan(apart[cell]), cell >= 300 && cell < 310);
        if (!std::isnan(apart[cell])) {
            EXPECT_EQ(apart[cell], p.initial[cell]);
        }
    }
}

TEST(SolveTransient, of_a_very_long_time_is_the_steady_state) {
    const RandomProblem p(11);
    for (const bool thermal : {false, true}) {
        const ErosionLaw law{.thermal = thermal, .critical_slope = 0.1};
        Field<float> steady = p.initial;
        solve_steady(p.tree, law, p.inputs(), steady, progress);
        Field<float> aged = p.initial;
        solve_transient(p.tree, law, p.inputs(), 1e12, p.initial, aged, progress);
        for (std::int64_t cell = 0; cell < aged.size(); ++cell) ASSERT_NEAR(aged[cell], steady[cell], 1e-2);
    }
}

/// Mean difference, m, from implicit stepping (Braun and Willett 2013, eq. 23 for n = 1) of a ramp with
/// `cells` cells.
double difference_from_stepping(int cells, int steps) {
    constexpr double kTime = 1e5;  // yr
    Channel channel(cells, 10000.0);
    for (int i = 0; i < cells; ++i) channel.initial[i] = static_cast<float>(0.01 * channel.x(i));
    Field<float> z = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), kTime, channel.initial, z, progress);
    std::vector<double> h(channel.initial.begin(), channel.initial.end());
    const double dt = kTime / steps;
    for (int step = 0; step < steps; ++step)
        for (std::size_t i = 1; i < h.size(); ++i) {
            const double courant = double{channel.celerity[i]} * dt / double{channel.length[i]};
            h[i] = (h[i] + Channel::kUplift * dt + courant * h[i - 1]) / (1.0 + courant);
        }
    double sum = 0.0;
    for (std::size_t i = 0; i < h.size(); ++i)
        sum += std::abs(h[i] - double{z[static_cast<std::int64_t>(i)]});
    return sum / static_cast<double>(h.size());
}

TEST(SolveTransient, is_what_implicit_stepping_converges_to) {
    const double coarse = difference_from_stepping(101, 200);
    const double fine = difference_from_stepping(401, 800);
    EXPECT_LT(fine, 0.6 * coarse);
    EXPECT_LT(fine, 0.3);  // m, where the ground stands near 100 m
}

TEST(SolveTransient, leaves_the_floor_of_a_basin_alone_until_its_sill_is_cut_down_to_it) {
    Channel channel(5, 400.0);
    const float heights[] = {0.0F, 50.0F, 20.0F, 20.0F, 80.0F};  // a basin behind a sill of 50 m
    std::copy(std::begin(heights), std::end(heights), channel.initial.begin());
    std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
    bool lake = false, drained = false;
    for (double time = 1e3; time < 1e7; time *= 1.2) {
        Field<float> z = channel.initial;
        solve_transient(channel.tree, channel.law, channel.inputs(), time, channel.initial, z, progress);
        ASSERT_GE(z[4], z[1]);  // above the lake, the ground does not sink below it
        if (z[1] >= 20.0F) {
            ASSERT_EQ(z[2], 20.0F);
            ASSERT_EQ(z[3], 20.0F);
            lake = true;
        } else {
            ASSERT_LT(z[2], 20.1F);
            drained = true;
        }
    }
    EXPECT_TRUE(lake && drained);
}

TEST(SolveTransient, cuts_ground_above_a_basin_down_to_the_level_of_its_lake_or_to_its_dry_floor) {
    Channel channel(5, 400.0);
    const float heights[] = {0.0F, 50.0F, 20.0F, 20.0F, 80.0F};  // a sill of 50 m, a floor of 20 m
    std::copy(std::begin(heights), std::end(heights), channel.initial.begin());
    std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
    std::vector<double> travel_time(5, 0.0);
    for (std::size_t i = 1; i < 5; ++i)
        travel_time[i] = travel_time[i - 1] + double{channel.length[i]} / double{channel.celerity[i]};
    // What reaches the head by then left the middle of the lake.
    const double time = travel_time[4] - 0.5 * (travel_time[2] + travel_time[3]);
    Field<float> z = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), time, channel.initial, z, progress);
    EXPECT_NEAR(z[4], 50.0F, 0.1F);
    PathInputs dry = channel.inputs();
    dry.floors_are_base_levels = true;
    solve_transient(channel.tree, channel.law, dry, time, channel.initial, z, progress);
    EXPECT_NEAR(z[4], 20.0F, 0.1F);
}

TEST(SolveTransient, above_the_floor_of_a_dry_basin_is_that_above_an_outlet_which_rises_with_the_rock) {
    Channel basin(41, 4000.0);
    for (int i = 0; i < 41; ++i) basin.initial[i] = i == 1 ? 500.0F : 20.0F + 10.0F * static_cast<float>(i);
    basin.celerity[1] = 1e-9F;  // a sill that holds
    Channel outlet = basin;
    outlet.tree.direction[2] = kRoot;
    order_tree(outlet.tree, progress);
    std::vector<float> fall(41, 0.0F);
    fall[2] = -outlet.uplift[2];
    for (const double time : {1e3, 1e4, 1e5}) {
        Field<float> found = basin.initial, expected = basin.initial;
        PathInputs inputs = basin.inputs();
        inputs.floors_are_base_levels = true;
        solve_transient(basin.tree, basin.law, inputs, time, basin.initial, found, progress);
        inputs.root_fall = fall;
        solve_transient(outlet.tree, outlet.law, inputs, time, outlet.initial, expected, progress);
        ASSERT_GT(found[1], found[2]);
        for (int i = 2; i < 41; ++i) ASSERT_NEAR(found[i], expected[i], 0.01F) << i << " after " << time;
    }
}

TEST(SolveTransient, lets_the_floor_of_a_dry_basin_follow_its_receiver_down_once_that_is_as_low) {
    Channel channel(3, 200.0);
    const float heights[] = {0.0F, 50.0F, 20.0F};
    std::copy(std::begin(heights), std::end(heights), channel.initial.begin());
    std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
    PathInputs inputs = channel.inputs();
    inputs.floors_are_base_levels = true;
    const double years = double{channel.length[1]} / double{channel.celerity[1]};  // up to the sill
    Field<float> z = channel.initial;
    solve_transient(channel.tree, channel.law, inputs, 0.5 * years, channel.initial, z, progress);
    EXPECT_EQ(z[2], 20.0F);
    solve_transient(channel.tree, channel.law, inputs, 100.0 * years, channel.initial, z, progress);
    EXPECT_LT(z[2], 5.0F);
    EXPECT_GE(z[2], z[1]);
}

TEST(SolveTransient, lets_the_floor_of_a_basin_rise_with_the_rock) {
    Channel channel(5, 400.0);
    const float heights[] = {0.0F, 50.0F, 20.0F, 20.0F, 80.0F};
    std::copy(std::begin(heights), std::end(heights), channel.initial.begin());
    Field<float> z = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), 1e3, channel.initial, z, progress);
    EXPECT_FLOAT_EQ(z[2], 20.0F + static_cast<float>(1e3 * Channel::kUplift));
}

TEST(SolveTransient, of_rock_that_does_not_erode_or_a_moment_leaves_the_ground_as_it_was) {
    for (const auto& [celerity, years] :
         {std::pair{1e-38F, 5e3}, std::pair{0.0F, 5e3}, std::pair{1e-3F, 1e-12}}) {
        Channel channel(401, 20000.0);
        for (int i = 0; i < 401; ++i) channel.initial[i] = 2.0F * static_cast<float>(i);
        std::fill(channel.celerity.begin(), channel.celerity.end(), celerity);
        std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
        Field<float> z = channel.initial;
        ErosionLaw law;
        law.thermal = false;
        solve_transient(channel.tree, law, channel.inputs(), years, channel.initial, z, progress);
        for (int i = 0; i < 401; ++i) ASSERT_NEAR(z[i], channel.initial[i], 0.01) << celerity;
    }
}

TEST(SolveTransient, fills_a_shallow_basin_so_that_it_drains) {
    Channel channel(5, 400.0);
    const float heights[] = {0.0F, 50.0F, 49.5F, 49.2F, 80.0F};
    std::copy(std::begin(heights), std::end(heights), channel.initial.begin());
    std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
    Field<float> z = channel.initial;
    PathInputs inputs = channel.inputs();
    solve_transient(channel.tree, channel.law, inputs, 1.0, channel.initial, z, progress);
    EXPECT_NEAR(z[2], 49.5F, 0.01F);
    inputs.filled_depth = 1.0F;
    solve_transient(channel.tree, channel.law, inputs, 1.0, channel.initial, z, progress);
    EXPECT_NEAR(z[2], 50.0F, 0.1F);
    for (int i = 1; i < 5; ++i) EXPECT_GT(z[i], z[i - 1]);
}

TEST(SolveTransient, never_builds_a_basin_up_to_its_sill) {
    Channel channel(101, 10000.0);
    std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
    for (int i = 1; i < 101; ++i) channel.initial[i] = i < 20 ? 500.0F : 100.0F;
    Field<float> z = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), 2e4, channel.initial, z, progress);
    for (int i = 20; i < 101; ++i) ASSERT_EQ(z[i], 100.0F);
}

TEST(Solvers, level_ground_drains_even_where_floats_are_coarse) {
    Channel channel(401, 20000.0);
    std::fill(channel.uplift.begin(), channel.uplift.end(), 0.0F);
    std::fill(channel.initial.begin(), channel.initial.end(), 3000.0F);
    Field<float> steady = channel.initial;
    solve_steady(channel.tree, channel.law, channel.inputs(), steady, progress);
    Field<float> aged = channel.initial;
    solve_transient(channel.tree, channel.law, channel.inputs(), 1e5, channel.initial, aged, progress);
    for (int i = 1; i < 401; ++i) {
        ASSERT_GT(steady[i], steady[i - 1]);
        ASSERT_GE(aged[i], aged[i - 1]);
        ASSERT_LE(aged[i], 3000.0F);
    }
    EXPECT_LT(steady[400], 3000.2F);
}

/// Short and long times, with and without landslides, on outlets that stay and that fall.
template <class Solver>
std::vector<Field<float>> solutions() {
    const RandomProblem p(5, 300);
    std::vector<Field<float>> results;
    Solver solver;
    for (const double time : {5e3, 2e4, 1e6})
        for (const ErosionLaw& law : {ErosionLaw{}, ErosionLaw{.thermal = false, .base_slope = 0.01}}) {
            results.push_back(p.initial);
            PathInputs inputs = p.inputs();
            inputs.floors_are_base_levels = law.thermal;  // half of the problem's cells lie in basins
            solver.solve({p.tree, law, inputs, time, p.initial}, results.back(), progress);
        }
    return results;
}

TEST(SolveTransient, is_the_same_by_both_ways_but_for_rounding) {
    const std::vector<Field<float>> from_below = solutions<BackwardCharacteristics>();
    const std::vector<Field<float>> along_paths = solutions<ForwardCharacteristics>();
    for (std::size_t i = 0; i < from_below.size(); ++i) expect_alike(from_below[i], along_paths[i]);
    EXPECT_GT(std::abs(from_below[0][150 * 300 + 150] - from_below[4][150 * 300 + 150]), 1.0F);
}

TEST(SolveTransient, is_the_same_on_1_2_and_8_threads) {
    const ExecutionScope on_one_thread({.threads = 1});
    const std::vector<Field<float>> from_below = solutions<BackwardCharacteristics>();
    const std::vector<Field<float>> along_paths = solutions<ForwardCharacteristics>();
    for (const int threads : {2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        EXPECT_EQ(solutions<BackwardCharacteristics>(), from_below);
        EXPECT_EQ(solutions<ForwardCharacteristics>(), along_paths);
    }
}

TEST(SolveTransient, is_the_same_with_vectors_of_4_8_and_16) {
    const std::vector<Field<float>> widest = solutions<ForwardCharacteristics>();
    for (const int lanes : {4, 8}) {
        limit_vector_lanes(lanes);
        EXPECT_EQ(solutions<ForwardCharacteristics>(), widest) << lanes;
    }
    limit_vector_lanes(0);
}

TEST(SolveTransient, of_single_cells_rows_and_columns_is_the_same_by_both_ways) {
    for (const auto& [columns, rows] :
         {std::pair{1, 1}, std::pair{1, 40}, std::pair{40, 1}, std::pair{2, 3}}) {
        Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = 30.0});
        for (std::int64_t cell = 0; cell < z.size(); ++cell) z[cell] = static_cast<float>(7 * cell % 50);
        Field<std::uint8_t> root(z.grid(), 0);
        root[z.size() / 2] = 1;
        const FlowTree tree = build_flow_tree(z, four_neighbours(z.grid()), root, progress);
        const std::vector<float> length(at(z.size()), 30.0F), celerity(at(z.size()), 1e-3F),
            uplift(at(z.size()), 1e-3F);
        for (const double time : {1e3, 1e5, 1e7}) {
            Field<float> solved = z;
            solve_transient(tree, {}, {length, celerity, uplift}, time, z, solved, progress);
            EXPECT_EQ(solved[z.size() / 2], z[z.size() / 2]);
        }
    }
}

TEST(SolveSteady, leaves_no_residual_along_receivers) {
    const RandomProblem p(3);
    Field<float> z = p.initial;
    solve_steady(p.tree, {}, p.inputs(), z, progress);
    const std::vector<float> residuals = steady_residuals(p.tree, {}, p.inputs(), z);
    ASSERT_EQ(residuals.size(), p.tree.direction.size());
    std::int64_t counted = 0;
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const float residual = residuals[at(cell)];
        if (p.tree.direction[at(cell)] >= kRoot) {
            ASSERT_TRUE(std::isnan(residual));
        }
        if (std::isnan(residual)) continue;
        ASSERT_LT(residual, 1e-4F);
        ++counted;
    }
    EXPECT_GT(counted, 1000);
    // The check can fail: any other terrain has a residual.
    std::vector<float> other = steady_residuals(p.tree, {}, p.inputs(), p.initial);
    std::erase_if(other, [](float residual) { return std::isnan(residual); });
    EXPECT_GT(*std::max_element(other.begin(), other.end()), 0.1F);
}

TEST(SteadyResiduals, are_the_same_on_1_2_and_8_threads) {
    const RandomProblem p(5, 300);
    std::vector<std::vector<std::uint32_t>> bits;
    for (const int threads : {1, 2, 8}) {
        const ExecutionScope on_threads({.threads = threads});
        bits.emplace_back();
        for (const float residual : steady_residuals(p.tree, {}, p.inputs(), p.initial))
            bits.back().push_back(std::bit_cast<std::uint32_t>(residual));
    }
    EXPECT_EQ(bits[0], bits[1]);
    EXPECT_EQ(bits[0], bits[2]);
}

TEST(SolveSteady, thermal_erosion_gives_the_slope_where_both_processes_balance_uplift) {
    Channel channel(3, 200.0);
    channel.law.thermal = true;
    channel.law.critical_slope = 0.01;
    const double a = double{channel.celerity[1]};
    ASSERT_GT(Channel::kUplift / a, channel.law.critical_slope);
    Field<float> z = channel.initial;
    solve_steady(channel.tree, channel.law, channel.inputs(), z, progress);
    const double slope = (Channel::kUplift + channel.law.thermal_erosion * channel.law.critical_slope) /
                         (a + channel.law.thermal_erosion);
    EXPECT_NEAR(z[1], 100.0 * slope, 1e-4);
}

}  // namespace
}  // namespace thalweg
