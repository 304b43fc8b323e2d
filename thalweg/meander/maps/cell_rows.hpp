// Cells of a grid within convex shapes.
#pragma once

#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace thalweg {

/// A place in cells: whole numbers are centres.
struct CellPoint {
    double column = 0.0;
    double row = 0.0;
};

/// Rows that one piece of parallel work takes.
inline constexpr int kRowsInBand = 32;

/// Finds the cells whose centres lie in the hull of a few corners, edges included: shapes that share an edge
/// leave no cell out.
class HullScan {
  public:
    /// Within `range`.
    explicit HullScan(const CellRange& range)
        : range_(range), spans_(static_cast<std::size_t>(range.rows())) {}

    /// Calls body(row, first column, end column) for each row.
    template <std::size_t n, class Body>
    void scan(const std::array<CellPoint, n>& corners, const Body& body) {
        double top = corners[0].row;
        double bottom = top;
        for (const CellPoint& corner : corners) {
            top = std::min(top, corner.row);
            bottom = std::max(bottom, corner.row);
        }
        const int first = static_cast<int>(std::max<double>(range_.first_row, std::ceil(top)));
        const int end = static_cast<int>(std::min<double>(range_.end_row, std::floor(bottom) + 1.0));
        if (first >= end) return;
        for (int row = first; row < end; ++row) spans_[row - range_.first_row] = Span();
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = i + 1; j < n; ++j) add_edge(corners[i], corners[j], first, end);
        for (int row = first; row < end; ++row) {
            const Span& span = spans_[row - range_.first_row];
            const int from = static_cast<int>(std::max<double>(range_.first_column, std::ceil(span.low)));
            const int to = static_cast<int>(std::min<double>(range_.end_column, std::floor(span.high) + 1.0));
            if (from < to) body(row, from, to);
        }
    }

  private:
    struct Span {
        double low = std::numeric_limits<double>::infinity();
        double high = -std::numeric_limits<double>::infinity();
    };

    void add_edge(CellPoint a, CellPoint b, int first, int end) {
        // The same edge of two shapes has the same bits.
        if (std::pair(b.row, b.column) < std::pair(a.row, a.column)) std::swap(a, b);
        const int from = std::max(first, static_cast<int>(std::max<double>(first, std::ceil(a.row))));
        const int to = static_cast<int>(std::min<double>(end, std::floor(b.row) + 1.0));
        const double slope = b.row > a.row ? (b.column - a.column) / (b.row - a.row) : 0.0;
        for (int row = from; row < to; ++row) {
            Span& span = spans_[row - range_.first_row];
            const double column = std::clamp(a.column + slope * (row - a.row), std::min(a.column, b.column),
                                             std::max(a.column, b.column));
            span.low = std::min(span.low, column);
            span.high = std::max(span.high, column);
            if (b.row == a.row) span.high = std::max(span.high, b.column);
        }
    }

    CellRange range_;
    std::vector<Span> spans_;
};

/// A world position in cells.
inline CellPoint cell_point(const Grid& grid, double x, double y) {
    return {grid.column_at(x), grid.row_at(y)};
}

/// The rows of one piece of work.
inline CellRange band_of(const Grid& grid, std::int64_t band) {
    const int first = static_cast<int>(band) * kRowsInBand;
    return {
        .end_column = grid.columns, .first_row = first, .end_row = std::min(grid.rows, first + kRowsInBand)};
}

inline std::int64_t bands_of(const Grid& grid) {
    return (grid.rows + kRowsInBand - 1) / kRowsInBand;
}

/// Shapes with `corners`, by the bands in which they may have cells, in the order in which they came.
template <class Shape>
class BandedShapes {
  public:
    explicit BandedShapes(const Grid& grid)
        : columns_(grid.columns), rows_(grid.rows), bands_(static_cast<std::size_t>(bands_of(grid))) {}

    void clear() {
        for (std::vector<Shape>& band : bands_) band.clear();
    }

    void add(const Shape& shape) {
        const auto [left, right] = std::ranges::minmax(shape.corners, {}, &CellPoint::column);
        const auto [upper, lower] = std::ranges::minmax(shape.corners, {}, &CellPoint::row);
        const double top = std::max(0.0, std::ceil(upper.row));
        const double bottom = std::min(rows_ - 1.0, std::floor(lower.row));
        if (top > bottom || right.column < 0.0 || left.column > columns_ - 1.0) return;
        for (int band = static_cast<int>(top) / kRowsInBand; band <= static_cast<int>(bottom) / kRowsInBand;
             ++band)
            bands_[band].push_back(shape);
    }

    [[nodiscard]] const std::vector<Shape>& in(std::int64_t band) const { return bands_[band]; }

  private:
    int columns_;
    int rows_;
    std::vector<std::vector<Shape>> bands_;
};

}  // namespace thalweg
