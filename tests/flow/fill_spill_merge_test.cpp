#include "thalweg/flow/fill_spill_merge.hpp"

#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/random.hpp"
#include "thalweg/flow/fill.hpp"
#include "thalweg/flow/flats.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lake_spills.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <set>
#include <vector>

#include "tests/flow/terrains.hpp"
#include <gtest/gtest.h>

namespace thalweg {
namespace {

using tests::cut_out;
using tests::difficult_terrains;
using tests::for_each_neighbour;
using tests::terrain_of;
using tests::white_terrain;

constexpr double kInf = std::numeric_limits<double>::infinity();
QuietProgress progress;

/// A terrain and all that lakes are found from.
struct Ground {
    Field<float> elevation;
    std::vector<std::uint8_t> direction;
    Basins basins;
    SpillTree tree;
    DepressionHierarchy hierarchy;

    Ground(const Field<float>& z, const Field<std::uint8_t>& roots) : elevation(z) {
        const Lattice lattice = eight_neighbours(z.grid());
        direction = steepest_directions(z, lattice, roots);
        resolve_flats(z, lattice, direction, progress);
        basins = find_basins(z.grid(), direction, progress);
        tree = find_spills(z, lattice, basins, progress);
        hierarchy = find_depressions(z, lattice, basins, tree, progress);
    }
    explicit Ground(const Field<float>& z) : Ground(z, edge_roots(z)) {}

