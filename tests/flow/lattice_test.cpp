#include "thalweg/flow/lattice.hpp"

#include "thalweg/core/vector_lanes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

TEST(Lattice, opposite_directions_undo_each_other) {
    for (int d = 0; d < 8; ++d) {
        const std::size_t forth = static_cast<std::size_t>(d);
        const std::size_t back = static_cast<std::size_t>(opposite(d));
        EXPECT_EQ(kColumnStep[forth], -kColumnStep[back]);
        EXPECT_EQ(kRowStep[forth], -kRowStep[back]);
    }
}

TEST(Lattice, mesh_links_are_mutual_and_never_cross) {
    const Lattice mesh = jittered_mesh(Grid{.columns = 40, .rows = 33}, 11, 0.4, progress);
    const auto linked = [&](int column, int row, int d) {
        return (mesh.links_of(mesh.grid.index(column, row)) >> d & 1) != 0;
    };
    for (int row = 0; row + 1 < mesh.grid.rows; ++row) {
        for (int column = 0; column + 1 < mesh.grid.columns; ++column) {
            // Exactly one of the two diagonals of each quad exists, seen from both of its ends.
            EXPECT_NE(linked(column, row, 1), linked(column + 1, row, 3));
            EXPECT_EQ(linked(column, row, 1), linked(column + 1, row + 1, 5));
            EXPECT_EQ(linked(column + 1, row, 3), linked(column, row + 1, 7));
        }
    }
}

TEST(Lattice, mesh_diagonals_join_the_wider_angles) {
    // Oracle: of the two triangulations of a quad, Delaunay's has the larger smallest angle.
    const Lattice mesh = jittered_mesh(Grid{.columns = 30, .rows = 30}, 5, 0.4, progress);
    const auto node = [&](int c, int r) {
        const std::size_t cell = static_cast<std::size_t>(mesh.grid.index(c, r));
        return Position{c + double{mesh.offset_x[cell]}, r + double{mesh.offset_y[cell]}};
    };
    const auto angle = [](Position o, Position p, Position q) {
        const double cross = (p.x - o.x) * (q.y - o.y) - (p.y - o.y) * (q.x - o.x);
        return std::atan2(cross, (p.x - o.x) * (q.x - o.x) + (p.y - o.y) * (q.y - o.y));
    };
    const auto smallest = [&](Position a, Position b, Position c) {
        return std::min({angle(a, b, c), angle(b, c, a), angle(c, a, b)});
    };
    for (int r = 0; r < 29; ++r) {
        for (int c = 0; c < 29; ++c) {
            const Position a = node(c, r), b = node(c + 1, r), e = node(c + 1, r + 1), f = node(c, r + 1);
            const double cut_ae = std::min(smallest(a, b, e), smallest(a, e, f));
            const double cut_bf = std::min(smallest(a, b, f), smallest(b, e, f));
            const bool has_ae = (mesh.links_of(mesh.grid.index(c, r)) >> 1 & 1) != 0;
            EXPECT_EQ(has_ae, cut_ae > cut_bf) << c << ' ' << r;
        }
    }
}

TEST(Lattice, of_a_mesh_has_the_same_bits_for_every_width_of_vectors) {
    std::vector<Lattice> meshes;
    for (const int lanes : {4, 8, 16}) {
        limit_vector_lanes(lanes);
        meshes.push_back(jittered_mesh(Grid{.columns = 83, .rows = 41}, 7, 0.4, progress));
    }
    limit_vector_lanes(0);
    for (const Lattice& mesh : meshes) {
        EXPECT_EQ(mesh.offset_x, meshes[0].offset_x);
        EXPECT_EQ(mesh.offset_y, meshes[0].offset_y);
        EXPECT_EQ(mesh.links, meshes[0].links);
    }
}

TEST(Lattice, jitter_is_even_and_uncorrelated_between_axes_neighbours_and_seeds) {
    const Grid grid{.columns = 258, .rows = 258};
    const Lattice mesh = jittered_mesh(grid, 3, 0.5, progress), other = jittered_mesh(grid, 4, 0.5, progress);
    double xx = 0, yy = 0, xy = 0, beside = 0, below = 0, seeds = 0, x_sum = 0;
    for (int row = 1; row < 256; ++row)
        for (int column = 1; column < 256; ++column) {
            const std::size_t cell = at(grid.index(column, row));
            const double x = double{mesh.offset_x[cell]}, y = double{mesh.offset_y[cell]};
            x_sum += x;
            xx += x * x;
            yy += y * y;
            xy += x * y;
            beside += x * double{mesh.offset_x[cell + 1]};
            below += x * double{mesh.offset_x[cell + 258]};
            seeds += x * double{other.offset_x[cell]};
        }
    constexpr double kNodes = 255.0 * 255.0;
    EXPECT_NEAR(x_sum / kNodes, 0.0, 4 * 0.289 / 255);
    EXPECT_NEAR(xx / kNodes, 1.0 / 12, 0.002);
    EXPECT_NEAR(yy / kNodes, 1.0 / 12, 0.002);
    for (const double product : {xy, beside, below, seeds})
        EXPECT_NEAR(product / kNodes * 12, 0.0, 4.0 / 255);
}

TEST(Lattice, jitter_stays_in_its_bounds_and_spares_the_edge) {
    const Lattice mesh = jittered_mesh(Grid{.columns = 64, .rows = 64}, 3, 0.4, progress);
    double largest = 0.0;
    for (std::int64_t cell = 0; cell < mesh.grid.cells(); ++cell) {
        const std::size_t i = static_cast<std::size_t>(cell);
        const double offset = std::max(std::abs(mesh.offset_x[i]), std::abs(mesh.offset_y[i]));
        largest = std::max(largest, offset);
        const bool on_edge = mesh.grid.on_edge(mesh.grid.column_of(cell), mesh.grid.row_of(cell));
        EXPECT_TRUE(!on_edge || offset == 0.0);
    }
    EXPECT_LE(largest, 0.4);
    EXPECT_GT(largest, 0.38);
}

TEST(Lattice, distances_follow_the_displaced_nodes) {
    Lattice mesh = jittered_mesh(Grid{.columns = 4, .rows = 4, .cell_size = 10.0}, 3, 0.0, progress);
    EXPECT_DOUBLE_EQ(mesh.distance(5, 0), 10.0);
    EXPECT_DOUBLE_EQ(mesh.distance(5, 1), std::sqrt(200.0));
    mesh.offset_x[6] = 0.5F;
    EXPECT_DOUBLE_EQ(mesh.distance(5, 0), 15.0);
    EXPECT_DOUBLE_EQ(mesh.distance(6, 4), 15.0);
    EXPECT_EQ(std::popcount(eight_neighbours(mesh.grid).links_of(0)), 8);
}

}  // namespace
}  // namespace thalweg
