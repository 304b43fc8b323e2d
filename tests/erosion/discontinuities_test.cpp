#include "thalweg/erosion/correction/discontinuities.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/law/thermal_law.hpp"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

constexpr double kSteady = std::numeric_limits<double>::infinity();
constexpr float kCelerity = 2e-3F;  // m/yr
constexpr float kUplift = 1e-3F;    // m/yr

QuietProgress progress;

ErosionLaw without_landslides() {
    ErosionLaw law;
    law.thermal = false;
    return law;
}

/// Terrain of one celerity and uplift, whose edges are roots.
struct Ground {
    Lattice lattice;
    Field<float> elevation;
    Field<std::uint8_t> roots;
    std::vector<float> celerity;
    std::vector<float> uplift;

    explicit Ground(const Lattice& nodes, float level = 0.0F)
        : lattice(nodes),
          elevation(nodes.grid, level),
          roots(nodes.grid, 0),
          celerity(static_cast<std::size_t>(nodes.grid.cells()), kCelerity),
          uplift(celerity.size(), kUplift) {
        for (std::int64_t cell = 0; cell < roots.size(); ++cell)
            roots[cell] = nodes.grid.on_edge(nodes.grid.column_of(cell), nodes.grid.row_of(cell)) ? 1 : 0;
    }

    std::int64_t wear(double time = kSteady, const Field<float>* initial = nullptr,
                      const ErosionLaw& law = without_landslides()) {
        return wear_discontinuities(
            lattice, roots, law, {.celerity = celerity, .uplift = uplift, .time = time, .initial = initial},
            elevation, progress);
    }
};

/// Heights of 0 to 400 m at random.
void scatter(Field<float>& elevation) {
    for (std::int64_t cell = 0; cell < elevation.size(); ++cell)
        elevation[cell] =
            400.0F * unit_float(random_bits(1, Stream::WhiteNoise, static_cast<std::uint64_t>(cell)));
}

Ground rough_ground(const Lattice& lattice) {
    Ground ground(lattice);
    scatter(ground.elevation);
    for (std::int64_t cell = 0; cell < ground.elevation.size(); ++cell)
        if (ground.roots[cell] != 0) ground.elevation[cell] = 0.0F;
    return ground;
}

TEST(Discontinuities, are_lowered_to_the_steady_slope_above_the_lowest_neighbour) {
    Ground ground(four_neighbours({.columns = 5, .rows = 5, .cell_size = 10.0}), 40.0F);
    ground.elevation(2, 2) = 100.0F;
    ground.elevation(2, 3) = 35.0F;
    EXPECT_EQ(ground.wear(), 1);
    EXPECT_FLOAT_EQ(ground.elevation(2, 2), 35.0F + 10.0F * kUplift / kCelerity);
    EXPECT_EQ(ground.elevation(2, 3), 35.0F);
    EXPECT_EQ(ground.elevation(1, 2), 40.0F);
}

TEST(Discontinuities, take_along_what_stands_above_them) {
    Ground ground(four_neighbours({.columns = 7, .rows = 3, .cell_size = 10.0}), 0.0F);
    for (int column = 1; column < 6; ++column) ground.elevation(column, 1) = 1000.0F;
    for (int column = 0; column < 7; ++column) {  // one channel between walls
        ground.elevation(column, 0) = ground.elevation(column, 2) = 2000.0F;
    }
    ground.elevation(6, 1) = 2000.0F;
    ground.wear();
    for (int column = 1; column < 6; ++column)
        EXPECT_FLOAT_EQ(ground.elevation(column, 1),
                        static_cast<float>(column) * 10.0F * kUplift / kCelerity);
}