    [[nodiscard]] Lakes lakes(const LakeWater& water) const {
        return fill_spill_merge(elevation, basins, hierarchy, water, progress);
    }
    [[nodiscard]] Lakes lakes(double runoff) const { return lakes({.runoff = runoff}); }
    [[nodiscard]] Lakes lakes(const Field<float>& runoff) const { return lakes({.runoff_of_cell = runoff}); }
};

// Two pits of 1 and 2 m^2 at 2 m and 3 m, a sill of 5 m between them, of 6 m to the east.
const Field<float> kTwoPits = terrain_of(8, 3, {9, 9, 9, 9, 9, 9, 9, 9,  //
                                                9, 9, 2, 5, 3, 3, 6, 0,  //
                                                9, 9, 9, 9, 9, 9, 9, 9});

TEST(Depressions, of_two_pits_are_two_basins_and_their_union) {
    const Ground ground(kTwoPits);
    const auto& depressions = ground.hierarchy.depressions;
    ASSERT_EQ(depressions.size(), 4U);
    EXPECT_EQ(depressions[1].pit, 10);
    EXPECT_EQ(depressions[2].pit, 12);
    for (const std::size_t basin : {1U, 2U}) {
        EXPECT_EQ(depressions[basin].parent, 3);
        EXPECT_EQ(depressions[basin].spill_elevation, 5.0F);
        EXPECT_EQ(depressions[basin].sill(kTwoPits), 11);
        EXPECT_EQ(depressions[basin].spills_into, basin == 1 ? 2 : 1);
    }
    EXPECT_EQ(depressions[1].volume, 3.0);
    EXPECT_EQ(depressions[2].volume, 4.0);
    const Depression& both = depressions[3];
    EXPECT_EQ(both.children, (std::array<std::int32_t, 2>{1, 2}));
    EXPECT_EQ(both.parent, kNoDepression);
    EXPECT_EQ(both.pit, 10);
    EXPECT_EQ(both.spill_elevation, 6.0F);
    EXPECT_EQ(both.sill(kTwoPits), 14);
    EXPECT_EQ(both.spills_into, kDrained);
    EXPECT_EQ(both.cells, 4);
    EXPECT_EQ(both.layer_volume, 4.0);
    EXPECT_EQ(both.volume, 11.0);
    EXPECT_EQ(ground.hierarchy.of_cell[10], 1);
    EXPECT_EQ(ground.hierarchy.of_cell[11], 3);
    EXPECT_EQ(ground.hierarchy.of_cell[14], kNoDepression);
}

TEST(Depressions, hold_what_a_slow_sum_over_their_basins_says) {
    for (const Field<float>& z : difficult_terrains()) {
        if (z.size() > 4000) continue;
        const Ground ground(z);
        const auto& depressions = ground.hierarchy.depressions;
        for (std::size_t i = 1; i < depressions.size(); ++i) {
            const Depression& of = depressions[i];
            std::int64_t cells = 0;
            double volume = 0.0;
            for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                std::int32_t above = std::max(0, ground.basins.of_cell[at(cell)]);
                while (above != 0 && above != static_cast<std::int32_t>(i))
                    above = depressions[at(above)].parent;
                if (above == 0 || z[cell] >= of.spill_elevation) continue;
                ++cells;
                volume += (static_cast<double>(of.spill_elevation) - static_cast<double>(z[cell])) *
                          z.grid().cell_area();
            }
            ASSERT_EQ(of.cells, cells);
            ASSERT_NEAR(of.volume, volume, 1e-12 * volume);
            ASSERT_TRUE(of.parent == kNoDepression || of.parent > static_cast<std::int32_t>(i));
            for (const std::int32_t child : of.children)
                if (child != kNoDepression) {
                    EXPECT_EQ(depressions[at(child)].parent, static_cast<std::int32_t>(i));
                    EXPECT_LE(depressions[at(child)].spill_elevation, of.spill_elevation);
                    EXPECT_LE(z[of.pit], z[depressions[at(child)].pit]);
                }
        }
    }
}

/// Runoff on the western pit alone, m.
Field<float> on_the_west(float depth) {
    Field<float> runoff(kTwoPits.grid(), 0.0F);
    runoff(2, 1) = depth;
    return runoff;
}

TEST(FillSpillMerge, fills_then_spills_then_merges_then_drains) {
    const Ground ground(kTwoPits);
    const Lakes filling = ground.lakes(on_the_west(1.5F));
    ASSERT_EQ(filling.lakes.size(), 1U);
    EXPECT_EQ(filling.lakes[0].id, 1);
    EXPECT_EQ(filling.lakes[0].level, 3.5);
    EXPECT_EQ(filling.lakes[0].outlet, -1);
    EXPECT_EQ(filling.water_depth(2, 1), 1.5F);
    EXPECT_EQ(filling.water_elevation(2, 1), 3.5F);
    EXPECT_TRUE(is_no_data(filling.water_elevation(4, 1)));
    EXPECT_EQ(filling.water_depth(4, 1), 0.0F);

    const Lakes spilling = ground.lakes(on_the_west(4.0F));
    ASSERT_EQ(spilling.lakes.size(), 2U);
    EXPECT_EQ(spilling.lakes[0].level, 5.0);
    EXPECT_EQ(spilling.lakes[0].outlet, 11);
    EXPECT_EQ(spilling.lakes[0].inflow, 4.0);
    EXPECT_EQ(spilling.lakes[1].level, 3.5);
    EXPECT_EQ(spilling.lakes[1].inflow, 1.0);
    EXPECT_EQ(spilling.lakes[1].area, 2.0);
    EXPECT_EQ(spilling.lake(5, 1), 2);

    const Lakes merged = ground.lakes(on_the_west(9.0F));
    ASSERT_EQ(merged.lakes.size(), 1U);
    EXPECT_EQ(merged.lakes[0].id, 1);
    EXPECT_EQ(merged.lakes[0].level, 5.5);
    EXPECT_EQ(merged.lakes[0].depth, 3.5);
    EXPECT_EQ(merged.lakes[0].area, 4.0);
    EXPECT_EQ(merged.lakes[0].volume, 9.0);
    EXPECT_EQ(merged.lake(4, 1), 1);

    const Lakes draining = ground.lakes(on_the_west(12.0F));
    ASSERT_EQ(draining.lakes.size(), 1U);
    EXPECT_EQ(draining.lakes[0].level, 6.0);
    EXPECT_EQ(draining.lakes[0].outlet, 14);
    EXPECT_EQ(draining.lakes[0].inflow, 12.0);
    EXPECT_EQ(draining.outflow, 1.0);
    EXPECT_EQ(draining.volume, 11.0);
    EXPECT_EQ(draining.volume_error, 0.0);
}

TEST(FillSpillMerge, conserves_volume_to_rounding) {
    for (const Field<float>& z : difficult_terrains()) {
        const Ground ground(z);
        for (const double runoff : {0.01, 0.5, 3.0, 20.0, 1e4}) {
            const Lakes result = ground.lakes(runoff);
            EXPECT_LT(result.volume_error, 1e-12);
            double from_lakes = 0.0, from_cells = 0.0;
            for (const Lake& lake : result.lakes) from_lakes += lake.volume;
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                if (!is_no_data(z[cell]))
                    from_cells += static_cast<double>(result.water_depth[cell]) * z.grid().cell_area();
            EXPECT_NEAR(from_lakes + result.outflow, result.runoff, 1e-12 * result.runoff);
            EXPECT_NEAR(from_cells, from_lakes, 1e-6 * from_lakes);
        }
    }
}

/// The pools of a few basins each, filled drop by drop. Every question is answered by looking at all cells.
class SlowPools {
  public:
    explicit SlowPools(const Ground& ground) : ground_(ground) {
        for (std::int32_t basin = 1; basin < ground.basins.count(); ++basin)
            pools_.push_back({{basin}, 0.0, false});
    }

