#include "thalweg/flow/receiver_sets.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>

namespace thalweg {
namespace {

/// The columns of a row whose neighbour in direction d lies inside the grid.
struct Span {
    int first;
    int end;
};
Span columns_with_neighbour(const Grid& grid, int row, std::size_t d) {
    const int other = row + kRowStep[d];
    if (other < 0 || other >= grid.rows) return {0, 0};
    return {std::max(0, -kColumnStep[d]), grid.columns - std::max(0, kColumnStep[d])};
}

std::int64_t step_of(const Grid& grid, std::size_t d) {
    return static_cast<std::int64_t>(kRowStep[d]) * grid.columns + kColumnStep[d];
}

/// Bit d of a cell is set where its neighbour in direction d lies lower.
std::vector<std::uint8_t> lower_neighbours(const Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    std::vector<std::uint8_t> lower(at(grid.cells()), 0);
    for_each_row(grid, [&](int row) {
        std::uint8_t* const bits = lower.data() + grid.index(0, row);
        const float* const here = elevation.data() + grid.index(0, row);
        for (std::size_t d = 0; d < 8; ++d) {
            const Span span = columns_with_neighbour(grid, row, d);
            const float* const there = here + step_of(grid, d);
            const auto bit = static_cast<std::uint8_t>(1U << d);
            for (int column = span.first; column < span.end; ++column)
                bits[column] =
                    static_cast<std::uint8_t>(bits[column] | (there[column] < here[column] ? bit : 0));
        }
    });
    return lower;
}

}  // namespace

std::vector<std::uint8_t> lower_receivers(const Field<float>& elevation,
                                          const std::vector<std::uint8_t>& direction) {
    std::vector<std::uint8_t> receivers = lower_neighbours(elevation);
    for_each_row(elevation.grid(), [&](int row) {
        const std::int64_t first = elevation.grid().index(0, row);
        for (std::int64_t cell = first; cell < first + elevation.columns(); ++cell) {
            const std::uint8_t d = direction[at(cell)];
            std::uint8_t& bits = receivers[at(cell)];
            bits = d >= kRoot ? 0 : bits != 0 ? bits : static_cast<std::uint8_t>(1U << d);
        }
    });
    return receivers;
}

std::vector<std::uint8_t> count_donors(const Grid& grid, const std::vector<std::uint8_t>& receivers) {
    std::vector<std::uint8_t> donors(at(grid.cells()), 0);
    for_each_row(grid, [&](int row) {
        std::uint8_t* const count = donors.data() + grid.index(0, row);
        for (std::size_t d = 0; d < 8; ++d) {
            const Span span = columns_with_neighbour(grid, row, d);
            const std::uint8_t* const there = receivers.data() + grid.index(0, row) + step_of(grid, d);
            const int back = opposite(static_cast<int>(d));
            for (int column = span.first; column < span.end; ++column)
                count[column] = static_cast<std::uint8_t>(count[column] + (there[column] >> back & 1));
        }
    });
    return donors;
}

}  // namespace thalweg