TEST(Discontinuities, end_where_every_steep_link_is_as_the_law_says) {
    for (const Lattice& lattice :
         {four_neighbours({.columns = 40, .rows = 30, .cell_size = 25.0}),
          eight_neighbours({.columns = 40, .rows = 30, .cell_size = 25.0}),
          jittered_mesh({.columns = 40, .rows = 30, .cell_size = 25.0}, 1, 0.45, progress)}) {
        Ground ground = rough_ground(lattice);
        const ErosionLaw law;
        EXPECT_GT(ground.wear(kSteady, nullptr, law), 300);
        const LocalLaw local = ThermalLaw(law).at_steady_state(kUplift, kCelerity);
        const std::array<std::int32_t, 8> steps = lattice.index_steps();
        for (std::int64_t cell = 0; cell < ground.elevation.size(); ++cell) {
            if (ground.roots[cell] != 0) continue;
            const std::uint8_t links =
                lattice.links_inside(lattice.grid.column_of(cell), lattice.grid.row_of(cell));
            for (std::size_t d = 0; d < 8; ++d) {
                if ((links >> d & 1) == 0) continue;
                const double distance = lattice.distance(cell, static_cast<int>(d));
                const double drop = ground.elevation[cell] - ground.elevation[cell + steps[d]];
                const double slope = std::max(0.98, static_cast<double>(local.uplift / local.celerity));
                ASSERT_LE(drop, slope * distance * 1.0001 + 1e-3);
            }
        }
        EXPECT_EQ(ground.wear(kSteady, nullptr, law), 0);
    }
}

TEST(Discontinuities, are_worn_at_the_edges_of_the_grid_too) {
    for (const Lattice& lattice :
         {four_neighbours({.columns = 20, .rows = 15, .cell_size = 25.0}),
          jittered_mesh({.columns = 20, .rows = 15, .cell_size = 25.0}, 1, 0.45, progress),
          four_neighbours({.columns = 1, .rows = 9, .cell_size = 25.0}),
          eight_neighbours({.columns = 2, .rows = 2, .cell_size = 25.0})}) {
        for (const double time : {kSteady, 1e5}) {
            Ground ground(lattice);
            ground.roots = Field<std::uint8_t>(lattice.grid, 0);
            scatter(ground.elevation);
            const Field<float> initial = ground.elevation;
            EXPECT_GT(ground.wear(time, &initial), 0);
            const std::array<std::int32_t, 8> steps = lattice.index_steps();
            for (std::int64_t cell = 0; cell < initial.size(); ++cell) {
                const std::uint8_t links =
                    lattice.links_inside(lattice.grid.column_of(cell), lattice.grid.row_of(cell));
                for (std::size_t d = 0; d < 8; ++d) {
                    if ((links >> d & 1) == 0) continue;
                    const float drop = ground.elevation[cell] - ground.elevation[cell + steps[d]];
                    const double distance = lattice.distance(cell, static_cast<int>(d));
                    // After the time all signals have arrived, from neighbours that stood up to 400 m higher.
                    const double way = distance / static_cast<double>(kCelerity);
                    const double fallen = time < kSteady ? 400.0 * way / time : 0.0;
                    ASSERT_LE(drop, std::max(0.98 * distance, 0.5 * distance + fallen) * 1.0001 + 2e-3);
                }
            }
        }
    }
}

TEST(Discontinuities, of_rock_that_neither_rises_nor_erodes_stay) {
    Ground ground(four_neighbours({.columns = 3, .rows = 3, .cell_size = 10.0}));
    ground.elevation(1, 1) = 100.0F;
    ground.uplift.assign(ground.uplift.size(), 0.0F);
    ground.celerity.assign(ground.celerity.size(), 0.0F);
    EXPECT_EQ(ground.wear(), 0);
    EXPECT_EQ(ground.elevation(1, 1), 100.0F);
}

TEST(Discontinuities, leave_terrain_without_any_as_it_is) {
    Ground ground(jittered_mesh({.columns = 30, .rows = 30, .cell_size = 10.0}, 1, 0.45, progress));
    for (int row = 0; row < 30; ++row)
        for (int column = 0; column < 30; ++column)
            ground.elevation(column, row) =
                3.0F * (static_cast<float>(column) +
                        ground.lattice
                            .offset_x[static_cast<std::size_t>(ground.elevation.grid().index(column, row))]);
    const Field<float> before = ground.elevation;
    EXPECT_EQ(ground.wear(), 0);
    EXPECT_EQ(ground.elevation, before);
}