    void drop(std::int64_t cell, double volume) {
        for (;;) {
            Pool* const pool = pool_of(ground_.basins.of_cell[at(cell)]);
            if (pool == nullptr) {
                outflow += volume;
                return;
            }
            const Way way = lowest_way(*pool);
            const double room = volume_below(*pool, way.level) - pool->water;
            if (!pool->is_full && volume < room) {
                pool->water += volume;
                return;
            }
            if (!pool->is_full) volume -= room, pool->water += room, pool->is_full = true;
            Pool* const beyond = pool_of(ground_.basins.of_cell[at(way.to)]);
            if (beyond != nullptr && beyond->is_full && contains(*pool, lowest_way(*beyond).to)) {
                pool->basins.insert(beyond->basins.begin(), beyond->basins.end());
                pool->water += beyond->water;
                pool->is_full = false;
                beyond->basins.clear();
            } else {
                cell = way.to;
            }
        }
    }

    /// m; -inf where there is no water.
    [[nodiscard]] double level_over(std::int64_t cell) {
        const Pool* const pool = pool_of(ground_.basins.of_cell[at(cell)]);
        if (pool == nullptr || pool->water == 0.0) return -kInf;
        double low = -1.0, high = 1000.0;
        for (int step = 0; step < 100; ++step) {
            const double middle = 0.5 * (low + high);
            (volume_below(*pool, middle) < pool->water ? low : high) = middle;
        }
        return high;
    }

    double outflow = 0.0;

  private:
    struct Pool {
        std::set<std::int32_t> basins;
        double water;  // m^3
        bool is_full;
    };
    struct Way {
        double level = kInf;
        double steepness = 0.0;
        std::int64_t to = -1;
    };

    [[nodiscard]] Pool* pool_of(std::int32_t basin) {
        for (Pool& pool : pools_)
            if (pool.basins.contains(basin)) return &pool;
        return nullptr;
    }
    [[nodiscard]] bool contains(const Pool& pool, std::int64_t cell) const {
        return pool.basins.contains(ground_.basins.of_cell[at(cell)]);
    }
    [[nodiscard]] double volume_below(const Pool& pool, double level) const {
        double depth = 0.0;
        for (std::int64_t cell = 0; cell < ground_.elevation.size(); ++cell)
            if (contains(pool, cell))
                depth += std::max(0.0, level - static_cast<double>(ground_.elevation[cell]));
        return depth * ground_.elevation.grid().cell_area();
    }
    [[nodiscard]] Way lowest_way(const Pool& pool) const {
        const Grid& grid = ground_.elevation.grid();
        Way lowest;
        for (std::int64_t cell = 0; cell < grid.cells(); ++cell) {
            if (!contains(pool, cell)) continue;
            for_each_neighbour(grid, cell, [&](std::int64_t other) {
                if (contains(pool, other) || is_no_data(ground_.elevation[other])) return;
                const double here = static_cast<double>(ground_.elevation[cell]);
                const double there = static_cast<double>(ground_.elevation[other]);
                const double level = std::max(here, there);
                const bool is_diagonal =
                    grid.column_of(cell) != grid.column_of(other) && grid.row_of(cell) != grid.row_of(other);
                const double steepness = std::abs(here - there) / (is_diagonal ? std::sqrt(2.0) : 1.0);
                if (level < lowest.level || (level == lowest.level && steepness > lowest.steepness))
                    lowest = {level, steepness, other};
            });
        }
        return lowest;
    }

