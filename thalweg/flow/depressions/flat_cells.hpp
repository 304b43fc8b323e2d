// One flat as a list of cells: which neighbour each drains to.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace thalweg {

/// A cell of a flat (flats.hpp), and what is around it.
struct FlatCell {
    std::int64_t cell = 0;               // its number in the grid
    std::uint8_t exit_direction = kPit;  // first direction to a neighbour of its elevation that drains
    bool is_below_slope = false;         // whether a neighbour lies higher
    std::uint8_t links = 0;              // bit d set where the neighbour in direction d is of the same flat
    std::uint8_t direction = kPit;       // found: where it drains
};

/// Finds the directions of one flat's cells by steps to its exit and from its slopes.
class FlatSolver {
  public:
    /// Sets `direction` of all `cells`, one connected flat. neighbour(i, d) is the place in `cells` of the
    /// neighbour of cell i in direction d, for links that are set. Without an exit the lowest-numbered cell
    /// stays a pit.
    template <class Neighbour>
    void solve(std::vector<FlatCell>& cells, const Neighbour& neighbour, const Progress& progress) {
        towards_.assign(cells.size(), kFar);
        away_.assign(cells.size(), kFar);
        start_at_exits(cells);
        spread(cells, neighbour, towards_, progress);
        queue_.clear();
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i].is_below_slope) start_at(i, away_);
        spread(cells, neighbour, away_, progress);
        for (std::size_t i = 0; i < cells.size(); ++i)
            cells[i].direction = direction_of(cells[i], i, neighbour);
    }

  private:
    static constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();
    static constexpr std::size_t kCellsPerPoll = 1 << 16;

    template <class Body>
    static void for_links(const FlatCell& cell, const Body& body) {
        for (std::uint8_t d = 0; d < 8; ++d)
            if ((cell.links >> d & 1) != 0) body(d);
    }

    void start_at_exits(const std::vector<FlatCell>& cells) {
        queue_.clear();
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i].exit_direction != kPit) start_at(i, towards_);
        if (!queue_.empty()) return;
        const auto first = std::min_element(
            cells.begin(), cells.end(), [](const FlatCell& a, const FlatCell& b) { return a.cell < b.cell; });
        start_at(static_cast<std::size_t>(first - cells.begin()), towards_);
    }

    void start_at(std::size_t i, std::vector<std::int32_t>& steps) {
        steps[i] = 1;
        queue_.push_back(i);
    }

    /// Counts steps from the cells in `queue_` over the flat.
    template <class Neighbour>
    void spread(const std::vector<FlatCell>& cells, const Neighbour& neighbour,
                std::vector<std::int32_t>& steps, const Progress& progress) {
        for (std::size_t next = 0; next < queue_.size(); ++next) {
            if (next % kCellsPerPoll == 0) progress.poll();
            const std::size_t i = queue_[next];
            for_links(cells[i], [&](std::uint8_t d) {
                const std::size_t other = neighbour(i, d);
                if (steps[other] != kFar) return;
                steps[other] = steps[i] + 1;
                queue_.push_back(other);
            });
        }
    }

    [[nodiscard]] std::int64_t height_of(std::size_t i) const {
        return std::int64_t{2} * towards_[i] - (away_[i] == kFar ? 0 : away_[i]);
    }

    template <class Neighbour>
    [[nodiscard]] std::uint8_t direction_of(const FlatCell& cell, std::size_t i,
                                            const Neighbour& neighbour) const {
        if (cell.exit_direction != kPit) return cell.exit_direction;
        std::uint8_t found = kPit;
        std::int64_t lowest = height_of(i);
        for_links(cell, [&](std::uint8_t d) {
            const std::int64_t height = height_of(neighbour(i, d));
            if (height >= lowest) return;
            lowest = height;
            found = d;
        });
        return found;
    }

    std::vector<std::int32_t> towards_;  // steps to the exit, from 1
    std::vector<std::int32_t> away_;     // steps from higher ground, from 1
    std::vector<std::size_t> queue_;
};

/// What is around a cell of a flat: links lead to neighbours that are pits of its elevation.
template <class Elevation, class Direction>
FlatCell look_around(std::int64_t cell, std::int64_t number, std::uint8_t links, const std::int32_t* steps,
                     const Elevation& elevation, const Direction& direction) {
    FlatCell flat;
    flat.cell = number;
    for (std::uint8_t d = 0; d < 8; ++d) {
        if ((links >> d & 1) == 0) continue;
        const std::int64_t neighbour = cell + steps[d];
        if (elevation[neighbour] > elevation[cell]) flat.is_below_slope = true;
        if (elevation[neighbour] != elevation[cell]) continue;
        const std::uint8_t other = direction[at(neighbour)];
        if (other <= kRoot && flat.exit_direction == kPit) flat.exit_direction = d;
        if (other == kPit) flat.links = static_cast<std::uint8_t>(flat.links | 1U << d);
    }
    return flat;
}

}  // namespace thalweg
