#include "thalweg/flow/basins.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/flow/graph/pits.hpp"

#include <algorithm>
#include <array>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 15;  // in a strip of rows (empirical)
constexpr std::int64_t kLeastRows = 32;        // in a strip; two of them are joined by one thread (empirical)

/// A cell outside the strip stands for the basin, which is not known yet: below kNoBasin.
constexpr std::int32_t same_as(std::int32_t cell) {
    return kNoBasin - 1 - cell;
}

/// Follows directions in strips of rows, then joins what crosses from strip to strip.
class BasinFinder {
  public:
    /// basins: with all pits listed, and their basins at their cells.
    BasinFinder(const Grid& grid, const std::vector<std::uint8_t>& direction, Basins& basins)
        : grid_(grid),
          direction_(direction.data()),
          basin_(basins.of_cell.data()),
          rows_per_strip_(std::max(kLeastRows, kLeastCells / std::max(1, grid.columns))) {
        for (std::size_t d = 0; d < 8; ++d) steps_[d] = kRowStep[d] * grid.columns + kColumnStep[d];
    }

    void find(Progress& progress) {
        parallel_for(0, grid_.rows, rows_per_strip_, [&](std::int64_t first, std::int64_t last) {
            progress.poll();
            follow_in_strip(first * grid_.columns, (last - first) * grid_.columns);
        });
        for (std::int64_t row = 0; row < grid_.rows; row += rows_per_strip_) {
            join_row(row);
            join_row(std::min<std::int64_t>(row + rows_per_strip_, grid_.rows) - 1);
        }
        parallel_for(0, grid_.rows, rows_per_strip_, [&](std::int64_t first, std::int64_t last) {
            take_from_outside((first + 1) * grid_.columns, (last - 1) * grid_.columns);
        });
    }

  private:
    /// Every cell points at one further down, first at its receiver, until it points at the last one of its
    /// way in the strip: over and over at what that one points at, as in path halving.
    void follow_in_strip(std::int64_t first, std::int64_t cells) const {
        const auto count = static_cast<std::int32_t>(cells);
        std::vector<std::int32_t> further(at(cells));
        point_at_receivers(first, count, further.data());
        for (std::int32_t cell = count; cell-- > 0;) further[at(cell)] = further[at(further[at(cell)])];
        for (std::int32_t cell = 0; cell < count; ++cell) further[at(cell)] = further[at(further[at(cell)])];
        std::int32_t* const basin = basin_ + first;
        for (std::int32_t cell = 0; cell < count; ++cell) {
            std::int32_t last = further[at(cell)];
            for (std::int32_t next; (next = further[at(last)]) != last;) last = next;
            further[at(cell)] = last;
            basin[cell] = basin[last];
        }
    }

    /// Cells that end a way in the strip point at themselves, and have their basin.
    void point_at_receivers(std::int64_t first, std::int32_t count, std::int32_t* further) const {
        const std::uint8_t* const direction = direction_ + first;
        std::int32_t* const basin = basin_ + first;
        for (std::int32_t cell = 0; cell < count; ++cell) {
            const std::int32_t receiver = cell + steps_[direction[cell] & 15];
            const bool leaves = static_cast<std::uint32_t>(receiver) >= static_cast<std::uint32_t>(count);
            further[cell] = leaves ? cell : receiver;
            if (leaves) basin[cell] = same_as(static_cast<std::int32_t>(first) + receiver);
            if (direction[cell] == kOutside) basin[cell] = kNoBasin;
            if (direction[cell] == kRoot) basin[cell] = kDrained;
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

    /// Without a branch, which would be guessed wrong.
    void take_from_outside(std::int64_t first, std::int64_t last) const {
        for (std::int64_t cell = first; cell < last; ++cell) {
            const std::int32_t basin = basin_[cell];
            basin_[cell] = basin_[basin < kNoBasin ? same_as(basin) : cell];
        }
    }

    const Grid& grid_;
    const std::uint8_t* direction_;
    std::int32_t* basin_;
    std::int64_t rows_per_strip_;
    std::array<std::int32_t, 16> steps_{};  // 0 for what is no direction
};

}  // namespace

Basins find_basins(const Grid& grid, const std::vector<std::uint8_t>& direction, Progress& progress) {
    Basins basins;
    basins.pits = find_pits(direction);
    basins.of_cell.resize(direction.size());
    for (std::size_t i = 0; i < basins.pits.size(); ++i)
        basins.of_cell[at(basins.pits[i])] = static_cast<std::int32_t>(i) + 1;
    BasinFinder(grid, direction, basins).find(progress);
    return basins;
}

}  // namespace thalweg
