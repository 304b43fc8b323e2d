#include "thalweg/flow/basins.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/pits.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 15;  // in a strip of rows (empirical)
constexpr std::int64_t kCellsPerTask = 1 << 15;
constexpr std::int32_t kUnknown = std::numeric_limits<std::int32_t>::min();

/// A cell outside the strip stands for the basin, which is not known yet: below kNoBasin.
constexpr std::int32_t same_as(std::int32_t cell) {
    return kNoBasin - 1 - cell;
}

/// Follows directions in strips of rows, then joins what crosses from strip to strip.
class BasinFinder {
  public:
    BasinFinder(const Grid& grid, const std::vector<std::uint8_t>& direction, Basins& basins)
        : grid_(grid),
          direction_(direction.data()),
          basin_(basins.of_cell.data()),
          rows_per_strip_(std::max<std::int64_t>(1, kLeastCells / std::max(1, grid.columns))) {
        for (std::size_t d = 0; d < 8; ++d) steps_[d] = kRowStep[d] * grid.columns + kColumnStep[d];
    }

    void find(Progress& progress) {
        parallel_for(0, grid_.rows, rows_per_strip_, [&](std::int64_t first, std::int64_t last) {
            progress.poll();
            follow_in_strip(static_cast<std::int32_t>(first * grid_.columns),
                            static_cast<std::int32_t>(last * grid_.columns));
        });
        for (std::int64_t row = 0; row < grid_.rows; row += rows_per_strip_) {
            join_row(row);
            join_row(std::min<std::int64_t>(row + rows_per_strip_, grid_.rows) - 1);
        }
        parallel_for(0, grid_.cells(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t cell = first; cell < last; ++cell)
                if (basin_[cell] < kNoBasin) basin_[cell] = basin_[same_as(basin_[cell])];
        });
    }

  private:
    void follow_in_strip(std::int32_t first, std::int32_t last) const {
        for (std::int32_t start = first; start < last; ++start) {
            if (basin_[start] != kUnknown) continue;
            std::int32_t cell = start;
            while (cell >= first && cell < last && basin_[cell] == kUnknown) cell += steps_[direction_[cell]];
            const std::int32_t found = cell >= first && cell < last ? basin_[cell] : same_as(cell);
            for (std::int32_t passed = start; passed != cell; passed += steps_[direction_[passed]])
                basin_[passed] = found;
        }
    }

    /// Follows what leaves a strip from cells of its first or last row, which all ways from others cross.
    void join_row(std::int64_t row) const {
        const std::int64_t begin = row * grid_.columns;
        for (std::int64_t start = begin; start < begin + grid_.columns; ++start) {
            std::int32_t found = basin_[start];
            while (found < kNoBasin) found = basin_[same_as(found)];
            for (std::int64_t cell = start; basin_[cell] < kNoBasin;) {
                const std::int32_t next = same_as(basin_[cell]);
                basin_[cell] = found;
                cell = next;
            }
        }
    }

    const Grid& grid_;
    const std::uint8_t* direction_;
    std::int32_t* basin_;
    std::int64_t rows_per_strip_;
    std::array<std::int32_t, 8> steps_{};
};

}  // namespace

Basins find_basins(const Grid& grid, const std::vector<std::uint8_t>& direction, Progress& progress) {
    Basins basins;
    basins.pits = find_pits(direction);
    basins.of_cell.resize(direction.size());
    parallel_for(0, grid.cells(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const std::uint8_t d = direction[at(cell)];
            basins.of_cell[at(cell)] = d == kOutside ? kNoBasin : d == kRoot ? kDrained : kUnknown;
        }
    });
    for (std::size_t i = 0; i < basins.pits.size(); ++i)
        basins.of_cell[at(basins.pits[i])] = static_cast<std::int32_t>(i) + 1;
    BasinFinder(grid, direction, basins).find(progress);
    return basins;
}

}  // namespace thalweg
