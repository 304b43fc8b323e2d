#include "thalweg/erosion/correction/network_fit.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/solvers/steady_state.hpp"
#include "thalweg/erosion/terrain_quality.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <cmath>

#include "tests/erosion/solve_transient.hpp"
#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// A terrain that has been eroded on the network of the ground it began from.
struct Kept {
    Lattice lattice;
    FlowTree tree;
    Field<float> elevation;

    static Kept on(Lattice lattice, const Field<float>& ground, double time = 1e6) {
        Kept kept{std::move(lattice), {}, ground};
        kept.tree = build_flow_tree(ground, kept.lattice, edge_roots(ground), progress);
        const Field<double> area = drainage_area(kept.tree);
        const ErosionLaw law;
        std::vector<float> length(area.values().size(), 0.0F), celerity, uplift(length.size(), 1e-3F);
        for (std::int64_t cell = 0; cell < area.size(); ++cell) {
            const int direction = kept.tree.direction[at(cell)];
            if (direction < kRoot)
                length[at(cell)] = static_cast<float>(kept.lattice.distance(cell, direction));
            celerity.push_back(static_cast<float>(law.celerity(area[cell], law.erodibility)));
        }
        solve_transient(kept.tree, law, {length, celerity, uplift}, time, ground, kept.elevation, progress);
        return kept;
    }
};

Field<float> hills(int columns, int rows) {
    Field<float> z(Grid{.columns = columns, .rows = rows, .cell_size = 100.0});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            z(column, row) = static_cast<float>(300.0 + 150.0 * std::sin(column / 17.0) +
                                                120.0 * std::cos(row / 13.0 + column / 40.0) +
                                                20.0 * std::sin(column / 3.0 + row / 2.3));
    return z;
}

Kept kept_hills(int columns = 120, int rows = 100) {
    const Field<float> z = hills(columns, rows);
    return Kept::on(jittered_mesh(z.grid(), 5, 0.4, progress), z);
}

std::vector<float> differences_of(const FlowTree& tree, const Field<float>& z) {
    std::vector<float> d(tree.direction.size(), 0.0F);
    for (const std::int32_t cell : tree.order)
        if (tree.receiver(cell) >= 0) d[at(cell)] = z[cell] - z[tree.receiver(cell)];
    return d;
}

/// Two cells between two outlets in a row: the first drains to the west, the second to the east.
Kept two_slopes(float west, float first, float second, float east) {
    Kept kept;
    kept.elevation = tests::terrain_of(4, 1, {west, first, second, east});
    kept.lattice = four_neighbours(kept.elevation.grid());
    kept.tree = {.grid = kept.lattice.grid,
                 .direction = {kRoot, 4, 0, kRoot},
                 .order = {},
                 .run_starts = {},
                 .crossing = {},
                 .upstream_cells = {}};
    order_tree(kept.tree, progress);
    return kept;
}

TEST(NetworkFit, parts_a_cliff_between_two_slopes_as_the_closed_form_does) {
    // Both differences are 10 m, and the first cell lies 20 m too high above the second. With x what each
    // gives way: lambda_r x = lambda_d (20 - 2 x), x = 8.
    Kept kept = two_slopes(10.0F, 20.0F, -10.0F, -20.0F);
    const NetworkFitReport report =
        fit_to_network(kept.tree, kept.lattice, {.iterations = 200}, kept.elevation, progress);
    EXPECT_NEAR(kept.elevation[1], 12.0F, 1e-3F);
    EXPECT_NEAR(kept.elevation[2], -2.0F, 1e-3F);
    EXPECT_EQ(kept.elevation[0], 10.0F);
    EXPECT_EQ(kept.elevation[3], -20.0F);
    EXPECT_NEAR(report.objective_before, 2.0 / 3.0 * 20.0 * 20.0 / 2.0, 1e-4);
    EXPECT_NEAR(report.objective_after, 1.0 / 3.0 * (64.0 + 64.0) / 2.0 + 2.0 / 3.0 * 16.0 / 2.0, 1e-3);
}

