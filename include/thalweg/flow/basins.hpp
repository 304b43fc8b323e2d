// Basins: which pit the water of each cell ends in.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/grid.hpp"

#include <cstdint>
#include <vector>

namespace thalweg {

inline constexpr std::int32_t kDrained = 0;   // basin of all cells whose water reaches a root
inline constexpr std::int32_t kNoBasin = -1;  // of cells without data

/// The basins of a grid, one for each pit, numbered from 1 in the row-major order of their pits.
struct Basins {
    std::vector<std::int32_t> of_cell;  // per cell: its basin, kDrained or kNoBasin
    std::vector<std::int32_t> pits;     // cell of the pit of basin i + 1

    /// Basins and kDrained.
    [[nodiscard]] std::int64_t count() const { return static_cast<std::int64_t>(pits.size()) + 1; }
};

/// Follows every cell's direction (directions.hpp; kPit ends a basin) to its end. The directions must not
/// form a cycle. O(cells), parallel; the same on any number of threads; polls `progress`.
///
/// Example:
///     const Basins basins = find_basins(grid, steepest_directions(elevation, lattice, roots), progress);
Basins find_basins(const Grid& grid, const std::vector<std::uint8_t>& direction, Progress& progress);

}  // namespace thalweg
