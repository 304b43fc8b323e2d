#include "thalweg/flow/depressions/breach_paths.hpp"

#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/graph/changed_rows.hpp"

#include <algorithm>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastCells = 1 << 17;  // that one task looks at

/// Marks the cells of a row that were carved or lie beside one that was.
void mark_near(const ChangedRows& is_carved, std::int64_t row, std::int64_t columns, RowMarks& marks) {
    std::uint8_t* const is_near = marks.data();
    const std::uint8_t* const above = is_carved.row(row - 1);
    const std::uint8_t* const here = is_carved.row(row);
    const std::uint8_t* const below = is_carved.row(row + 1);
    const auto column_of_three = [&](std::int64_t c) { return above[c] | here[c] | below[c]; };
    for (std::int64_t c = 0; c < columns; ++c)
        is_near[c] =
            static_cast<std::uint8_t>(column_of_three(c - 1) | column_of_three(c) | column_of_three(c + 1));
}

}  // namespace

std::vector<Redirected> redirected_over_carved(const Lattice& lattice, const CellRange& range,
                                               const std::vector<std::uint8_t>& direction,
                                               const Field<float>& before, const Field<float>& carved) {
    const std::array<std::int32_t, 8> steps = lattice.index_steps();
    const std::int64_t columns = before.columns();
    ChangedRows is_carved(before, carved, range.first_row);
    RowMarks near(columns);
    std::vector<Redirected> redirected;
    for (std::int64_t row = range.first_row; row < range.end_row; ++row) {
        is_carved.go_to(row);
        mark_near(is_carved, row, columns, near);
        near.for_marked([&](std::int64_t column) {
            if (column < range.first_column || column >= range.end_column) return;
            const std::int64_t cell = row * columns + column;
            const std::uint8_t to = direction_over_carved(cell, direction, lattice, steps, before, carved);
            if (to != direction[at(cell)]) redirected.push_back({cell, to});
        });
    }
    return redirected;
}

void direct_over_carved(const Lattice& lattice, const Field<float>& before, const Field<float>& carved,
                        std::vector<std::uint8_t>& direction) {
    const Grid& grid = lattice.grid;
    const std::int64_t rows_per_task = std::max<std::int64_t>(1, kLeastCells / std::max(1, grid.columns));
    // All are found from the directions before.
    const std::vector<Redirected> redirected =
        parallel_concat<Redirected>(0, grid.rows, rows_per_task, [&](std::int64_t first, std::int64_t last) {
            const CellRange rows{.first_column = 0,
                                 .end_column = grid.columns,
                                 .first_row = static_cast<int>(first),
                                 .end_row = static_cast<int>(last)};
            return redirected_over_carved(lattice, rows, direction, before, carved);
        });
    for (const Redirected& each : redirected) direction[at(each.cell)] = each.direction;
}

}  // namespace thalweg