TEST(NetworkFit, lowers_a_cell_no_further_than_its_receiver) {
    // The first cell is 1 m above its outlet and can give no more than that: lambda_r y = lambda_d (8.5 - y).
    Kept kept = two_slopes(10.0F, 11.0F, 0.5F, 0.0F);
    const NetworkFitReport report =
        fit_to_network(kept.tree, kept.lattice, {.iterations = 200}, kept.elevation, progress);
    constexpr double kRaised = 8.5 * 2.0 / 3.0;  // m, y
    EXPECT_NEAR(kept.elevation[1], 10.0F, 1e-4F);
    EXPECT_GT(kept.elevation[1], 10.0F);
    EXPECT_NEAR(kept.elevation[2], 0.5 + kRaised, 1e-3);
    EXPECT_NEAR(report.objective_after,
                (1.0 + kRaised * kRaised) / 6.0 + (8.5 - kRaised) * (8.5 - kRaised) / 3.0, 1e-3);
}

/// L_d and its gradient by eq. 21 and eq. 31, cell by cell.
struct SlowObjective {
    double discontinuity_term = 0.0;
    std::vector<double> gradient;

    SlowObjective(const Kept& kept, const std::vector<float>& target, const Field<float>& z)
        : gradient(target.size(), 0.0) {
        const auto excess = [&](std::int32_t cell, std::int32_t other, int direction) {
            const int downhill = kept.tree.direction[at(cell)];
            if (downhill >= kRoot) return 0.0;
            const double slope = double{target[at(cell)]} / kept.lattice.distance(cell, downhill);
            return std::max(
                0.0, double{z[cell]} - double{z[other]} - slope * kept.lattice.distance(cell, direction));
        };
        for (const std::int32_t cell : kept.tree.order) {
            const Grid& grid = z.grid();
            const auto links = kept.lattice.links_inside(grid.column_of(cell), grid.row_of(cell));
            for (int d = 0; d < 8; ++d) {
                const std::int32_t other = cell + kRowStep[d] * grid.columns + kColumnStep[d];
                if ((links >> d & 1) == 0 || kept.tree.direction[at(other)] == kOutside ||
                    kept.tree.receiver(cell) == other || kept.tree.receiver(other) == cell)
                    continue;
                const double above = excess(cell, other, d), below = excess(other, cell, opposite(d));
                discontinuity_term += above * above / 2.0;
                for (std::int32_t i = cell; i >= 0; i = kept.tree.receiver(i))
                    gradient[at(i)] += above - below;
            }
        }
    }
};

/// A rough surface on a network that has nothing to do with it.
Kept rough(Lattice lattice, std::uint64_t seed) {
    Field<float> ground = tests::white_terrain(lattice.grid.columns, lattice.grid.rows, seed);
    tests::cut_out(ground, 4, 3, 5, 3);
    Kept kept{std::move(lattice), {}, tests::white_terrain(ground.columns(), ground.rows(), seed + 100)};
    kept.tree = build_flow_tree(ground, kept.lattice, edge_roots(ground), progress);
    raise_along_tree(kept.tree, kept.elevation);
    return kept;
}

/// The objective of elevations `z` beside those of `kept`, m^2.
double slow_objective(const Kept& kept, const Field<float>& z) {
    const std::vector<float> target = differences_of(kept.tree, kept.elevation);
    const std::vector<float> place = differences_of(kept.tree, z);
    double river_term = 0.0;
    for (std::size_t cell = 0; cell < place.size(); ++cell)
        river_term +=
            (double{place[cell]} - double{target[cell]}) * (double{place[cell]} - double{target[cell]}) / 2.0;
    return river_term / 3.0 + SlowObjective(kept, target, z).discontinuity_term * 2.0 / 3.0;
}

