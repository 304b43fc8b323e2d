// Points of lines in boxes, and the boxes in the cells of a grid.
#pragma once

#include "thalweg/meander/channel_line.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Points `first` to `end` of a line, and where these and the point `end` are with half their greatest width,
/// or half of a least width, around them, m.
struct PointBox {
    std::int32_t line = 0;
    std::int32_t first = 0;
    std::int32_t end = 0;
    double west = 0.0, east = 0.0, south = 0.0, north = 0.0;

    [[nodiscard]] bool overlaps(const PointBox& other) const {
        return west <= other.east && other.west <= east && south <= other.north && other.south <= north;
    }
    /// Whether the other one follows it on its line: these share a point, and always overlap.
    [[nodiscard]] bool is_followed_by(const PointBox& other) const {
        return line == other.line && end == other.first;
    }
};

/// Boxes of kPointsInBox points each along lines, one line after another.
std::vector<PointBox> boxes_of(std::span<const ChannelLine* const> lines,
                               std::span<const double> least_widths);

/// Square cells over all boxes, at most a few times as many, each with the boxes that overlap it.
class BoxGrid {
  public:
    /// Of at least one box; keeps a reference to them.
    explicit BoxGrid(const std::vector<PointBox>& boxes);

    [[nodiscard]] std::int64_t cells() const { return std::int64_t{columns_} * rows_; }

    /// Calls body(a, b) for all pairs of boxes that overlap, do not follow each other on a line, and are
    /// looked at in this cell, one of those that both are in; the one that was given first as `a`.
    template <class Body>
    void for_each_pair(std::int64_t cell, const Body& body) const {
        const std::span<const std::int32_t> members = boxes_in(cell);
        for (std::size_t i = 0; i + 1 < members.size(); ++i)
            for (std::size_t j = i + 1; j < members.size(); ++j) {
                if (cell_of(ranges_[members[i]], ranges_[members[j]]) != cell) continue;
                const PointBox& a = boxes_[members[i]];
                const PointBox& b = boxes_[members[j]];
                if (!a.is_followed_by(b) && a.overlaps(b)) body(a, b);
            }
    }

  private:
    /// The cells that a box overlaps.
    struct CellRange {
        std::int32_t first_column = 0, last_column = 0, first_row = 0, last_row = 0;
    };

    void choose_cells();
    void find_ranges();
    [[nodiscard]] std::span<const std::int32_t> boxes_in(std::int64_t cell) const {
        return {members_.data() + first_[cell], members_.data() + first_[cell + 1]};
    }
    /// The first cell of those that two boxes have in common.
    [[nodiscard]] std::int64_t cell_of(const CellRange& a, const CellRange& b) const {
        return std::int64_t{std::max(a.first_row, b.first_row)} * columns_ +
               std::max(a.first_column, b.first_column);
    }
    [[nodiscard]] std::int32_t column(double x) const {
        return static_cast<std::int32_t>((x - west_) * per_size_);
    }
    [[nodiscard]] std::int32_t row(double y) const {
        return static_cast<std::int32_t>((y - south_) * per_size_);
    }

    template <class Body>
    void for_each_cell(const CellRange& range, const Body& body) const {
        for (std::int64_t r = range.first_row; r <= range.last_row; ++r)
            for (std::int64_t c = range.first_column; c <= range.last_column; ++c) body(r * columns_ + c);
    }

    const std::vector<PointBox>& boxes_;
    double west_ = 0.0, south_ = 0.0;  // m
    double per_size_ = 1.0;            // cells a metre
    std::int32_t columns_ = 1, rows_ = 1;
    std::vector<CellRange> ranges_;    // of boxes
    std::vector<std::int32_t> first_;  // of each cell, in members_
    std::vector<std::int32_t> members_;
};

}  // namespace thalweg
