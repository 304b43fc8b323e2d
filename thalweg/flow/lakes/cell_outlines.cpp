#include "thalweg/flow/cell_outlines.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

namespace thalweg {
namespace {

constexpr std::size_t kCellsPerPoll = 1 << 16;

struct Corner {
    int column;  // 0 is the grid's western edge
    int row;     // 0 is its northern one

    friend bool operator==(const Corner&, const Corner&) = default;
};

/// The way along each side of a cell, its inside to the left: west along the northern side, and so on.
constexpr std::array<Corner, 4> kAlong = {Corner{-1, 0}, Corner{0, 1}, Corner{1, 0}, Corner{0, -1}};
constexpr std::array<Corner, 4> kEnd = {Corner{0, 0}, Corner{0, 1}, Corner{1, 1}, Corner{1, 0}};
constexpr int kNorth = 0;

/// Twice the area that lies to the left of the ring, in cells.
std::int64_t doubled_area(const std::vector<Corner>& ring) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
        const Corner a = ring[i], b = ring[(i + 1) % ring.size()];
        sum += std::int64_t{b.column} * a.row - std::int64_t{a.column} * b.row;
    }
    return sum;
}

class OutlineTracer {
  public:
    OutlineTracer(const Field<std::int32_t>& label, std::span<const std::int32_t> labels,
                  const Progress& progress)
        : label_(label),
          labels_(labels),
          grid_(label.grid()),
          part_(at(grid_.cells()), kNone),
          is_followed_(at(grid_.cells()), 0),
          progress_(progress),
          outlines_(labels.size()) {}

    std::vector<std::vector<OutlinePart>> trace() && {
        for (int row = 0; row < grid_.rows; ++row) {
            progress_.poll();
            for (int column = 0; column < grid_.columns; ++column) {
                const std::int64_t cell = grid_.index(column, row);
                if (label_[cell] == 0) continue;
                if (part_[at(cell)] == kNone) begin_part(cell);
                if (is_followed_[at(cell)] == 0 && !is_inside(column, row - 1, label_[cell]))
                    follow_from(column, row);
            }
        }
        return std::move(outlines_);
    }

  private:
    static constexpr std::int32_t kNone = -1;

    [[nodiscard]] bool is_inside(int column, int row, std::int32_t label) const {
        return grid_.contains(column, row) && label_(column, row) == label;
    }

    [[nodiscard]] std::vector<OutlinePart>& parts_of(std::int64_t cell) {
        return outlines_[at(std::ranges::lower_bound(labels_, label_[cell]) - labels_.begin())];
    }

    /// Numbers all cells that `first` hangs together with by their edges.
    void begin_part(std::int64_t first) {
        std::vector<OutlinePart>& parts = parts_of(first);
        const auto number = static_cast<std::int32_t>(parts.size());
        parts.emplace_back();
        std::vector<std::int64_t> found = {first};
        part_[at(first)] = number;
        for (std::size_t taken = 0; !found.empty(); ++taken) {
            if (taken % kCellsPerPoll == 0) progress_.poll();
            const std::int64_t cell = found.back();
            found.pop_back();
            for (const Corner& step : kAlong) {
                const int column = grid_.column_of(cell) + step.column, row = grid_.row_of(cell) + step.row;
                if (!is_inside(column, row, label_[cell])) continue;
                std::int32_t& part = part_[at(grid_.index(column, row))];
                if (part == kNone) found.push_back(grid_.index(column, row));
                part = number;
            }
        }
    }

    /// Follows the edge from the northern side of a cell until it closes. Where cells meet in a corner alone
    /// it turns away from the other cell.
    void follow_from(int column, int row) {
        const std::int32_t label = label_(column, row);
        const std::int64_t start = grid_.index(column, row);
        std::vector<Corner> passed;
        places_.clear();
        Corner cell = {column, row};
        int side = kNorth;
        do {
            if (++sides_ % kCellsPerPoll == 0) progress_.poll();
            if (side == kNorth) is_followed_[at(grid_.index(cell.column, cell.row))] = 1;
            const Corner end = {cell.column + kEnd[at(side)].column, cell.row + kEnd[at(side)].row};
            const Corner along = kAlong[at(side)], outwards = kAlong[at((side + 3) % 4)];
            const Corner ahead = {cell.column + along.column, cell.row + along.row};
            const Corner beside = {ahead.column + outwards.column, ahead.row + outwards.row};
            const bool is_inside_beside = is_inside(beside.column, beside.row, label);
            if (!is_inside(ahead.column, ahead.row, label)) {
                turn_at(end, is_inside_beside, start, passed);
                side = (side + 1) % 4;
            } else if (is_inside_beside) {
                passed.push_back(end);
                cell = beside;
                side = (side + 3) % 4;
            } else {
                cell = ahead;
            }
        } while (side != kNorth || cell != Corner{column, row});
        add_neighbourhood(passed, start);
    }

    /// A corner that the edge passes twice ends a ring of its own.
    void turn_at(Corner corner, bool may_be_second, std::int64_t start, std::vector<Corner>& passed) {
        if (may_be_second) {
            const auto [entry, is_first] = places_.try_emplace(key_of(corner), passed.size());
            const std::size_t place = std::exchange(entry->second, passed.size());
            if (!is_first && place < passed.size() && passed[place] == corner) {
                entry->second = place;
                const auto before = passed.begin() + static_cast<std::ptrdiff_t>(place);
                add_neighbourhood({before, passed.end()}, start);
                passed.erase(before + 1, passed.end());
                return;
            }
        }
        passed.push_back(corner);
    }

    [[nodiscard]] std::int64_t key_of(const Corner& corner) const {
        return std::int64_t{corner.row} * (grid_.columns + 1) + corner.column;
    }

    void add_neighbourhood(const std::vector<Corner>& corners, std::int64_t cell) {
        OutlinePart& part = parts_of(cell)[at(part_[at(cell)])];
        Neighbourhood ring;
        ring.reserve(corners.size());
        for (const Corner& corner : corners)
            ring.push_back(
                {grid_.west + corner.column * grid_.cell_size, grid_.north - corner.row * grid_.cell_size});
        if (doubled_area(corners) > 0) {
            part.outer = std::move(ring);
        } else {
            part.holes.push_back(std::move(ring));
        }
    }

    const Field<std::int32_t>& label_;
    std::span<const std::int32_t> labels_;
    const Grid& grid_;
    std::vector<std::int32_t> part_;                        // per cell: its part of its label, or kNone
    std::vector<std::uint8_t> is_followed_;                 // per cell: 1 once a ring holds its northern side
    std::unordered_map<std::int64_t, std::size_t> places_;  // in the ring, of corners where cells meet alone
    std::size_t sides_ = 0;                                 // followed
    const Progress& progress_;
    std::vector<std::vector<OutlinePart>> outlines_;  // by label
};

}  // namespace

std::vector<std::vector<OutlinePart>> outline_cells(const Field<std::int32_t>& label,
                                                    std::span<const std::int32_t> labels,
                                                    const Progress& progress) {
    return OutlineTracer(label, labels, progress).trace();
}

}  // namespace thalweg