TEST(NetworkFit, objective_is_that_of_every_pair_of_neighbours) {
    const Grid grid{.columns = 19, .rows = 17, .cell_size = 10.0};
    for (const Lattice& lattice :
         {four_neighbours(grid), eight_neighbours(grid), jittered_mesh(grid, 3, 0.4, progress)}) {
        const Kept kept = rough(lattice, 11);
        Field<float> z = kept.elevation;
        const NetworkFitReport report =
            fit_to_network(kept.tree, kept.lattice, {.iterations = 20}, z, progress);
        EXPECT_NEAR(report.objective_before, slow_objective(kept, kept.elevation),
                    1e-5 * report.objective_before);
        EXPECT_NEAR(report.objective_after, slow_objective(kept, z), 1e-4 * report.objective_before);
        EXPECT_LT(report.objective_after, 0.8 * report.objective_before);
    }
}

/// The steepest way down the objective at `z` that the least differences leave open, m.
double steepest_way_down(const Kept& kept, const Field<float>& z) {
    const std::vector<float> target = differences_of(kept.tree, kept.elevation);
    const std::vector<float> place = differences_of(kept.tree, z);
    const SlowObjective slow(kept, target, z);
    double steepest = 0.0;
    for (const std::int32_t cell : kept.tree.order) {
        if (kept.tree.receiver(cell) < 0) continue;
        const double along =
            (double{place[at(cell)]} - double{target[at(cell)]}) / 3.0 + slow.gradient[at(cell)] * 2.0 / 3.0;
        const bool may_fall = place[at(cell)] > 0.01F;
        steepest = std::max(steepest, may_fall ? std::abs(along) : -along);
    }
    return steepest;
}

TEST(NetworkFit, ends_where_no_way_leads_further_down) {
    const Grid grid{.columns = 9, .rows = 8, .cell_size = 10.0};
    for (const Lattice& lattice : {four_neighbours(grid), jittered_mesh(grid, 3, 0.4, progress)}) {
        const Kept kept = rough(lattice, 12);
        Field<float> z = kept.elevation;
        fit_to_network(kept.tree, kept.lattice, {.iterations = 3000}, z, progress);
        EXPECT_LT(steepest_way_down(kept, z), 2e-3 * steepest_way_down(kept, kept.elevation));
    }
}

TEST(NetworkFit, objective_falls_with_every_iteration) {
    const Kept kept = kept_hills();
    double before = std::numeric_limits<double>::infinity();
    for (int iterations = 1; iterations <= 40; ++iterations) {
        Field<float> z = kept.elevation;
        const NetworkFitReport report =
            fit_to_network(kept.tree, kept.lattice, {.iterations = iterations}, z, progress);
        EXPECT_EQ(report.iterations, iterations);
        EXPECT_LE(report.objective_after, before);
        before = report.objective_after;
        if (iterations % 10 != 0) continue;
        // And it is the objective of what is returned.
        EXPECT_NEAR(slow_objective(kept, z), before, 1e-3 * before);
    }
}

TEST(NetworkFit, keeps_every_cell_above_its_receiver_and_every_root_where_it_was) {
    Kept kept = kept_hills();
    const Field<float> before = kept.elevation;
    fit_to_network(kept.tree, kept.lattice, {}, kept.elevation, progress);
    for (const std::int32_t cell : kept.tree.order) {
        const std::int32_t receiver = kept.tree.receiver(cell);
        if (receiver < 0) {
            EXPECT_EQ(kept.elevation[cell], before[cell]);
        } else {
            ASSERT_GT(kept.elevation[cell], kept.elevation[receiver]);
        }
    }
}

TEST(NetworkFit, removes_four_fifths_of_the_discontinuities_of_hills_in_50_iterations) {
    for (const bool mesh : {true, false}) {
        const Field<float> ground = hills(240, 200);
        Kept kept = Kept::on(
            mesh ? jittered_mesh(ground.grid(), 5, 0.4, progress) : four_neighbours(ground.grid()), ground);
        raise_along_tree(kept.tree, kept.elevation);
        const double before = discontinuous_share(kept.lattice, kept.tree, kept.elevation);
        EXPECT_GT(before, 0.01);
        fit_to_network(kept.tree, kept.lattice, {}, kept.elevation, progress);
        EXPECT_LT(discontinuous_share(kept.lattice, kept.tree, kept.elevation), before / 5.0);
    }
}