TEST(Discontinuities, never_raise_nor_move_roots_and_cells_without_data) {
    Ground ground = rough_ground(four_neighbours({.columns = 20, .rows = 20, .cell_size = 25.0}));
    ground.elevation(7, 7) = kNoData;
    ground.roots(12, 12) = 1;
    ground.elevation(12, 12) = 900.0F;
    const Field<float> before = ground.elevation;
    EXPECT_GT(ground.wear(), 0);
    EXPECT_TRUE(is_no_data(ground.elevation(7, 7)));
    EXPECT_EQ(ground.elevation(12, 12), 900.0F);
    for (std::int64_t cell = 0; cell < before.size(); ++cell)
        if (!is_no_data(before[cell])) {
            EXPECT_LE(ground.elevation[cell], before[cell]);
        }
}

// A cell beside one that was cut down: after t years it stands where the neighbour stood dx/a years before.
TEST(Discontinuities, of_a_finite_time_stand_where_the_neighbour_stood_when_its_signal_left) {
    Ground ground(four_neighbours({.columns = 3, .rows = 3, .cell_size = 10.0}), 300.0F);
    ground.uplift.assign(ground.uplift.size(), 0.0F);
    const Field<float> initial = ground.elevation;
    ground.elevation(0, 1) = 100.0F;  // cut down by 200 m within the time
    const double travel = 10.0 / static_cast<double>(kCelerity);
    ground.wear(4.0 * travel, &initial);
    EXPECT_NEAR(ground.elevation(1, 1), 100.0 + 200.0 / 4.0, 0.01);
}

// A wall across the lattice: the way to it is shorter than any link.
TEST(Discontinuities, of_a_finite_time_stand_as_far_from_a_wall_as_their_steepest_descent_is_long) {
    Ground ground(four_neighbours({.columns = 3, .rows = 3, .cell_size = 10.0}), 300.0F);
    ground.uplift.assign(ground.uplift.size(), 0.0F);
    const Field<float> initial = ground.elevation;
    ground.elevation(0, 1) = ground.elevation(1, 0) = 100.0F;  // cut down by 200 m within the time
    const double travel = 10.0 / static_cast<double>(kCelerity);
    ground.wear(4.0 * travel, &initial);
    EXPECT_NEAR(ground.elevation(1, 1), 100.0 + 200.0 / 4.0 / std::numbers::sqrt2, 0.01);
}

TEST(Discontinuities, stand_above_the_ground_between_two_neighbours_as_it_was_when_its_signal_left) {
    Ground ground(four_neighbours({.columns = 3, .rows = 3, .cell_size = 10.0}), 300.0F);
    ground.uplift.assign(ground.uplift.size(), 0.0F);
    const Field<float> initial = ground.elevation;
    ground.elevation(0, 1) = 100.0F;
    ground.elevation(1, 0) = 102.0F;
    const double travel = 10.0 / static_cast<double>(kCelerity);
    ground.wear(40.0 * travel, &initial);
    // Of all heights the one whose own descent leads to the ground that allows it.
    double height = 300.0;
    for (int i = 0; i < 100; ++i) {
        const double west = height - 100.0, north = height - 102.0;
        const double share = north / (west + north);  // of the path from the western to the northern node
        const double distance = std::hypot(1.0 - share, share);  // cells
        const double now = 100.0 + 2.0 * share;
        height = now + (300.0 - now) * distance / 40.0;
    }
    EXPECT_LT(height, 104.9);  // what the western node alone allows is 105 m
    EXPECT_NEAR(ground.elevation(1, 1), height, 0.01);
}

TEST(Discontinuities, stand_where_no_signal_has_arrived) {
    Ground ground(four_neighbours({.columns = 3, .rows = 3, .cell_size = 10.0}), 300.0F);
    ground.uplift.assign(ground.uplift.size(), 0.0F);
    ground.elevation(0, 1) = 100.0F;  // a cliff from the start
    const Field<float> initial = ground.elevation;
    const double travel = 10.0 / static_cast<double>(kCelerity);
    ground.wear(0.25 * travel, &initial);
    // The straight slope between the two has moved on by a quarter of its length.
    EXPECT_NEAR(ground.elevation(1, 1), 100.0 + 0.75 * 200.0, 0.01);
    ground.elevation = initial;
    ground.wear(1e-6 * travel, &initial);
    EXPECT_NEAR(ground.elevation(1, 1), 300.0, 0.01);
}

