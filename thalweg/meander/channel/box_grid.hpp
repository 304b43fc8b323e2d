// Points of lines in boxes, and the boxes in the cells of a grid.
#pragma once

#include "thalweg/meander/channel_line.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Points `first` to `end` of a line, and where these and the point `end` are with half their width, or half
/// of a least width, around them, m.
struct PointBox {
    std::int32_t line = 0;
    std::int32_t first = 0;
    std::int32_t end = 0;
    double west = 0.0, east = 0.0, south = 0.0, north = 0.0;

    [[nodiscard]] bool overlaps(const PointBox& other) const {
        return west <= other.east && other.west <= east && south <= other.north && other.south <= north;
    }
};

/// Adds boxes of eight points each along a line.
void add_boxes(const ChannelLine& line, std::int32_t place, double least_width, std::vector<PointBox>& boxes);

/// Square cells over all boxes, at most a few times as many, each with the boxes that overlap it.
class BoxGrid {
  public:
    /// Of at least one box; keeps a reference to them.
    explicit BoxGrid(const std::vector<PointBox>& boxes);

    [[nodiscard]] std::int64_t cells() const { return static_cast<std::int64_t>(columns_ * rows_); }
    [[nodiscard]] std::span<const std::int32_t> boxes_in(std::int64_t cell) const {
        return std::span(members_).subspan(first_[cell], first_[cell + 1] - first_[cell]);
    }
    /// The one cell in which two boxes that overlap are looked at.
    [[nodiscard]] std::int64_t cell_of(const PointBox& a, const PointBox& b) const {
        return static_cast<std::int64_t>(row(std::max(a.south, b.south)) * columns_ +
                                         column(std::max(a.west, b.west)));
    }

    /// Calls body(a, b) for all pairs of boxes in a cell that overlap and are looked at there, the one that
    /// was given first as `a`.
    template <class Body>
    void for_each_pair(std::int64_t cell, const Body& body) const {
        const std::span<const std::int32_t> members = boxes_in(cell);
        for (std::size_t i = 0; i < members.size(); ++i)
            for (std::size_t j = i + 1; j < members.size(); ++j) {
                const PointBox& a = boxes_[members[i]];
                const PointBox& b = boxes_[members[j]];
                if (a.overlaps(b) && cell_of(a, b) == cell) body(a, b);
            }
    }

  private:
    void choose_cells();
    [[nodiscard]] std::size_t column(double x) const {
        return static_cast<std::size_t>((x - west_) * per_size_);
    }
    [[nodiscard]] std::size_t row(double y) const {
        return static_cast<std::size_t>((y - south_) * per_size_);
    }

    template <class Body>
    void for_each_cell(const Body& body) const {
        for (std::size_t i = 0; i < boxes_.size(); ++i) {
            const PointBox& box = boxes_[i];
            for (std::size_t r = row(box.south); r <= row(box.north); ++r)
                for (std::size_t c = column(box.west); c <= column(box.east); ++c)
                    body(r * columns_ + c, static_cast<std::int32_t>(i));
        }
    }

    const std::vector<PointBox>& boxes_;
    double west_ = 0.0, south_ = 0.0;  // m
    double per_size_ = 1.0;            // cells a metre
    std::size_t columns_ = 1, rows_ = 1;
    std::vector<std::size_t> first_;  // of each cell, in members_
    std::vector<std::int32_t> members_;
};

}  // namespace thalweg
