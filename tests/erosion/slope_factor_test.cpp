#include "thalweg/erosion/network/slope_factor.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/flow/depressions/breach_directions.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

DirectedTerrain directed(const Field<float>& z, const Lattice& lattice, const Field<std::uint8_t>& roots,
                         ReceiverRule rule = ReceiverRule::Steepest, std::uint64_t draw_key = 0) {
    DirectedTerrain terrain;
    direct_terrain(z, lattice, roots, rule, draw_key, terrain, progress);
    return terrain;
}

/// z = slope * (distance along `bearing`) at the lattice's nodes.
Field<float> tilted_plane(const Lattice& lattice, double slope, double bearing) {
    Field<float> z(lattice.grid);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        double x = lattice.grid.column_of(cell);
        double y = lattice.grid.row_of(cell);
        if (lattice.displaced()) {
            x += double{lattice.offset_x[static_cast<std::size_t>(cell)]};
            y += double{lattice.offset_y[static_cast<std::size_t>(cell)]};
        }
        z[cell] = static_cast<float>(slope * lattice.grid.cell_size *
                                     (x * std::cos(bearing) + y * std::sin(bearing)));
    }
    return z;
}

TEST(SlopeFactor, makes_the_way_down_a_plane_as_long_as_its_drop_over_its_slope) {
    const Grid grid{.columns = 24, .rows = 24, .cell_size = 20.0};
    constexpr double kSlope = 0.3;
    for (const Lattice& lattice : {four_neighbours(grid), jittered_mesh(grid, 3, 0.4, progress)}) {
        for (double bearing = 0.05; bearing < 6.2; bearing += 0.37) {
            const Field<float> z = tilted_plane(lattice, kSlope, bearing);
            const DirectedTerrain terrain = directed(z, lattice, edge_roots(z));
            for (int row = 2; row < 22; ++row)
                for (int column = 2; column < 22; ++column) {
                    const std::int64_t cell = grid.index(column, row);
                    const std::size_t d = terrain.direction[static_cast<std::size_t>(cell)];
                    ASSERT_LT(d, 8U);
                    const double drop = double{z[cell]} - double{z[cell + lattice.index_steps()[d]]};
                    ASSERT_NEAR(terrain.length[static_cast<std::size_t>(cell)], drop / kSlope, 0.02)
                        << bearing;
                }
        }
    }
}