    const Ground& ground_;
    std::vector<Pool> pools_;
};

TEST(FillSpillMerge, leaves_what_pools_hold_that_are_filled_drop_by_drop) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Field<float> z = white_terrain(13, 11, seed);
        if (seed % 2 == 0) cut_out(z, 4, 4, 5, 4);
        const Ground ground(z);
        for (const double runoff : {2.0, 9.0, 30.0}) {
            SlowPools slow(ground);
            constexpr std::int64_t kDrops = 8;  // of each cell, in disorder
            for (std::int64_t i = 0; i < kDrops * 997; ++i) {
                const std::int64_t drop = i * 389 % (kDrops * 997);
                const std::int64_t cell = drop / kDrops;
                if (cell < z.size() && !is_no_data(z[cell]))
                    slow.drop(cell, runoff * z.grid().cell_area() / static_cast<double>(kDrops));
            }
            const Lakes fast = ground.lakes(runoff);
            EXPECT_NEAR(fast.outflow, slow.outflow, 1e-9 * fast.runoff);
            for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                if (is_no_data(z[cell])) continue;
                const double depth = std::max(0.0, slow.level_over(cell) - static_cast<double>(z[cell]));
                ASSERT_NEAR(static_cast<double>(fast.water_depth[cell]), depth, 1e-5);
            }
        }
    }
}

/// A source in the middle of a cell. volume: m^3.
LakeSource source_at(const Grid& grid, int column, int row, double volume) {
    return {.x = grid.west + (column + 0.5) * grid.cell_size,
            .y = grid.north - (row + 0.5) * grid.cell_size,
            .volume = volume};
}

TEST(FillSpillMerge, fills_from_sources_and_uneven_runoff_what_drops_fill_there) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Field<float> z = white_terrain(13, 11, seed);
        if (seed % 2 == 0) cut_out(z, 4, 4, 5, 4);
        const Ground ground(z);
        for (const double volume : {3e2, 4e3, 3e4}) {
            LakeWater water{.runoff_of_cell = Field<float>(z.grid(), 0.0F)};
            for (const int place : {2, 6, 9})
                water.sources.push_back(source_at(z.grid(), place, 11 - place, volume / place));
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                water.runoff_of_cell[cell] = 0.25F * static_cast<float>(cell % 5);
            SlowPools slow(ground);
            constexpr int kDrops = 8;
            for (int drop = 0; drop < kDrops; ++drop) {
                for (const int place : {9, 2, 6})
                    slow.drop(z.grid().index(place, 11 - place), volume / place / kDrops);
                for (std::int64_t cell = 0; cell < z.size(); ++cell)
                    if (!is_no_data(z[cell]))
                        slow.drop(cell, static_cast<double>(water.runoff_of_cell[cell]) *
                                            z.grid().cell_area() / kDrops);
            }
            const Lakes fast = ground.lakes(water);
            EXPECT_LT(fast.volume_error, 1e-12);
            EXPECT_NEAR(fast.outflow, slow.outflow, 1e-9 * fast.runoff);
            for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                if (is_no_data(z[cell])) continue;
                const double depth = std::max(0.0, slow.level_over(cell) - static_cast<double>(z[cell]));
                ASSERT_NEAR(static_cast<double>(fast.water_depth[cell]), depth, 1e-5);
            }
        }
    }
}

