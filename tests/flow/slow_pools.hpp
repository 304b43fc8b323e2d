// Lakes filled drop by drop: the slow oracle of fill_spill_merge.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

#include "tests/flow/lake_ground.hpp"
#include <gtest/gtest.h>

namespace thalweg::tests {

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
        if (pool == nullptr || pool->water == 0.0) return -std::numeric_limits<double>::infinity();
        double low = -1.0, high = 1000.0;
        for (int step = 0; step < 100; ++step) {
            const double middle = 0.5 * (low + high);
            (volume_below(*pool, middle) < pool->water ? low : high) = middle;
        }
        return high;
    }

    /// Expects the same water, cell by cell and beyond the edge.
    void expect_in(const Lakes& fast) {
        EXPECT_NEAR(fast.outflow, outflow, 1e-9 * fast.runoff);
        const Field<float>& z = ground_.elevation;
        for (std::int64_t cell = 0; cell < z.size(); ++cell) {
            if (is_no_data(z[cell])) continue;
            const double depth = std::max(0.0, level_over(cell) - static_cast<double>(z[cell]));
            ASSERT_NEAR(static_cast<double>(fast.water_depth[cell]), depth, 1e-5);
        }
    }

    double outflow = 0.0;

  private:
    struct Pool {
        std::set<std::int32_t> basins;
        double water;  // m^3
        bool is_full;
    };
    struct Way {
        double level = std::numeric_limits<double>::infinity();
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

}  // namespace thalweg::tests