TEST(SlopeFactor, never_lengthens_the_way) {
    Field<float> z(Grid{.columns = 40, .rows = 40, .cell_size = 5.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = 30.0F * unit_float(random_bits(2, Stream::SeedTerrain, static_cast<std::uint64_t>(cell)));
    for (const ReceiverRule rule : {ReceiverRule::Steepest, ReceiverRule::Random}) {
        const Lattice mesh = jittered_mesh(z.grid(), 8, 0.4, progress);
        const DirectedTerrain terrain = directed(z, mesh, edge_roots(z), rule, 1);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const std::size_t i = static_cast<std::size_t>(cell);
            if (terrain.direction[i] >= 8) continue;
            ASSERT_GT(terrain.length[i], 0.0F);
            ASSERT_LE(terrain.length[i], 1.0001 * mesh.distance(cell, terrain.direction[i]));
        }
    }
}

TEST(SlopeFactor, steepest_receivers_are_those_of_the_flow_room) {
    Field<float> z(Grid{.columns = 33, .rows = 21});
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = unit_float(random_bits(4, Stream::SeedTerrain, static_cast<std::uint64_t>(cell)));
    z(8, 8) = kNoData;
    for (const Lattice& lattice : {four_neighbours(z.grid()), jittered_mesh(z.grid(), 2, 0.4, progress)}) {
        const Field<std::uint8_t> roots = edge_roots(z);
        EXPECT_EQ(directed(z, lattice, roots).direction, steepest_directions(z, lattice, roots));
    }
}

TEST(SlopeFactor, has_the_same_bits_for_every_width_of_vectors) {
    Field<float> z(Grid{.columns = 353, .rows = 40, .cell_size = 5.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = 30.0F * unit_float(random_bits(6, Stream::SeedTerrain, static_cast<std::uint64_t>(cell)));
    z(30, 20) = kNoData;
    const Lattice mesh = jittered_mesh(z.grid(), 8, 0.4, progress);
    std::vector<DirectedTerrain> results;
    for (const int lanes : {4, 8, 16}) {
        limit_vector_lanes(lanes);
        results.push_back(directed(z, mesh, edge_roots(z)));
    }
    limit_vector_lanes(0);
    for (const DirectedTerrain& result : results) {
        EXPECT_EQ(result.direction, results[0].direction);
        EXPECT_EQ(result.length, results[0].length);
    }
}

TEST(SlopeFactor, leaves_the_distance_to_one_of_8_neighbours_as_it_is) {
    const Grid grid{.columns = 40, .rows = 24, .cell_size = 20.0};
    const Lattice lattice = eight_neighbours(grid);
    const Field<float> z = tilted_plane(lattice, 0.3, 0.5);
    for (const ReceiverRule rule : {ReceiverRule::Steepest, ReceiverRule::Random}) {
        const DirectedTerrain terrain = directed(z, lattice, edge_roots(z), rule, 5);
        int diagonals = 0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const std::uint8_t direction = terrain.direction[static_cast<std::size_t>(cell)];
            const float length = terrain.length[static_cast<std::size_t>(cell)];
            if (direction >= kRoot)
                ASSERT_EQ(length, 0.0F);
            else
                ASSERT_FLOAT_EQ(length, static_cast<float>(lattice.distance(cell, direction)));
            diagonals += direction < kRoot && direction % 2 == 1 ? 1 : 0;
        }
        EXPECT_GT(diagonals, 100);
    }
}

TEST(SlopeFactor, vectors_agree_with_the_code_for_single_cells) {
    // Widths around one, two and three blocks of up to 175 nodes, holes, and roots that are not at the edges.
    for (const int columns : {17, 18, 128, 174, 175, 176, 177, 349, 350, 351, 353, 526}) {
        Field<float> z(Grid{.columns = columns, .rows = 37, .cell_size = 5.0});
        Field<std::uint8_t> roots(z.grid(), 0);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const std::uint64_t bits = random_bits(6, Stream::SeedTerrain, static_cast<std::uint64_t>(cell));
            z[cell] = bits % 97 == 0 ? kNoData : 30.0F * unit_float(bits);
            roots[cell] = bits % 89 == 1 ? 1 : 0;
        }
        const Lattice mesh = jittered_mesh(z.grid(), 8, 0.4, progress);
        const DirectedTerrain vectors = directed(z, mesh, roots);
        limit_vector_lanes(1);
        const DirectedTerrain single = directed(z, mesh, roots);
        limit_vector_lanes(0);
        EXPECT_EQ(vectors.direction, single.direction) << columns;
        EXPECT_EQ(vectors.pits, single.pits) << columns;
        for (std::size_t cell = 0; cell < single.length.size(); ++cell)
            ASSERT_NEAR(vectors.length[cell], single.length[cell], 1e-4) << columns << ", cell " << cell;
    }
}

TEST(SlopeFactor, rows_of_4_neighbours_have_the_bits_of_single_cells_for_every_width_of_vectors) {
    for (const int columns : {3, 4, 18, 19, 64, 129}) {
        Field<float> z(Grid{.columns = columns, .rows = 37, .cell_size = 5.0});
        Field<std::uint8_t> roots(z.grid(), 0);
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            const std::uint64_t bits = random_bits(6, Stream::SeedTerrain, static_cast<std::uint64_t>(cell));
            // Whole metres, so that there are ties and level ground.
            z[cell] = bits % 97 == 0 ? kNoData : std::floor(12.0F * unit_float(bits));
            roots[cell] = bits % 89 == 1 ? 1 : 0;
        }
        const Lattice lattice = four_neighbours(z.grid());
        for (const ReceiverRule rule : {ReceiverRule::Steepest, ReceiverRule::Random}) {
            limit_vector_lanes(1);
            const DirectedTerrain single = directed(z, lattice, roots, rule, 0x123456789abcdef0);
            for (const int lanes : {4, 8, 16}) {
                limit_vector_lanes(lanes);
                const DirectedTerrain rows = directed(z, lattice, roots, rule, 0x123456789abcdef0);
                EXPECT_EQ(rows.direction, single.direction) << columns << ", " << lanes;
                EXPECT_EQ(rows.length, single.length) << columns << ", " << lanes;
                EXPECT_EQ(rows.pits, single.pits) << columns << ", " << lanes;
            }
            limit_vector_lanes(0);
        }
    }
}