TEST(FillSpillMerge, counts_the_water_of_sources_in_runoff_inflow_and_outflow) {
    const Ground ground(kTwoPits);
    const Grid& grid = kTwoPits.grid();
    const Lakes result =
        ground.lakes({.runoff = 0.0, .sources = {source_at(grid, 2, 1, 3.0), source_at(grid, 2, 1, 9.0)}});
    EXPECT_EQ(result.runoff, 12.0);
    EXPECT_EQ(result.outflow, 1.0);
    ASSERT_EQ(result.lakes.size(), 1U);
    EXPECT_EQ(result.lakes[0].inflow, 12.0);
    EXPECT_EQ(result.volume_error, 0.0);
    const Lakes gone = ground.lakes({.runoff = 0.0, .sources = {source_at(grid, 7, 1, 5.0)}});
    EXPECT_TRUE(gone.lakes.empty());
    EXPECT_EQ(gone.outflow, 5.0);
}

TEST(FillSpillMerge, conserves_the_water_of_sources_to_rounding) {
    for (const Field<float>& z : difficult_terrains())
        for (const double volume : {1e-3, 1e4, 1e9}) {
            const LakeWater water{
                .runoff = 0.7,
                .sources = {source_at(z.grid(), 0, 0, volume),
                            source_at(z.grid(), z.columns() / 2, z.rows() / 2, 1e3 / 7.0 * volume)}};
            const Lakes result = Ground(z).lakes(water);
            EXPECT_LT(result.volume_error, 1e-12);
            EXPECT_GT(result.runoff, 1e3 / 7.0 * volume);
        }
}

TEST(FillSpillMerge, refuses_sources_outside_without_data_or_without_a_volume) {
    Field<float> z = white_terrain(6, 5, 1);
    cut_out(z, 2, 2, 2, 2);
    const Ground ground(z);
    const auto refusal_of = [&](const LakeSource& source) -> std::string {
        try {
            (void)ground.lakes({.runoff = 0.0, .sources = {source_at(z.grid(), 1, 1, 1.0), source}});
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Input);
            return error.what();
        }
        return "";
    };
    const auto holds = [](const std::string& text, const char* part) {
        return text.find("lake source 2") == 0 && text.find(part) != std::string::npos;
    };
    EXPECT_EQ(refusal_of(source_at(z.grid(), 5, 4, 1.0)), "");
    for (const auto& [column, row] : {std::pair{-1, 2}, {6, 2}, {3, -1}, {3, 5}})
        EXPECT_TRUE(holds(refusal_of(source_at(z.grid(), column, row, 1.0)), "outside the terrain"));
    EXPECT_TRUE(holds(refusal_of({.x = std::nan(""), .y = 0.0, .volume = 1.0}), "outside the terrain"));
    EXPECT_TRUE(holds(refusal_of(source_at(z.grid(), 2, 2, 1.0)), "no data"));
    for (const double wrong : {0.0, -1.0, std::nan(""), kInf, 1e19})
        EXPECT_TRUE(holds(refusal_of(source_at(z.grid(), 3, 2, wrong)), "volume"));
}

TEST(FillSpillMerge, without_end_fills_what_filling_fills) {
    for (const Field<float>& z : difficult_terrains()) {
        const Lakes result = Ground(z).lakes(kInf);
        const Filled filled = fill_depressions(z, edge_roots(z), FilledSurface::Level, progress);
        std::int64_t wet = 0;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) {
                ASSERT_TRUE(is_no_data(result.water_depth[cell]) && is_no_data(result.water_elevation[cell]));
                continue;
            }
            const bool is_wet = filled.elevation[cell] > z[cell];
            wet += is_wet ? 1 : 0;
            ASSERT_EQ(result.lake[cell] != 0, is_wet);
            ASSERT_EQ(is_wet ? result.water_elevation[cell] : z[cell], filled.elevation[cell]);
        }
        EXPECT_EQ(wet, filled.raised_cells);
        EXPECT_NEAR(result.volume, filled.volume, 1e-12 * filled.volume);
        EXPECT_LT(result.volume_error, 1e-12);
        EXPECT_EQ(result.outflow, kInf);
    }
}