TEST(NetworkFit, changes_nothing_where_no_cell_is_too_high) {
    // A plane that falls to the west, where every row is a river.
    Field<float> plane(Grid{.columns = 40, .rows = 30, .cell_size = 10.0});
    for (std::int64_t cell = 0; cell < plane.size(); ++cell)
        plane[cell] = 0.1F + 3.3F * static_cast<float>(plane.grid().column_of(cell));
    FlowTree tree{.grid = plane.grid(),
                  .direction = {},
                  .order = {},
                  .run_starts = {},
                  .crossing = {},
                  .upstream_cells = {}};
    for (std::int64_t cell = 0; cell < plane.size(); ++cell)
        tree.direction.push_back(plane.grid().column_of(cell) == 0 ? kRoot : 4);
    order_tree(tree, progress);
    Field<float> z = plane;
    const NetworkFitReport report = fit_to_network(tree, four_neighbours(plane.grid()), {}, z, progress);
    EXPECT_EQ(z, plane);
    EXPECT_EQ(report.iterations, 0);
    EXPECT_EQ(report.objective_before, 0.0);
}

TEST(NetworkFit, does_not_depend_on_the_scale_of_elevation) {
    const Kept kept = kept_hills();
    Field<float> once = kept.elevation, scaled = kept.elevation;
    for (float& z : scaled) z *= 1024.0F;
    fit_to_network(kept.tree, kept.lattice, {}, once, progress);
    fit_to_network(kept.tree, kept.lattice, {}, scaled, progress);
    // But for the least rise, which has a size of its own.
    for (std::int64_t cell = 0; cell < once.size(); ++cell)
        ASSERT_NEAR(scaled[cell] / 1024.0F, once[cell], 0.05F + 1e-3F * once[cell]);
}

TEST(NetworkFit, raises_a_closed_basin_to_its_sill) {
    Kept kept = two_slopes(0.0F, 20.0F, 5.0F, 30.0F);
    kept.tree.direction = {kRoot, 4, 4, 4};
    order_tree(kept.tree, progress);
    raise_along_tree(kept.tree, kept.elevation);
    EXPECT_EQ(kept.elevation[1], 20.0F);
    EXPECT_GT(kept.elevation[2], 20.0F);
    EXPECT_LT(kept.elevation[2], 20.001F);
    EXPECT_EQ(kept.elevation[3], 30.0F);
}

TEST(NetworkFit, leaves_cells_without_data_alone) {
    Kept kept = rough(jittered_mesh({.columns = 30, .rows = 20, .cell_size = 10.0}, 3, 0.4, progress), 4);
    tests::cut_out(kept.elevation, 4, 3, 5, 3);
    fit_to_network(kept.tree, kept.lattice, {}, kept.elevation, progress);
    for (std::int64_t cell = 0; cell < kept.elevation.size(); ++cell)
        EXPECT_EQ(is_no_data(kept.elevation[cell]), kept.tree.direction[at(cell)] == kOutside);
}

TEST(NetworkFit, gives_the_same_bits_on_any_number_of_threads_and_for_every_width_of_vectors) {
    const Kept kept = kept_hills(201, 183);
    Field<float> expected = kept.elevation;
    const ExecutionScope on_one_thread({.threads = 1});
    limit_vector_lanes(4);
    fit_to_network(kept.tree, kept.lattice, {}, expected, progress);
    EXPECT_NE(expected, kept.elevation);
    for (const int lanes : {4, 8, 16})
        for (const int threads : {1, 2, 8}) {
            Field<float> z = kept.elevation;
            const ExecutionScope on_threads({.threads = threads});
            limit_vector_lanes(lanes);
            fit_to_network(kept.tree, kept.lattice, {}, z, progress);
            EXPECT_EQ(z, expected) << threads << " threads, " << lanes << " lanes";
        }
    limit_vector_lanes(0);
}

}  // namespace
}  // namespace thalweg
