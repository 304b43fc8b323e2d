#include "thalweg/flow/fill.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/depressions/flood_queue.hpp"
#include "thalweg/flow/graph/ordered_bits.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <functional>
#include <limits>
#include <queue>
#include <vector>

namespace thalweg {
namespace {

constexpr float kSmallestStep = 1e-6F;  // m, empirical: far above denormal numbers, far below any survey
constexpr std::int64_t kCellsPerPoll = 1 << 16;
constexpr std::int64_t kRowsPerTask = 32;

/// The flood that rises from the roots. Cells are numbered on a grid with a border of one settled cell, so
/// that every cell has 8 neighbours.
class Flood {
  public:
    Flood(const Field<float>& elevation, FilledSurface surface, Progress& progress);

    void rise_from(const Field<std::uint8_t>& roots);
    std::int64_t rise_in_isolated_parts();

    [[nodiscard]] float level(int column, int row) const { return level_[bordered(column, row)]; }

  private:
    using Cell = std::uint32_t;

    [[nodiscard]] std::size_t bordered(int column, int row) const {
        return static_cast<std::size_t>(row + 1) * width_ + static_cast<std::size_t>(column + 1);
    }
    [[nodiscard]] float raised(float level) const {
        if (surface_ == FilledSurface::Level) return level;
        return std::max(std::nextafter(level, std::numeric_limits<float>::infinity()), level + kSmallestStep);
    }
    [[nodiscard]] bool has_dry_neighbour(Cell cell) const {
        return std::any_of(steps_.begin(), steps_.end(),
                           [&](Cell step) { return settled_[cell + step] == kDry; });
    }
    void poll_now_and_then() {
        if (++visited_ % kCellsPerPoll == 0) progress_.poll();
    }
    void settle_as_root(Cell cell);
    void rise();
    void spread(Cell cell);
    void climb_slopes();
    Cell lowest_of_part(Cell start);

    static constexpr std::uint8_t kDry = 0;      // not reached yet
    static constexpr std::uint8_t kSettled = 1;  // its level is final, or it is no cell at all
    static constexpr std::uint8_t kListed = 2;   // member of the part that is being searched

    Grid grid_;
    FilledSurface surface_;
    Progress& progress_;
    std::size_t width_;            // cells in a bordered row
    std::array<Cell, 8> steps_{};  // to the neighbours, modulo 2^32
    std::vector<float> level_;
    std::vector<std::uint8_t> settled_;
    std::int64_t visited_ = 0;