TEST(FillSpillMerge, leaves_the_same_lakes_after_plenty_as_without_end) {
    for (const Field<float>& z : difficult_terrains()) {
        const Ground ground(z);
        const Lakes plenty = ground.lakes(1e6), endless = ground.lakes(kInf);
        EXPECT_EQ(plenty.lake, endless.lake);
        ASSERT_EQ(plenty.lakes.size(), endless.lakes.size());
        for (std::size_t i = 0; i < plenty.lakes.size(); ++i) {
            EXPECT_EQ(plenty.lakes[i].level, endless.lakes[i].level);
            EXPECT_EQ(plenty.lakes[i].outlet, endless.lakes[i].outlet);
        }
    }
}

TEST(FillSpillMerge, rises_with_the_runoff) {
    for (const Field<float>& z : {white_terrain(90, 70, 5), white_terrain(90, 70, 5, 30)}) {
        const Ground ground(z);
        Lakes before = ground.lakes(0.0);
        EXPECT_TRUE(before.lakes.empty());
        EXPECT_EQ(before.volume_error, 0.0);
        for (double runoff = 0.25; runoff < 200.0; runoff *= 1.7) {
            Lakes after = ground.lakes(runoff);
            EXPECT_GE(after.volume, before.volume * (1.0 - 1e-12));
            EXPECT_GE(after.outflow, before.outflow * (1.0 - 1e-12));
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                ASSERT_GE(after.water_depth[cell], before.water_depth[cell] * (1.0F - 1e-6F));
            before = std::move(after);
        }
    }
}

TEST(FillSpillMerge, depends_on_each_cells_water_alone) {
    // A field that holds one depth everywhere, and one that moves each basin's water to its pit.
    const Field<float> z = white_terrain(120, 90, 6);
    const Ground ground(z);
    const Lakes even = ground.lakes(4.0);
    const Lakes as_field = ground.lakes(Field<float>(z.grid(), 4.0F));
    EXPECT_EQ(even.lake, as_field.lake);
    Field<float> at_pits(z.grid(), 0.0F);
    for (std::int64_t cell = 0; cell < z.size(); ++cell) {
        const std::int32_t basin = ground.basins.of_cell[at(cell)];
        at_pits[basin > 0 ? ground.basins.pits[at(basin - 1)] : cell] += 4.0F;
    }
    EXPECT_EQ(even.lake, ground.lakes(at_pits).lake);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        ASSERT_NEAR(even.water_depth[cell], as_field.water_depth[cell], 1e-4F);
}

TEST(FillSpillMerge, tells_of_each_lake_what_its_cells_say) {
    for (const double runoff : {3.0, kInf}) {
        const Field<float> z = white_terrain(140, 120, 9);
        const Ground ground(z);
        const Lakes result = ground.lakes(runoff);
        std::set<std::int32_t> ids(result.lake.begin(), result.lake.end());
        EXPECT_EQ(ids.size(), result.lakes.size() + 1);
        for (const Lake& lake : result.lakes) {
            double area = 0.0, depth = 0.0;
            for (std::int64_t cell = 0; cell < z.size(); ++cell) {
                if (result.lake[cell] != lake.id) continue;
                area += z.grid().cell_area();
                depth = std::max(depth, lake.level - static_cast<double>(z[cell]));
                EXPECT_EQ(result.water_elevation[cell], static_cast<float>(lake.level));
            }
            ASSERT_EQ(lake.area, area);
            ASSERT_EQ(lake.depth, depth);
            ASSERT_EQ(result.lake[lake.pit], lake.id);
            ASSERT_EQ(ground.basins.of_cell[at(lake.pit)], lake.id);
            if (lake.outlet >= 0) {
                ASSERT_EQ(static_cast<double>(z[lake.outlet]), lake.level);
                ASSERT_GE(lake.inflow, lake.volume * (1.0 - 1e-12));
            } else {
                ASSERT_NEAR(lake.inflow, lake.volume, 1e-9 * lake.volume);
            }
        }
    }
}

