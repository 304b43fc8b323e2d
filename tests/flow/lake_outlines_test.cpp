#include "thalweg/flow/lake_outlines.hpp"

#include "thalweg/core/random.hpp"
#include "thalweg/flow/depressions/flats.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <cmath>
#include <initializer_list>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

QuietProgress progress;

/// Lakes over cells with the given ids, by rows from the north-west, in cells of 10 m.
Lakes lakes_of(int columns, int rows, const std::vector<std::int32_t>& ids) {
    Lakes lakes;
    lakes.lake = Field<std::int32_t>(
        Grid{.columns = columns, .rows = rows, .cell_size = 10.0, .west = 500.0, .north = 900.0, .crs = "a"});
    std::map<std::int32_t, Lake> found;
    for (std::int64_t cell = 0; cell < lakes.lake.size(); ++cell) {
        lakes.lake[cell] = ids[at(cell)];
        if (ids[at(cell)] == 0) continue;
        found[ids[at(cell)]].id = ids[at(cell)];
        found[ids[at(cell)]].area += 100.0;
    }
    for (const auto& [id, lake] : found) lakes.lakes.push_back(lake);
    return lakes;
}

/// m^2; negative where it runs clockwise.
double area_of(const Neighbourhood& ring) {
    double sum = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Position a = ring[i], b = ring[(i + 1) % ring.size()];
        sum += a.x * b.y - b.x * a.y;
    }
    return 0.5 * sum;
}

/// Whether a line to the east crosses the ring an odd number of times.
bool is_inside(const Neighbourhood& ring, const Position& place) {
    bool inside = false;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Position a = ring[i], b = ring[(i + 1) % ring.size()];
        if ((a.y > place.y) != (b.y > place.y) && a.x > place.x) inside = !inside;
    }
    return inside;
}

bool is_inside(const OutlinePart& part, const Position& place) {
    bool inside = is_inside(part.outer, place);
    for (const Neighbourhood& island : part.holes) inside = inside && !is_inside(island, place);
    return inside;
}

void expect_simple(const Neighbourhood& ring) {
    std::set<std::pair<double, double>> corners;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Position a = ring[i], b = ring[(i + 1) % ring.size()], c = ring[(i + 2) % ring.size()];
        EXPECT_TRUE(corners.emplace(a.x, a.y).second);
        EXPECT_NE(a.x == b.x, a.y == b.y);
        EXPECT_NE(a.x == b.x, b.x == c.x);
    }
}

/// Every cell's centre is in one part of its own lake, and in no other.
void expect_cover(const Lakes& lakes, const LakeOutlines& outlines) {
    const Grid& grid = lakes.lake.grid();
    ASSERT_EQ(outlines.lakes.size(), lakes.lakes.size());
    for (const LakeOutline& outline : outlines.lakes) {
        double area = 0.0;
        for (const OutlinePart& part : outline.parts) {
            expect_simple(part.outer);
            EXPECT_GT(area_of(part.outer), 0.0);
            area += area_of(part.outer);
            for (const Neighbourhood& island : part.holes) {
                expect_simple(island);
                EXPECT_LT(area_of(island), 0.0);
                area += area_of(island);
            }
        }
        ASSERT_NEAR(area, outline.lake.area, 1e-6);
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
            const Position place = grid.centre(grid.column_of(cell), grid.row_of(cell));
            int parts = 0;
            for (const OutlinePart& part : outline.parts) parts += is_inside(part, place) ? 1 : 0;
            ASSERT_EQ(parts, lakes.lake[cell] == outline.lake.id ? 1 : 0);
        }
    }
}

TEST(LakeOutlines, of_one_cell_are_its_corners_counter_clockwise) {
    const LakeOutlines outlines = outline(lakes_of(3, 2, {0, 0, 0, 0, 7, 0}), progress);
    EXPECT_EQ(outlines.crs, "a");
    ASSERT_EQ(outlines.lakes.size(), 1U);
    EXPECT_EQ(outlines.lakes[0].lake.id, 7);
    EXPECT_FALSE(outlines.lakes[0].outlet.has_value());
    ASSERT_EQ(outlines.lakes[0].parts.size(), 1U);
    const Neighbourhood& shore = outlines.lakes[0].parts[0].outer;
    ASSERT_EQ(shore.size(), 4U);
    EXPECT_EQ(shore[0].x, 510.0);
    EXPECT_EQ(shore[0].y, 890.0);
    EXPECT_EQ(shore[1].x, 510.0);
    EXPECT_EQ(shore[1].y, 880.0);
    EXPECT_EQ(shore[2].x, 520.0);
    EXPECT_EQ(area_of(shore), 100.0);
}

