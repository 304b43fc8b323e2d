// What fronts share that march over a grid: the solution from neighbours, and the order of cells.
#pragma once

#include "thalweg/flow/graph/ordered_bits.hpp"
#include "thalweg/grid/field.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

namespace thalweg {

inline constexpr float kNotReached = std::numeric_limits<float>::infinity();

/// u of |grad u| = rise / (cell's side), where the lower neighbour along each axis has u = a and u = b.
/// First-order upwind differences (Sethian 1996); kNotReached where neither was reached.
inline float upwind(float a, float b, float rise) {
    const float low = std::min(a, b), difference = std::abs(a - b);
    if (!(difference < rise)) return low + rise;
    return 0.5F * (a + b + std::sqrt(2.0F * rise * rise - difference * difference));
}

/// Steps of the index to the 4 nearest neighbours: along rows, then along columns.
struct AxisSteps {
    explicit AxisSteps(const Grid& grid) : row(grid.columns) {}

    /// Calls body(neighbour) for the 4 neighbours of a cell that is not at the edge of the grid.
    template <class Body>
    void for_each(std::int32_t cell, const Body& body) const {
        body(cell - 1);
        body(cell + 1);
        body(cell - row);
        body(cell + row);
    }

    std::int32_t row;
};

/// 1 for cells that no front enters: those at the edge of the grid, and those without data; else 0.
inline std::vector<std::uint8_t> closed_cells(const Field<float>& elevation) {
    const Grid& grid = elevation.grid();
    std::vector<std::uint8_t> closed(static_cast<std::size_t>(grid.cells()));
    for (std::int64_t cell = 0; cell < grid.cells(); ++cell)
        closed[static_cast<std::size_t>(cell)] = is_no_data(elevation[cell]) ? 1 : 0;
    for (int row = 0; row < grid.rows; ++row)
        closed[static_cast<std::size_t>(grid.index(0, row))] =
            closed[static_cast<std::size_t>(grid.index(grid.columns - 1, row))] = 1;
    for (int column = 0; column < grid.columns; ++column)
        closed[static_cast<std::size_t>(grid.index(column, 0))] =
            closed[static_cast<std::size_t>(grid.index(column, grid.rows - 1))] = 1;
    return closed;
}

/// Cells by a value, the lowest first; of equal ones by their index. A cell may be in it many times.
class MarchQueue {
  public:
    [[nodiscard]] bool empty() const { return keys_.empty(); }

    void push(float value, std::int32_t cell) {
        keys_.push_back(std::uint64_t{ordered_bits(value)} << 32 | static_cast<std::uint32_t>(cell));
        std::push_heap(keys_.begin(), keys_.end(), std::greater<>());
    }

    struct Entry {
        float value;
        std::int32_t cell;
    };

    /// Takes the lowest away. Not when empty.
    Entry pop() {
        std::pop_heap(keys_.begin(), keys_.end(), std::greater<>());
        const std::uint64_t key = keys_.back();
        keys_.pop_back();
        return {float_of_ordered_bits(static_cast<std::uint32_t>(key >> 32)),
                static_cast<std::int32_t>(key & 0xffffffffU)};
    }

  private:
    std::vector<std::uint64_t> keys_;
};

}  // namespace thalweg
