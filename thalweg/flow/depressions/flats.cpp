#include "thalweg/flow/depressions/flats.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/depressions/flat_cells.hpp"
#include "thalweg/flow/graph/pits.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace thalweg {
namespace {

constexpr std::int64_t kPitsPerTask = 1 << 12;
constexpr std::size_t kCellsPerPoll = 1 << 16;
constexpr std::int64_t kLeastCells = 1 << 17;  // in a strip of rows (empirical)
constexpr std::int32_t kLeft = -1;             // the place of a cell of a flat that is left for later

/// What is around the cells of a grid.
class Surroundings {
  public:
    Surroundings(const Field<float>& elevation, const Lattice& lattice,
                 const std::vector<std::uint8_t>& direction)
        : elevation_(elevation), lattice_(lattice), steps_(lattice.index_steps()), direction_(direction) {}

    [[nodiscard]] FlatCell of(std::int64_t cell) const {
        const Grid& grid = lattice_.grid;
        return look_around(cell, cell, lattice_.links_inside(grid.column_of(cell), grid.row_of(cell)),
                           steps_.data(), elevation_, direction_);
    }

    [[nodiscard]] std::int64_t neighbour(std::int64_t cell, std::uint8_t d) const { return cell + steps_[d]; }

  private:
    const Field<float>& elevation_;
    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    const std::vector<std::uint8_t>& direction_;
};

/// The pits that belong to flats, in their order: a neighbour is as high.
std::vector<std::int32_t> level_pits(const Surroundings& around, const std::vector<std::uint8_t>& direction,
                                     const Progress& progress) {
    const std::vector<std::int32_t> pits = find_pits(direction);
    return parallel_gather<std::int32_t>(0, std::ssize(pits), kPitsPerTask,
                                         [&](std::int64_t i, std::vector<std::int32_t>& found) {
                                             if (i % kPitsPerTask == 0) progress.poll();
                                             const FlatCell pit = around.of(pits[at(i)]);
                                             if (pit.links != 0 || pit.exit_direction != kPit)
                                                 found.push_back(pits[at(i)]);
                                         });
}

/// Directs flats within some rows, one at a time.
class FlatDirector {
  public:
    /// place: per cell of the grid 0, or kLeft; so it is again when the director is done.
    FlatDirector(const Surroundings& around, std::vector<std::uint8_t>& direction,
                 std::vector<std::int32_t>& place, const Progress& progress)
        : around_(around), direction_(direction), place_(place), progress_(progress) {}

    /// Directs the flats of `pits` in cells [first, end); returns pits of those flats that go on beyond.
    std::vector<std::int32_t> direct(std::span<const std::int32_t> pits, std::int64_t first,
                                     std::int64_t end) {
        std::vector<std::int32_t> left;
        for (const std::int32_t pit : pits) {
            if (direction_[at(pit)] != kPit || place_[at(pit)] == kLeft) continue;
            if (list_cells(pit, first, end)) {
                direct_listed();
            } else {
                for (const FlatCell& flat : cells_) place_[at(flat.cell)] = kLeft;
                left.push_back(pit);
            }
        }
        return left;
    }

  private:
    /// Lists the cells of the pit's flat among [first, end); whether these are all.
    bool list_cells(std::int32_t pit, std::int64_t first, std::int64_t end) {
        cells_.assign(1, around_.of(pit));
        place_[at(pit)] = 1;
        bool are_all = true;
        for (std::size_t next = 0; next < cells_.size(); ++next) {
            if (next % kCellsPerPoll == 0) progress_.poll();
            for (std::uint8_t d = 0; d < 8; ++d) {
                if ((cells_[next].links >> d & 1) == 0) continue;
                const std::int64_t neighbour = around_.neighbour(cells_[next].cell, d);
                const bool is_inside = neighbour >= first && neighbour < end;
                are_all &= is_inside;
                if (!is_inside || place_[at(neighbour)] > 0) continue;
                cells_.push_back(around_.of(neighbour));
                place_[at(neighbour)] = static_cast<std::int32_t>(cells_.size());
            }
        }
        return are_all;
    }

    /// Gives the listed cells, a whole flat, their directions.
    void direct_listed() {
        const auto neighbour = [&](std::size_t i, std::uint8_t d) {
            return at(place_[at(around_.neighbour(cells_[i].cell, d))] - 1);
        };
        solver_.solve(cells_, neighbour, progress_);
        for (const FlatCell& flat : cells_) {
            direction_[at(flat.cell)] = flat.direction;
            place_[at(flat.cell)] = 0;
        }
    }

    const Surroundings& around_;
    std::vector<std::uint8_t>& direction_;
    std::vector<std::int32_t>& place_;  // where a cell stands in cells_, from 1
    const Progress& progress_;
    std::vector<FlatCell> cells_;  // of the present flat
    FlatSolver solver_;
};

}  // namespace

void resolve_flats(const Field<float>& elevation, const Lattice& lattice,
                   std::vector<std::uint8_t>& direction, Progress& progress) {
    const Surroundings around(elevation, lattice, direction);
    const std::vector<std::int32_t> pits = level_pits(around, direction, progress);
    if (pits.empty()) return;
    std::vector<std::int32_t> place(direction.size(), 0);
    const auto direct = [&](std::span<const std::int32_t> some, std::int64_t first, std::int64_t end) {
        return FlatDirector(around, direction, place, progress).direct(some, first, end);
    };
    // Strips share nothing: a cell's direction is read or written for its own flat alone.
    const std::int64_t columns = std::max(1, lattice.grid.columns);
    const std::int64_t cells_per_strip = (kLeastCells + columns - 1) / columns * columns;
    const std::vector<std::int32_t> left = parallel_concat<std::int32_t>(
        0, std::ssize(direction), cells_per_strip, [&](std::int64_t first, std::int64_t end) {
            const auto pit = std::lower_bound(pits.begin(), pits.end(), first);
            return direct({pit, std::lower_bound(pit, pits.end(), end)}, first, end);
        });
    for (const std::int32_t pit : left) place[at(pit)] = 0;
    direct(left, 0, std::ssize(direction));
}

}  // namespace thalweg
