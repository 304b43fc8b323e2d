#include "thalweg/flow/graph/receiver_sets.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"
#include "thalweg/grid/rows.hpp"

#include <algorithm>
#include <cstring>

namespace thalweg {
namespace {

constexpr std::int64_t kTogether = 16;  // cells that are looked at in one vector
using Cells = std::uint8_t __attribute__((vector_size(kTogether)));

/// Gives cells that have no bit that of their direction; takes the bits of those whose direction is none.
/// `count`: at most kTogether.
[[gnu::always_inline]] inline void take_together(const std::uint8_t* direction, std::int64_t count,
                                                 std::uint8_t* bits) {
    Cells lower{}, directions{};
    std::memcpy(&lower, bits, at(count));
    std::memcpy(&directions, direction, at(count));
    Cells along{}, bit = Cells{} + 1;
    for (std::uint8_t d = 0; d < 8; ++d) {
        along |= reinterpret_cast<Cells>(directions == d) & bit;
        bit += bit;
    }
    const Cells is_kept = reinterpret_cast<Cells>(lower != 0) & reinterpret_cast<Cells>(along != 0);
    const Cells taken = (lower & is_kept) | (along & ~is_kept);
    std::memcpy(bits, &taken, at(count));
}

/// The same for any count.
void take_directions(const std::uint8_t* direction, std::int64_t count, std::uint8_t* bits) {
    std::int64_t cell = 0;
    // Copies of a size that is known need no call.
    for (; cell + kTogether <= count; cell += kTogether)
        take_together(direction + cell, kTogether, bits + cell);
    take_together(direction + cell, count - cell, bits + cell);
}

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

/// Sets bit d of each of a row's cells whose neighbour in direction d lies lower.
void find_lower_neighbours(const Field<float>& elevation, int row, std::uint8_t* __restrict bits) {
    const Grid& grid = elevation.grid();
    const float* const here = elevation.data() + grid.index(0, row);
    for (std::size_t d = 0; d < 8; ++d) {
        const Span span = columns_with_neighbour(grid, row, d);
        const float* const there = here + step_of(grid, d);
        for (int column = span.first; column < span.end; ++column)
            bits[column] =
                static_cast<std::uint8_t>(bits[column] | (there[column] < here[column] ? 1U << d : 0U));
    }
}

}  // namespace

std::vector<std::uint8_t> lower_receivers(const Field<float>& elevation,
                                          const std::vector<std::uint8_t>& direction) {
    std::vector<std::uint8_t> receivers(direction.size());
    for_each_row(elevation.grid(), [&](int row) {
        const std::int64_t first = elevation.grid().index(0, row);
        find_lower_neighbours(elevation, row, receivers.data() + first);
        take_directions(direction.data() + first, elevation.columns(), receivers.data() + first);
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