TEST(SlopeFactor, rows_of_4_neighbours_draw_receivers_in_proportion_to_the_drop) {
    // Every cell lies 1 m above its south and 3 m above its east neighbour, and below the others.
    Field<float> z(Grid{.columns = 400, .rows = 102, .cell_size = 5.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = 5000.0F - 3.0F * static_cast<float>(cell % 400) - 1.0F * static_cast<float>(cell / 400);
    std::array<int, 11> count{};
    for (const std::uint64_t key : {1ULL, 2ULL, 1ULL << 32}) {
        const DirectedTerrain terrain =
            directed(z, four_neighbours(z.grid()), edge_roots(z), ReceiverRule::Random, key);
        for (const std::uint8_t direction : terrain.direction) ++count[direction];
    }
    const double cells = 3.0 * 398.0 * 100.0;
    // Four standard deviations.
    EXPECT_NEAR(count[0] / cells, 0.75, 4.0 * std::sqrt(0.75 * 0.25 / cells));
    EXPECT_NEAR(count[2] / cells, 0.25, 4.0 * std::sqrt(0.75 * 0.25 / cells));
}

TEST(SlopeFactor, random_receivers_of_different_keys_are_independent) {
    // Level between east and south: each is drawn half the time, and two keys agree half the time.
    Field<float> z(Grid{.columns = 400, .rows = 102, .cell_size = 5.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = 5000.0F - static_cast<float>(cell % 400) - static_cast<float>(cell / 400);
    const auto drawn = [&](std::uint64_t key) {
        return directed(z, four_neighbours(z.grid()), edge_roots(z), ReceiverRule::Random, key).direction;
    };
    const std::vector<std::uint8_t> first = drawn(7);
    const double cells = 398.0 * 100.0;
    for (const std::uint64_t key : {8ULL, 7ULL + (1ULL << 32), 7ULL ^ 400ULL}) {
        const std::vector<std::uint8_t> second = drawn(key);
        int agree = 0;
        for (std::size_t cell = 0; cell < first.size(); ++cell)
            agree += first[cell] < kRoot && first[cell] == second[cell] ? 1 : 0;
        EXPECT_NEAR(agree / cells, 0.5, 4.0 * std::sqrt(0.25 / cells)) << key;
    }
}

TEST(SlopeFactor, lists_the_cells_without_a_lower_neighbour) {
    Field<float> z(Grid{.columns = 200, .rows = 200, .cell_size = 5.0});
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        z[cell] = unit_float(random_bits(3, Stream::SeedTerrain, static_cast<std::uint64_t>(cell)));
    const DirectedTerrain terrain = directed(z, jittered_mesh(z.grid(), 1, 0.4, progress), edge_roots(z));
    std::vector<std::int32_t> expected;
    for (std::size_t cell = 0; cell < terrain.direction.size(); ++cell)
        if (terrain.direction[cell] == kPit) expected.push_back(static_cast<std::int32_t>(cell));
    EXPECT_GT(expected.size(), 1000U);
    EXPECT_EQ(terrain.pits, expected);
}

TEST(SlopeFactor, random_receivers_are_drawn_in_proportion_to_the_drop) {
    // The middle cell lies 1 m above its west, 3 m above its east neighbour, and below the others.
    Field<float> z(Grid{.columns = 3, .rows = 3}, 20.0F);
    z(1, 1) = 10.0F;
    z(0, 1) = 9.0F;
    z(2, 1) = 7.0F;
    const Field<std::uint8_t> roots(z.grid(), 0);
    std::array<int, 9> count{};
    constexpr int kDraws = 4000;
    for (std::uint64_t key = 0; key < kDraws; ++key)
        ++count[directed(z, four_neighbours(z.grid()), roots, ReceiverRule::Random, key).direction[4]];
    EXPECT_NEAR(count[0], 0.75 * kDraws, 100);
    EXPECT_NEAR(count[4], 0.25 * kDraws, 100);
}

TEST(SlopeFactor, breached_cells_get_the_full_distance) {
    Field<float> z(Grid{.columns = 5, .rows = 1, .cell_size = 7.0});
    const float heights[] = {0.0F, 3.0F, 1.0F, 2.0F, 9.0F};
    std::copy(std::begin(heights), std::end(heights), z.begin());
    Field<std::uint8_t> roots(z.grid(), 0);
    roots[0] = 1;
    const Lattice lattice = four_neighbours(z.grid());
    DirectedTerrain terrain = directed(z, lattice, roots);
    EXPECT_EQ(terrain.pits, std::vector<std::int32_t>{2});
    EXPECT_EQ(terrain.direction[2], kPit);
    DirectionBreacher breacher;
    breacher.breach(z, lattice, terrain.direction, terrain.pits, progress);
    lengthen_breached(lattice, breacher.turned(), terrain);
    EXPECT_EQ(terrain.direction[2], 4);
    EXPECT_EQ(terrain.length[2], 7.0F);
}

}  // namespace
}  // namespace thalweg