TEST(FillSpillMerge, sends_out_what_flows_in_and_is_not_kept) {
    const Field<float> z = white_terrain(140, 120, 9);
    const Ground ground(z);
    const Lakes result = ground.lakes(25.0);
    double leaves = 0.0;  // m^3
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        if (ground.basins.of_cell[at(cell)] == kDrained) leaves += 25.0 * z.grid().cell_area();
    for (const Lake& lake : result.lakes)
        if (lake.outlet >= 0 && ground.hierarchy.depressions[at(lake.depression)].spills_into == kDrained)
            leaves += lake.inflow - lake.volume;
    EXPECT_NEAR(leaves, result.outflow, 1e-9 * result.outflow);
}

TEST(FillSpillMerge, keeps_an_islands_shore_dry) {
    const Field<float> z = terrain_of(5, 5, {9, 9, 9, 9, 9,  //
                                             9, 1, 1, 1, 9,  //
                                             9, 1, 7, 1, 5,  //
                                             9, 1, 1, 1, 9,  //
                                             9, 9, 9, 9, 9});
    const Lakes result = Ground(z).lakes(kInf);
    ASSERT_EQ(result.lakes.size(), 1U);
    EXPECT_EQ(result.lakes[0].area, 8.0);
    EXPECT_EQ(result.lakes[0].volume, 32.0);
    EXPECT_EQ(result.lake(2, 2), 0);
}

TEST(FillSpillMerge, fills_closed_ground_above_all_its_rims) {
    const Field<float> z = terrain_of(5, 1, {3, 4, 1, 5, 2});
    const Ground ground(z, Field<std::uint8_t>(z.grid(), 0));
    const Lakes some = ground.lakes(1.0);  // 3 m^3 to the middle, less to the others
    EXPECT_EQ(some.outflow, 0.0);
    EXPECT_EQ(some.volume_error, 0.0);
    const Lakes deep = ground.lakes(10.0);
    ASSERT_EQ(deep.lakes.size(), 1U);
    EXPECT_EQ(deep.lakes[0].level, 13.0);
    EXPECT_EQ(deep.lakes[0].outlet, -1);
    const Lakes endless = ground.lakes(kInf);
    const Filled filled =
        fill_depressions(z, Field<std::uint8_t>(z.grid(), 0), FilledSurface::Level, progress);
    for (std::int64_t cell = 0; cell < z.size(); ++cell)
        EXPECT_EQ(endless.lake[cell] != 0 ? endless.water_elevation[cell] : z[cell], filled.elevation[cell]);
}

TEST(FillSpillMerge, without_end_drains_closed_ground_as_filling_does) {
    for (const Field<float>& z : difficult_terrains()) {
        const Field<std::uint8_t> no_roots(z.grid(), 0);
        const Lakes result = Ground(z, no_roots).lakes(kInf);
        const Filled filled = fill_depressions(z, no_roots, FilledSurface::Level, progress);
        for (std::int64_t cell = 0; cell < z.size(); ++cell)
            ASSERT_TRUE(is_no_data(z[cell]) ||
                        filled.elevation[cell] ==
                            (result.lake[cell] != 0 ? result.water_elevation[cell] : z[cell]));
    }
}

TEST(FillSpillMerge, mirrors_with_its_terrain) {
    const Field<float> z = white_terrain(80, 60, 12);
    Field<float> mirrored(z.grid());
    for (int row = 0; row < 60; ++row)
        for (int column = 0; column < 80; ++column) mirrored(79 - column, row) = z(column, row);
    for (const double runoff : {1.0, 8.0, kInf}) {
        const Lakes here = Ground(z).lakes(runoff), there = Ground(mirrored).lakes(runoff);
        EXPECT_EQ(here.lakes.size(), there.lakes.size());
        for (int row = 0; row < 60; ++row)
            for (int column = 0; column < 80; ++column)
                ASSERT_NEAR(here.water_depth(column, row), there.water_depth(79 - column, row), 1e-5F);
    }
}

