#include "thalweg/flow/tiled_route.hpp"

#include "thalweg/core/execution.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/route.hpp"
#include "thalweg/flow/tiles/tile_map.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "tests/cancelling_progress.hpp"
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

TiledTerrain terrain_of(const Field<float>& z) {
    TiledTerrain terrain;
    terrain.grid = z.grid();
    terrain.read = [&](const CellRange& range) {
        Field<float> part(part_of(z.grid(), range));
        for (int row = 0; row < range.rows(); ++row)
            for (int column = 0; column < range.columns(); ++column)
                part(column, row) = z(range.first_column + column, range.first_row + row);
        return part;
    };
    return terrain;
}

/// What a run keeps, which outlives it.
struct Kept {
    std::mutex mutex;
    std::map<std::pair<TilePart, std::int64_t>, std::vector<std::byte>> parts;
    std::set<std::int64_t> written;
    Field<double> drainage_area;

    TiledResults results() {
        TiledResults results;
        results.keep = [&](TilePart part, std::int64_t tile, std::span<const std::byte> bytes) {
            const std::lock_guard lock(mutex);
            parts[{part, tile}].assign(bytes.begin(), bytes.end());
        };
        results.kept = [&](TilePart part, std::int64_t tile) -> std::optional<std::vector<std::byte>> {
            const std::lock_guard lock(mutex);
            const auto found = parts.find({part, tile});
            return found == parts.end() ? std::nullopt : std::optional(found->second);
        };
        results.write = [&](std::int64_t tile, const CellRange& range, const Field<double>& area) {
            const std::lock_guard lock(mutex);
            written.insert(tile);
            for (int row = 0; row < range.rows(); ++row)
                for (int column = 0; column < range.columns(); ++column)
                    drainage_area(range.first_column + column, range.first_row + row) = area(column, row);
        };
        results.is_written = [&](std::int64_t tile) {
            const std::lock_guard lock(mutex);
            return written.contains(tile);
        };
        return results;
    }

    /// Directions of the whole grid, once it is routed.
    [[nodiscard]] std::vector<std::uint8_t> direction(int tile_side) const {
        const Grid& grid = drainage_area.grid();
        const TileMap map(grid, tile_side);
        std::vector<std::uint8_t> whole(static_cast<std::size_t>(grid.cells()));
        for (std::int64_t tile = 0; tile < map.tiles(); ++tile) {
            const std::vector<std::uint8_t> own = directions_from(parts.at({TilePart::Drained, tile}));
            for (std::int32_t cell = 0; at(cell) < own.size(); ++cell)
                whole[at(map.number({tile, cell}))] = own[at(cell)];
        }
        return whole;
    }
};

/// Routes a terrain in memory through tiles, giving out parts of it.
Routed route_by_tiles(const Field<float>& z, Depressions depressions, int tile_side) {
    Kept kept;
    kept.drainage_area = Field<double>(z.grid());
    Routed routed;
    routed.report = route_in_tiles(terrain_of(z), {.depressions = depressions, .tile_side = tile_side},
                                   kept.results(), progress);
    routed.direction = kept.direction(tile_side);
    routed.drainage_area = kept.drainage_area;
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
    for (const Depressions depressions : {Depressions::Breach, Depressions::Fill}) {
        std::vector<Routed> results;
        for (const int threads : {1, 2, 8}) {
            const ExecutionScope on_threads({.threads = threads});
            results.push_back(route_by_tiles(z, depressions, 32));
        }
        for (const Routed& routed : results) {
            EXPECT_EQ(routed.direction, results[0].direction);
            EXPECT_EQ(routed.drainage_area, results[0].drainage_area);
        }
    }
}

/// Cancels a run at every poll, goes on, and compares. Returns the most parts that a cancelled run had kept.
std::size_t cancel_everywhere(const Field<float>& z, const TiledParameters& parameters) {
    const Routed whole = route_by_tiles(z, parameters.depressions, parameters.tile_side);
    std::size_t most_kept = 0;
    bool is_cancelled = true;
    for (int patience = 0; is_cancelled; ++patience) {
        Kept kept;
        kept.drainage_area = Field<double>(z.grid());
        ImpatientProgress impatient(patience);
        is_cancelled = false;
        try {
            route_in_tiles(terrain_of(z), parameters, kept.results(), impatient);
        } catch (const Cancelled&) {
            is_cancelled = true;
        }
        most_kept = std::max(most_kept, kept.parts.size());
        std::size_t read_again = 0;
        TiledTerrain terrain = terrain_of(z);
        terrain.read = [&, read = terrain.read](const CellRange& range) {
            ++read_again;
            return read(range);
        };
        const std::size_t kept_before = kept.parts.size();
        const TiledReport report = route_in_tiles(terrain, parameters, kept.results(), progress);
        EXPECT_EQ(kept.direction(parameters.tile_side), whole.direction) << "cancelled at " << patience;
        EXPECT_EQ(kept.drainage_area, whole.drainage_area) << "cancelled at " << patience;
        EXPECT_EQ(report.cells, whole.report.cells);
        EXPECT_EQ(report.drained_cells, whole.report.drained_cells);
        EXPECT_EQ(report.pits, whole.report.pits);
        if (kept_before == kept.parts.size()) {
            EXPECT_EQ(read_again, 0U);
        }
    }
    return most_kept;
}

TEST(TiledRoute, goes_on_from_wherever_it_was_cancelled_with_the_same_bits) {
    Field<float> z = white_terrain(40, 33, 5, 12);  // with flats across edges, and tiles without
    for (std::int64_t cell = 0; cell < 500; ++cell) z[cell] += 0.001F * static_cast<float>(cell % 97);
    const ExecutionScope on_one_thread({.threads = 1});
    // Parts of 12 tiles.
    EXPECT_EQ(cancel_everywhere(z, {.depressions = Depressions::Fill, .tile_side = 11}), 12U * 5U);
    EXPECT_EQ(cancel_everywhere(z, {.depressions = Depressions::Breach, .tile_side = 11}), 12U * 6U);
}

}  // namespace
}  // namespace thalweg