    // Ascending by level, then by cell: the key holds both.
    std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> waiting_;
    std::vector<Cell> raised_;  // cells under water, in ascending level, from raised_front_ on
    std::size_t raised_front_ = 0;
    std::vector<Cell> slope_;     // cells that lie above a settled neighbour, not looked at yet
    std::vector<Cell> overlook_;  // slope cells that saw a dry neighbour no higher than themselves
};

Flood::Flood(const Field<float>& elevation, FilledSurface surface, Progress& progress)
    : grid_(elevation.grid()),
      surface_(surface),
      progress_(progress),
      width_(static_cast<std::size_t>(grid_.columns) + 2) {
    const std::size_t cells = width_ * (static_cast<std::size_t>(grid_.rows) + 2);
    assert(cells <= std::numeric_limits<Cell>::max());
    level_.assign(cells, kNoData);
    settled_.assign(cells, kSettled);
    const Cell row = static_cast<Cell>(width_);
    steps_ = {1U, row + 1U, row, row - 1U, 0U - 1U, 0U - row - 1U, 0U - row, 1U - row};
    for (int r = 0; r < grid_.rows; ++r) {
        for (int c = 0; c < grid_.columns; ++c) {
            const float z = elevation(c, r);
            level_[bordered(c, r)] = z;
            if (!is_no_data(z)) settled_[bordered(c, r)] = kDry;
        }
    }
}

void Flood::rise_from(const Field<std::uint8_t>& roots) {
    for (int row = 0; row < grid_.rows; ++row)
        for (int column = 0; column < grid_.columns; ++column)
            if (roots(column, row) != 0 && settled_[bordered(column, row)] == kDry)
                settle_as_root(static_cast<Cell>(bordered(column, row)));
    rise();
}

std::int64_t Flood::rise_in_isolated_parts() {
    std::int64_t parts = 0;
    for (Cell cell = 0; cell < settled_.size(); ++cell) {
        if (settled_[cell] != kDry) continue;
        settle_as_root(lowest_of_part(cell));
        rise();
        ++parts;
    }
    return parts;
}

void Flood::settle_as_root(Cell cell) {
    settled_[cell] = kSettled;
    waiting_.push(flood_key(level_[cell], cell));
}

void Flood::rise() {
    while (!waiting_.empty() || raised_front_ < raised_.size()) {
        const bool any_raised = raised_front_ < raised_.size();
        const bool take_raised =
            any_raised &&
            (waiting_.empty() || ordered_bits(level_[raised_[raised_front_]]) <= waiting_.top() >> 32);
        if (take_raised) {
            spread(raised_[raised_front_++]);
        } else {
            const Cell cell = static_cast<Cell>(waiting_.top());
            waiting_.pop();
            spread(cell);
        }
        if (raised_front_ == raised_.size()) {
            raised_.clear();
            raised_front_ = 0;
        }
    }
}

/// Settles the dry neighbours of the lowest cell whose surroundings are open, then all slopes above them.
void Flood::spread(Cell cell) {
    poll_now_and_then();
    for (const Cell step : steps_) {
        const Cell neighbour = cell + step;
        if (settled_[neighbour] != kDry) continue;
        settled_[neighbour] = kSettled;
        if (level_[neighbour] > level_[cell]) {
            slope_.push_back(neighbour);
        } else {
            level_[neighbour] = raised(level_[cell]);
            raised_.push_back(neighbour);
        }
    }
    climb_slopes();
}

/// A dry cell above a settled one keeps its elevation, so it needs no queue. Only cells that overlook one no
/// higher than themselves, which no slope leads up to, wait for their turn.
void Flood::climb_slopes() {
    while (!slope_.empty()) {
        const Cell cell = slope_.back();
        slope_.pop_back();
        poll_now_and_then();
        bool overlooks = false;
        for (const Cell step : steps_) {
            const Cell neighbour = cell + step;
            if (settled_[neighbour] != kDry) continue;
            if (level_[neighbour] > level_[cell]) {
                settled_[neighbour] = kSettled;
                slope_.push_back(neighbour);
            } else {
                overlooks = true;
            }
        }
        if (overlooks) overlook_.push_back(cell);
    }
    for (const Cell cell : overlook_)
        if (has_dry_neighbour(cell)) waiting_.push(flood_key(level_[cell], cell));
    overlook_.clear();
}

/// The lowest dry cell connected to `start`, ties to the first one by rows.
Flood::Cell Flood::lowest_of_part(Cell start) {
    std::vector<Cell> part = {start};
    settled_[start] = kListed;
    Cell lowest = start;
    for (std::size_t i = 0; i < part.size(); ++i) {
        poll_now_and_then();
        const Cell cell = part[i];
        if (level_[cell] < level_[lowest] || (level_[cell] == level_[lowest] && cell < lowest)) lowest = cell;
        for (const Cell step : steps_) {
            if (settled_[cell + step] != kDry) continue;
            settled_[cell + step] = kListed;
            part.push_back(cell + step);
        }
    }
    for (const Cell cell : part) settled_[cell] = kDry;
    return lowest;
}

/// What some rows gained.
struct Gain {
    std::int64_t cells = 0;
    double height = 0.0;  // m, summed over cells
};

}  // namespace

Filled fill_depressions(const Field<float>& elevation, const Field<std::uint8_t>& roots,
                        FilledSurface surface, Progress& progress) {
    assert(roots.size() == elevation.size());
    progress.poll();
    Flood flood(elevation, surface, progress);
    flood.rise_from(roots);
    Filled filled;
    filled.closed_components = flood.rise_in_isolated_parts();
    filled.elevation = Field<float>(elevation.grid());
    const auto copy_rows = [&](std::int64_t first, std::int64_t last) {
        Gain gain;
        for (int row = static_cast<int>(first); row < last; ++row) {
            for (int column = 0; column < elevation.columns(); ++column) {
                const float before = elevation(column, row);
                const float after = flood.level(column, row);
                filled.elevation(column, row) = after;
                if (!(after > before)) continue;
                ++gain.cells;
                gain.height += static_cast<double>(after) - static_cast<double>(before);
            }
        }
        return gain;
    };
    const Gain gain = parallel_reduce(
        0, elevation.rows(), kRowsPerTask, Gain{}, copy_rows,
        [](const Gain& a, const Gain& b) { return Gain{a.cells + b.cells, a.height + b.height}; });
    filled.raised_cells = gain.cells;
    filled.volume = gain.height * elevation.grid().cell_area();
    return filled;
}

}  // namespace thalweg
