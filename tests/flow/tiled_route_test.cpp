#include "thalweg/flow/tiled_route.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/route.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::white_terrain;

QuietProgress progress;

struct Routed {
    TiledReport report;
    Field<double> drainage_area;
    std::vector<std::uint8_t> direction;
};

/// Routes a terrain in memory through tiles, giving out windows of it.
Routed route_by_tiles(const Field<float>& z, Depressions depressions, int tile_side) {
    Routed routed{{}, Field<double>(z.grid()), std::vector<std::uint8_t>(static_cast<std::size_t>(z.size()))};
    TiledTerrain terrain;
    terrain.grid = z.grid();
    terrain.read = [&](const CellRange& range) {
        Field<float> part(part_of(z.grid(), range));
        for (int row = 0; row < range.rows(); ++row)
            for (int column = 0; column < range.columns(); ++column)
                part(column, row) = z(range.first_column + column, range.first_row + row);
        return part;
    };
    std::map<std::int64_t, std::vector<std::uint8_t>> kept;
    std::mutex mutex;
    TiledResults results;
    results.keep = [&](std::int64_t tile, std::vector<std::uint8_t> direction) {
        const std::lock_guard lock(mutex);
        kept[tile] = std::move(direction);
    };
    results.kept = [&](std::int64_t tile) {
        const std::lock_guard lock(mutex);
        return kept.at(tile);
    };
    results.write = [&](const CellRange& range, const Field<double>& area,
                        const std::vector<std::uint8_t>& direction) {
        const std::lock_guard lock(mutex);
        for (int row = 0; row < range.rows(); ++row)
            for (int column = 0; column < range.columns(); ++column) {
                const std::int64_t cell = z.grid().index(range.first_column + column, range.first_row + row);
                routed.drainage_area[cell] = area(column, row);
                routed.direction[static_cast<std::size_t>(cell)] =
                    direction[static_cast<std::size_t>(row * range.columns() + column)];
            }
    };
    routed.report =
        route_in_tiles(terrain, {.depressions = depressions, .tile_side = tile_side}, results, progress);
    return routed;
}

/// White noise, plateaus, level ground, one row, holes.
std::vector<Field<float>> difficult_terrains() {
    std::vector<Field<float>> terrains;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) terrains.push_back(white_terrain(37, 29, seed));
    for (const int levels : {1, 2, 5, 40}) terrains.push_back(white_terrain(61, 70, 7, levels));
    terrains.push_back(white_terrain(150, 120, 8));
    terrains.push_back(white_terrain(1, 30, 3));
    terrains.push_back(white_terrain(30, 1, 3));
    terrains.push_back(white_terrain(1, 1, 3));
    terrains.push_back(white_terrain(50, 50, 4));
    cut_out(terrains.back(), 8, 9, 25, 12);
    terrains.push_back(white_terrain(50, 50, 4, 3));
    cut_out(terrains.back(), 20, 20, 24, 49);
    return terrains;
}

TEST(TiledRoute, gives_the_bits_of_routing_in_memory) {
    for (const Field<float>& z : difficult_terrains())
        for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
            const FlowResult whole = route(z, {.conditioning = {.depressions = depressions}}, progress);
            for (const int tile_side : {3, 7, 16, 64, 1000}) {
                const Routed routed = route_by_tiles(z, depressions, tile_side);
                ASSERT_EQ(routed.direction, whole.tree.direction)
                    << z.columns() << " x " << z.rows() << " in tiles of " << tile_side;
                ASSERT_EQ(routed.drainage_area, whole.drainage_area);
                EXPECT_EQ(routed.report.pits, whole.pits);
                EXPECT_EQ(routed.report.drained_cells, routed.report.cells);
            }
        }
}

TEST(TiledRoute, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(200, 170, 10, 300);
    std::vector<Routed> results;
    for (const int threads : {1, 2, 8}) {
        set_thread_count(threads);
        results.push_back(route_by_tiles(z, Depressions::Fill, 32));
    }
    set_thread_count(0);
    for (const Routed& routed : results) {
        EXPECT_EQ(routed.direction, results[0].direction);
        EXPECT_EQ(routed.drainage_area, results[0].drainage_area);
    }
}

}  // namespace
}  // namespace thalweg
