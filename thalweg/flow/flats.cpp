#include "thalweg/flow/flats.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/flat_cells.hpp"
#include "thalweg/flow/pits.hpp"

#include <array>

namespace thalweg {
namespace {

constexpr std::size_t kPitsPerPoll = 1 << 12;
constexpr std::size_t kCellsPerPoll = 1 << 16;

/// One flat at a time.
class FlatDirector {
  public:
    FlatDirector(const Field<float>& elevation, const Lattice& lattice, std::vector<std::uint8_t>& direction,
                 Progress& progress)
        : elevation_(elevation),
          lattice_(lattice),
          steps_(lattice.index_steps()),
          direction_(direction),
          progress_(progress) {}

    /// Directs the flat that `first` belongs to. Returns how many cells got a direction: 0 for a lone pit.
    std::int64_t direct_flat_of(std::int32_t first) {
        const FlatCell start = look_at(first);
        if (start.links == 0 && start.way_out == kPit) return 0;
        if (place_.empty()) place_.assign(direction_.size(), 0);
        list_cells(start);
        const auto neighbour = [&](std::size_t i, std::uint8_t d) {
            return at(place_[at(cells_[i].cell + steps_[d])] - 1);
        };
        const bool leads_out = solver_.solve(cells_, neighbour, progress_);
        for (const FlatCell& flat : cells_) {
            direction_[at(flat.cell)] = flat.direction;
            place_[at(flat.cell)] = 0;
        }
        return static_cast<std::int64_t>(cells_.size()) - (leads_out ? 0 : 1);
    }

  private:
    [[nodiscard]] FlatCell look_at(std::int64_t cell) const {
        const Grid& grid = lattice_.grid;
        return look_around(cell, cell, lattice_.links_inside(grid.column_of(cell), grid.row_of(cell)),
                           steps_.data(), elevation_, direction_);
    }

    void list_cells(const FlatCell& start) {
        cells_.assign(1, start);
        place_[at(start.cell)] = 1;
        for (std::size_t next = 0; next < cells_.size(); ++next) {
            if (next % kCellsPerPoll == 0) progress_.poll();
            for (std::uint8_t d = 0; d < 8; ++d) {
                if ((cells_[next].links >> d & 1) == 0) continue;
                const std::int64_t neighbour = cells_[next].cell + steps_[d];
                if (place_[at(neighbour)] != 0) continue;
                cells_.push_back(look_at(neighbour));
                place_[at(neighbour)] = static_cast<std::int32_t>(cells_.size());
            }
        }
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t>& direction_;
    const Progress& progress_;
    std::vector<std::int32_t> place_;  // per cell: where it stands in cells_, from 1; 0 elsewhere
    std::vector<FlatCell> cells_;      // of the present flat
    FlatSolver solver_;
};

}  // namespace

FlatReport resolve_flats(const Field<float>& elevation, const Lattice& lattice,
                         std::vector<std::uint8_t>& direction, Progress& progress) {
    FlatDirector director(elevation, lattice, direction, progress);
    FlatReport report;
    std::size_t looked_at = 0;
    for (const std::int32_t pit : find_pits(direction)) {
        if (looked_at++ % kPitsPerPoll == 0) progress.poll();
        if (direction[at(pit)] != kPit) continue;
        const std::int64_t directed = director.direct_flat_of(pit);
        report.flats += directed > 0 ? 1 : 0;
        report.cells += directed;
    }
    return report;
}

}  // namespace thalweg