TEST(FillSpillMerge, is_the_same_on_1_2_and_8_threads) {
    const Field<float> z = white_terrain(700, 400, 10, 1000);
    for (const double runoff : {0.5, 10.0, kInf}) {
        std::vector<Lakes> results;
        for (const int threads : {1, 2, 8}) {
            set_thread_count(threads);
            results.push_back(Ground(z).lakes(runoff));
        }
        set_thread_count(0);
        for (const Lakes& result : results) {
            EXPECT_EQ(result.lake, results[0].lake);
            EXPECT_EQ(result.volume, results[0].volume);
            EXPECT_EQ(result.volume_error, results[0].volume_error);
            for (std::int64_t cell = 0; cell < z.size(); ++cell)
                ASSERT_EQ(result.water_depth[cell], results[0].water_depth[cell]);
        }
    }
}

TEST(FillSpillMerge, refuses_runoff_that_is_negative_or_no_number) {
    const Ground ground(kTwoPits);
    EXPECT_THROW(ground.lakes(-1.0), Error);
    EXPECT_THROW(ground.lakes(std::nan("")), Error);
    EXPECT_THROW(ground.lakes(1e12), Error);
    for (const float wrong :
         {-0.5F, std::numeric_limits<float>::quiet_NaN(), 1e12F, std::numeric_limits<float>::infinity()}) {
        try {
            (void)ground.lakes(on_the_west(wrong));
            FAIL();
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::Input);
            EXPECT_NE(std::string(error.what()).find("cell 10"), std::string::npos) << error.what();
        }
    }
}

TEST(FillSpillMerge, stops_when_cancelled) {
    const Ground ground(white_terrain(50, 50, 1));
    QuietProgress cancelled;
    cancelled.cancel();
    EXPECT_THROW(
        fill_spill_merge(ground.elevation, ground.basins, ground.hierarchy, {.runoff = 1.0}, cancelled),
        Cancelled);
    EXPECT_THROW(find_depressions(ground.elevation, eight_neighbours(ground.elevation.grid()), ground.basins,
                                  ground.tree, cancelled),
                 Cancelled);
}

TEST(LakeSpills, lead_every_basin_to_its_lakes_sill_or_sink) {
    for (const Field<float>& z : difficult_terrains()) {
        const Ground ground(z);
        for (const double runoff : {0.0, 2.0, 15.0, kInf}) {
            const Lakes result = ground.lakes(runoff);
            const SpillTree through = spills_through(result, ground.basins, ground.hierarchy, ground.tree);
            for (std::int32_t start = 1; start < ground.basins.count(); ++start) {
                const std::int32_t depression = result.standing_over[at(start)];
                std::int32_t basin = start;
                while (through.spills[at(basin)].into > kDrained &&
                       result.standing_over[at(through.spills[at(basin)].into)] == depression &&
                       depression != kNoDepression)
                    basin = through.spills[at(basin)].into;
                const Spill& last = through.spills[at(basin)];
                if (depression == kNoDepression || result.is_full[at(depression)] == 0) {
                    ASSERT_EQ(last.into, kNoBasin);
                    continue;
                }
                const Depression& of = ground.hierarchy.depressions[at(depression)];
                ASSERT_EQ(last.from, of.spill_from);
                ASSERT_EQ(last.into, of.spills_into);
            }
            std::vector<std::uint8_t> direction = ground.direction;
            turn_ways_out(z.grid(), through, ground.basins, direction);
            FlowTree tree;
            tree.grid = z.grid();
            tree.direction = direction;
            order_tree(tree, progress);
            EXPECT_EQ(static_cast<std::int64_t>(tree.order.size()),
                      std::count_if(z.begin(), z.end(), [](float e) { return !is_no_data(e); }));
        }
    }
}

}  // namespace
}  // namespace thalweg
