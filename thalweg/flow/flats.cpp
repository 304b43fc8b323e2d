#include "thalweg/flow/flats.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/pits.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace thalweg {
namespace {

constexpr std::size_t kFlatsPerPoll = 1 << 12;
constexpr std::size_t kCellsPerPoll = 1 << 16;
constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

/// Where the cells of one flat stand in the list of its cells, from 1; 0 for all other cells.
using Places = std::vector<std::int32_t>;

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

    /// The flat that `first` belongs to; 0 if it is a lone pit.
    std::int64_t direct_flat_of(std::int32_t first) {
        if (!has_equal_neighbour(first)) return 0;
        if (place_.empty()) place_.assign(direction_.size(), 0);
        list_cells(first);
        const bool leads_out = mark_ways_out();
        spread(towards_);
        mark_slopes();
        spread(away_);
        assign_directions();
        for (const std::int32_t cell : cells_) place_[at(cell)] = 0;
        return static_cast<std::int64_t>(cells_.size()) - (leads_out ? 0 : 1);
    }

  private:
    template <class Body>
    void for_links(std::int32_t cell, const Body& body) const {
        const std::uint8_t links =
            lattice_.links_inside(lattice_.grid.column_of(cell), lattice_.grid.row_of(cell));
        for (std::size_t d = 0; d < 8; ++d)
            if ((links >> d & 1) != 0) body(cell + steps_[d], static_cast<std::uint8_t>(d));
    }

    [[nodiscard]] bool has_equal_neighbour(std::int32_t cell) const {
        bool found = false;
        for_links(cell, [&](std::int32_t neighbour, std::uint8_t) {
            found = found || elevation_[neighbour] == elevation_[cell];
        });
        return found;
    }

    void list_cells(std::int32_t first) {
        cells_.assign(1, first);
        place_[at(first)] = 1;
        for (std::size_t next = 0; next < cells_.size(); ++next) {
            if (next % kCellsPerPoll == 0) progress_.poll();
            for_links(cells_[next], [&](std::int32_t neighbour, std::uint8_t) {
                if (direction_[at(neighbour)] != kPit || place_[at(neighbour)] != 0 ||
                    elevation_[neighbour] != elevation_[first])
                    return;
                cells_.push_back(neighbour);
                place_[at(neighbour)] = static_cast<std::int32_t>(cells_.size());
            });
        }
        towards_.assign(cells_.size(), kFar);
        away_.assign(cells_.size(), kFar);
    }

    [[nodiscard]] bool drains_beside(std::int32_t cell, std::int32_t neighbour) const {
        return elevation_[neighbour] == elevation_[cell] && direction_[at(neighbour)] <= kRoot;
    }

    /// Starts `queue_` with the cells that touch a way out; without one, with the first cell. Returns whether
    /// there is one.
    bool mark_ways_out() {
        queue_.clear();
        for (const std::int32_t cell : cells_)
            for_links(cell, [&](std::int32_t neighbour, std::uint8_t) {
                if (drains_beside(cell, neighbour)) start_at(cell, towards_);
            });
        if (!queue_.empty()) return true;
        start_at(*std::min_element(cells_.begin(), cells_.end()), towards_);
        return false;
    }

    /// Starts `queue_` with the cells below slopes.
    void mark_slopes() {
        queue_.clear();
        for (const std::int32_t cell : cells_)
            for_links(cell, [&](std::int32_t neighbour, std::uint8_t) {
                if (elevation_[neighbour] > elevation_[cell]) start_at(cell, away_);
            });
    }

    void start_at(std::int32_t cell, std::vector<std::int32_t>& steps) {
        std::int32_t& own = steps[at(place_[at(cell)] - 1)];
        if (own == 1) return;
        own = 1;
        queue_.push_back(cell);
    }

    /// Counts steps from the cells in `queue_` over the flat.
    void spread(std::vector<std::int32_t>& steps) {
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            if (next % kCellsPerPoll == 0) progress_.poll();
            const std::int32_t own = steps[at(place_[at(queue_[next])] - 1)];
            for_links(queue_[next], [&](std::int32_t neighbour, std::uint8_t) {
                if (place_[at(neighbour)] == 0) return;
                std::int32_t& other = steps[at(place_[at(neighbour)] - 1)];
                if (other != kFar) return;
                other = own + 1;
                queue_.push_back(neighbour);
            });
        }
    }

    [[nodiscard]] std::int64_t height_of(std::int32_t cell) const {
        const std::size_t i = at(place_[at(cell)] - 1);
        return std::int64_t{2} * towards_[i] - (away_[i] == kFar ? 0 : away_[i]);
    }

    void assign_directions() {
        found_.assign(cells_.size(), kPit);
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            std::int64_t lowest = height_of(cells_[i]);
            bool leaves = false;
            for_links(cells_[i], [&](std::int32_t neighbour, std::uint8_t d) {
                if (leaves) return;
                if (place_[at(neighbour)] == 0) {
                    leaves = drains_beside(cells_[i], neighbour);
                    if (leaves) found_[i] = d;
                } else if (height_of(neighbour) < lowest) {
                    lowest = height_of(neighbour);
                    found_[i] = d;
                }
            });
        }
        for (std::size_t i = 0; i < cells_.size(); ++i) direction_[at(cells_[i])] = found_[i];
    }

    const Field<float>& elevation_;
    const Lattice& lattice_;
    std::array<std::int32_t, 8> steps_;
    std::vector<std::uint8_t>& direction_;
    Progress& progress_;
    Places place_;
    std::vector<std::int32_t> cells_;    // of the present flat
    std::vector<std::int32_t> towards_;  // steps to its way out, from 1
    std::vector<std::int32_t> away_;     // steps from higher ground, from 1
    std::vector<std::int32_t> queue_;
    std::vector<std::uint8_t> found_;
};

}  // namespace

FlatReport resolve_flats(const Field<float>& elevation, const Lattice& lattice,
                         std::vector<std::uint8_t>& direction, Progress& progress) {
    FlatDirector director(elevation, lattice, direction, progress);
    FlatReport report;
    std::size_t looked_at = 0;
    for (const std::int32_t pit : find_pits(direction)) {
        if (looked_at++ % kFlatsPerPoll == 0) progress.poll();
        if (direction[at(pit)] != kPit) continue;
        const std::int64_t directed = director.direct_flat_of(pit);
        report.flats += directed > 0 ? 1 : 0;
        report.cells += directed;
    }
    return report;
}

}  // namespace thalweg