constexpr float kSteepUplift = 4e-3F;  // m/yr, for a steady slope of 2

/// What the law lets stand above a neighbour after `time` years, m, written once more from the header.
double highest_after(double time, double distance, double below, double below_then, double own_then) {
    const double celerity = static_cast<double>(kCelerity), uplift = static_cast<double>(kSteepUplift);
    const double way = distance / celerity;  // yr
    if (way > time) return below_then + (1.0 - time / way) * (own_then - below_then) + uplift * time;
    return std::max(below, below + (below_then - below) * way / time) + uplift * way;
}

/// Where the steepest descent from a node at `height` crosses the line between its neighbours a and b: the
/// share of the path from a to b; not in [0, 1] where it does not.
double crossing(const Link& to_a, double drop_a, const Link& to_b, double drop_b) {
    const double ax = static_cast<double>(to_a.x), ay = static_cast<double>(to_a.y);
    const double bx = static_cast<double>(to_b.x), by = static_cast<double>(to_b.y);
    const double area = ax * by - bx * ay;
    const double down_x = (drop_a * by - drop_b * ay) / area, down_y = (ax * drop_b - bx * drop_a) / area;
    const double across_a = ax * down_y - ay * down_x, across_b = bx * down_y - by * down_x;
    return across_a * across_b < 0.0 && ax * down_x + ay * down_y + bx * down_x + by * down_y > 0.0
               ? across_a / (across_a - across_b)
               : -1.0;
}

TEST(Discontinuities, of_a_finite_time_end_where_every_steep_descent_is_as_the_law_says) {
    const Lattice mesh = jittered_mesh({.columns = 40, .rows = 30, .cell_size = 25.0}, 1, 0.45, progress);
    const std::array<std::int32_t, 8> steps = mesh.index_steps();
    int triangles = 0;
    for (const double time : {3e3, 20e3, 60e3}) {  // signals take 12.5 ky over a cell
        Ground ground = rough_ground(mesh);
        ground.uplift.assign(ground.uplift.size(), kSteepUplift);
        for (std::int64_t cell = 0; cell < mesh.grid.cells(); ++cell) ground.elevation[cell] *= 0.05F;
        const Field<float> initial = ground.elevation;
        for (std::int64_t cell = 0; cell < initial.size();
             ++cell)  // every fifth cell was cut down by a river
            if (ground.roots[cell] == 0)
                ground.elevation[cell] +=
                    kSteepUplift * static_cast<float>(time) - (cell % 5 == 0 ? 30.0F : 0.0F);
        EXPECT_GT(ground.wear(time, &initial), 100);
        for (std::int64_t cell = 0; cell < initial.size(); ++cell) {
            if (ground.roots[cell] != 0) continue;
            const std::uint8_t links = mesh.links_inside(mesh.grid.column_of(cell), mesh.grid.row_of(cell));
            for (std::size_t d = 0; d < 8; ++d) {
                if ((links >> d & 1) == 0) continue;
                const std::int64_t other = cell + steps[d];
                const double distance = mesh.distance(cell, static_cast<int>(d));
                const double below = ground.elevation[other], own = ground.elevation[cell];
                if (own - below < 0.981 * distance) continue;
                ASSERT_LE(own, highest_after(time, distance, below, initial[other], initial[cell]) + 2e-3);
                // The same above the ground between that neighbour and the next, where that was looked at.
                const bool has_arrived = time > 3.0 * mesh.grid.cell_size / static_cast<double>(kCelerity);
                if (has_arrived && own - below < 2.001 * distance) continue;  // the steady slope is 2
                std::size_t e = (d + 1) % 8;
                if ((links >> e & 1) == 0) e = (e + 1) % 8;
                const std::int64_t next = cell + steps[e];
                const Link to_a = mesh.link(cell, other, d), to_b = mesh.link(cell, next, e);
                const double next_below = ground.elevation[next];
                const double share = crossing(to_a, own - below, to_b, own - next_below);
                if (!(share > 0.0 && share < 1.0) || next_below > own) continue;
                ++triangles;
                const float part = static_cast<float>(share);
                const Link way = {std::lerp(to_a.x, to_b.x, part), std::lerp(to_a.y, to_b.y, part)};
                const double length = mesh.grid.cell_size * static_cast<double>(way.length());
                ASSERT_LE(own, highest_after(time, length, std::lerp(below, next_below, share),
                                             std::lerp(static_cast<double>(initial[other]),
                                                       static_cast<double>(initial[next]), share),
                                             initial[cell]) +
                                   2e-2);
            }
        }
        EXPECT_EQ(ground.wear(time, &initial), 0);
    }
    EXPECT_GT(triangles, 100);
}

