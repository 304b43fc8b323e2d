// Which cells of three neighbouring rows differ between two surfaces.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace thalweg {

/// Passes over rows from the north, and holds marks of the present row and of those beside it: 1 where the
/// surfaces differ, 0 elsewhere and outside the grid. NaN (no data) lies where it does in both.
class ChangedRows {
  public:
    ChangedRows(const Field<float>& before, const Field<float>& after, std::int64_t first_row)
        : before_(before), after_(after) {
        for (std::vector<std::uint8_t>& row : marks_) row.assign(at(before.columns()) + 2, 0);
        look_at(first_row - 1);
        look_at(first_row);
    }

    /// Goes on to `row`: the first one, then each behind the one before.
    void go_to(std::int64_t row) { look_at(row + 1); }

    /// Marks of a row that is held, with one of 0 before and behind it.
    [[nodiscard]] const std::uint8_t* row(std::int64_t row) const {
        return marks_[at((row + 3) % 3)].data() + 1;
    }

  private:
    void look_at(std::int64_t row) {
        std::uint8_t* const marks = marks_[at((row + 3) % 3)].data() + 1;
        const std::int64_t columns = before_.columns();
        std::fill_n(marks, columns, std::uint8_t{0});
        if (row < 0 || row >= before_.rows()) return;
        const float* const before = before_.data() + row * columns;
        const float* const after = after_.data() + row * columns;
        // No data is neither lower nor higher. Without branches, so that it is done in vectors.
        for (std::int64_t c = 0; c < columns; ++c) {
            const int is_lower = after[c] < before[c] ? 1 : 0, is_higher = after[c] > before[c] ? 1 : 0;
            marks[c] = static_cast<std::uint8_t>(is_lower | is_higher);
        }
    }

    const Field<float>& before_;
    const Field<float>& after_;
    std::array<std::vector<std::uint8_t>, 3> marks_;
};

/// Marks of the cells of a row.
class RowMarks {
  public:
    explicit RowMarks(std::int64_t columns) : columns_(columns), marks_(at(columns + kAtOnce)) {}

    [[nodiscard]] std::uint8_t* data() { return marks_.data(); }
    void clear() { std::fill(marks_.begin(), marks_.end(), std::uint8_t{0}); }

    /// Runs body(column) for those that are not 0, which are few.
    template <class Body>
    void for_marked(const Body& body) const {
        for (std::int64_t column = 0; column < columns_; column += kAtOnce) {
            std::uint64_t eight = 0;
            std::memcpy(&eight, marks_.data() + column, sizeof eight);
            if (eight == 0) continue;
            for (std::int64_t c = column; c < column + kAtOnce; ++c)
                if (marks_[at(c)] != 0) body(c);
        }
    }

  private:
    static constexpr std::int64_t kAtOnce = 8;  // cells that are skipped, if none of them is marked

    std::int64_t columns_;
    std::vector<std::uint8_t> marks_;  // with kAtOnce of 0 behind them
};

}  // namespace thalweg