TEST(LakeOutlines, keep_islands_as_holes) {
    const Lakes lakes = lakes_of(5, 5, {1, 1, 1, 1, 1,  //
                                        1, 0, 1, 2, 1,  //
                                        1, 1, 0, 1, 1,  //
                                        1, 0, 1, 1, 1,  //
                                        1, 1, 1, 1, 1});
    const LakeOutlines outlines = outline(lakes, progress);
    ASSERT_EQ(outlines.lakes[0].parts.size(), 1U);
    EXPECT_EQ(outlines.lakes[0].parts[0].outer.size(), 4U);
    EXPECT_EQ(outlines.lakes[0].parts[0].holes.size(), 4U);  // those that touch in corners are four
    expect_cover(lakes, outlines);
}

TEST(LakeOutlines, part_where_cells_meet_in_corners_alone) {
    const Lakes apart = lakes_of(3, 3,
                                 {1, 0, 0,  //
                                  0, 1, 1,  //
                                  1, 0, 1});
    EXPECT_EQ(outline(apart, progress).lakes[0].parts.size(), 3U);
    expect_cover(apart, outline(apart, progress));
    const Lakes round = lakes_of(3, 3,
                                 {1, 1, 1,  //
                                  1, 0, 1,  //
                                  0, 1, 1});
    const LakeOutlines outlines = outline(round, progress);
    ASSERT_EQ(outlines.lakes[0].parts.size(), 1U);
    EXPECT_EQ(outlines.lakes[0].parts[0].holes.size(), 1U);  // it touches the shore in a corner
    expect_cover(round, outlines);
}

TEST(LakeOutlines, cover_the_cells_of_random_lakes_and_no_others) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const int columns = 3 + static_cast<int>(seed % 11), rows = 1 + static_cast<int>(seed % 13);
        std::vector<std::int32_t> ids;
        for (int i = 0; i < columns * rows; ++i) {
            const std::uint64_t bits = random_bits(seed, Stream::SeedTerrain, static_cast<std::uint64_t>(i));
            const bool is_wet = bits % 100 < 40 + seed % 5 * 12;
            ids.push_back(is_wet ? 1 + static_cast<std::int32_t>(bits >> 20 & (seed % 2)) : 0);
        }
        const Lakes lakes = lakes_of(columns, rows, ids);
        expect_cover(lakes, outline(lakes, progress));
    }
}

TEST(LakeOutlines, of_a_terrain_have_the_area_and_outlet_of_its_lakes) {
    const Field<float> z = tests::white_terrain(90, 70, 4, 30);
    const Lattice lattice = eight_neighbours(z.grid());
    std::vector<std::uint8_t> direction = steepest_directions(z, lattice, edge_roots(z));
    resolve_flats(z, lattice, direction, progress);
    const Basins basins = find_basins(z.grid(), direction, progress);
    const SpillTree tree = find_spills(z, lattice, basins, progress);
    const DepressionHierarchy hierarchy = find_depressions(z, lattice, basins, tree, progress);
    for (const double runoff : {2.0, std::numeric_limits<double>::infinity()}) {
        const Lakes lakes = fill_spill_merge(z, basins, hierarchy, {.runoff = runoff}, progress);
        const LakeOutlines outlines = outline(lakes, progress);
        ASSERT_EQ(outlines.lakes.size(), lakes.lakes.size());
        for (std::size_t i = 0; i < lakes.lakes.size(); ++i) {
            const LakeOutline& lake = outlines.lakes[i];
            double area = 0.0;
            for (const OutlinePart& part : lake.parts) {
                area += area_of(part.outer);
                for (const Neighbourhood& island : part.holes) area += area_of(island);
            }
            ASSERT_NEAR(area, lakes.lakes[i].area, 1e-6);
            ASSERT_EQ(lake.outlet.has_value(), lakes.lakes[i].outlet >= 0);
            if (!lake.outlet) continue;
            const int column = static_cast<int>(std::lround(z.grid().column_at(lake.outlet->x)));
            const int row = static_cast<int>(std::lround(z.grid().row_at(lake.outlet->y)));
            ASSERT_EQ(z.grid().index(column, row), lakes.lakes[i].outlet);
        }
    }
}

}  // namespace
}  // namespace thalweg