TEST(Discontinuities, look_at_all_triangles_of_what_lies_steeply_above_lowered_cells) {
    const Lattice mesh = jittered_mesh({.columns = 18, .rows = 5, .cell_size = 10.0}, 1, 0.0, progress);
    Ground ground(mesh, 19.0F);
    ground.roots = Field<std::uint8_t>(mesh.grid, 1);
    ground.roots(3, 1) = ground.roots(4, 1) = 0;
    ground.celerity.assign(ground.celerity.size(), 1e-3F);
    ground.uplift.assign(ground.uplift.size(), 2e-3F);
    // (3, 1) may stand 20 m above (2, 1) and (3, 0), and 14.14 m above the ground between them: nothing shows
    // this but that (4, 1) is held down by (5, 1), 20 m above it.
    ground.elevation(2, 1) = ground.elevation(3, 0) = 0.0F;
    ground.elevation(5, 1) = -11.0F;
    const Field<float> initial = ground.elevation;
    EXPECT_EQ(ground.wear(1e9, &initial), 2);
    EXPECT_NEAR(ground.elevation(4, 1), 9.0F, 1e-4F);
    EXPECT_NEAR(ground.elevation(3, 1), 20.0 * std::numbers::sqrt2 / 2.0, 1e-4);
}

TEST(Discontinuities, are_worn_alike_on_1_2_and_8_threads) {
    const Lattice mesh = jittered_mesh({.columns = 300, .rows = 400, .cell_size = 25.0}, 3, 0.45, progress);
    std::vector<Field<float>> worn;
    for (const double time : {kSteady, 3e4}) {
        worn.clear();
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            Ground ground = rough_ground(mesh);
            const Field<float> initial = ground.elevation;
            EXPECT_GT(ground.wear(time, &initial), 4096);  // several tasks' worth
            worn.push_back(ground.elevation);
        }
        EXPECT_EQ(worn[1], worn[0]);
        EXPECT_EQ(worn[2], worn[0]);
    }
}

TEST(Discontinuities, are_worn_alike_with_vectors_of_4_8_and_16) {
    for (const Lattice& lattice :
         {jittered_mesh({.columns = 90, .rows = 80, .cell_size = 25.0}, 3, 0.45, progress),
          jittered_mesh({.columns = 3, .rows = 5, .cell_size = 25.0}, 3, 0.45, progress),
          four_neighbours({.columns = 90, .rows = 80, .cell_size = 25.0}),
          eight_neighbours({.columns = 90, .rows = 80, .cell_size = 25.0}),
          four_neighbours({.columns = 7, .rows = 9, .cell_size = 25.0}),
          eight_neighbours({.columns = 9, .rows = 1, .cell_size = 25.0})})
        for (const double time : {kSteady, 3e4}) {
            std::vector<Field<float>> worn;
            std::vector<std::int64_t> times;
            for (const int lanes : {4, 8, 16}) {
                limit_vector_lanes(lanes);
                Ground ground(lattice);
                scatter(ground.elevation);
                ground.roots = Field<std::uint8_t>(lattice.grid, 0);  // cells at the edge are worn too
                ground.elevation[2] = kNoData;
                const Field<float> initial = ground.elevation;
                times.push_back(ground.wear(time, &initial, {}));
                EXPECT_TRUE(is_no_data(ground.elevation[2]));
                ground.elevation[2] = 0.0F;  // which equals itself
                worn.push_back(ground.elevation);
            }
            limit_vector_lanes(0);
            EXPECT_GT(times[0], 0);
            EXPECT_EQ(times, std::vector<std::int64_t>(3, times[0]));
            EXPECT_EQ(worn[1], worn[0]);
            EXPECT_EQ(worn[2], worn[0]);
        }
}

}  // namespace
}  // namespace thalweg
