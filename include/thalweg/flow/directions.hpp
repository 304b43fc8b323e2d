// The eight directions of a grid, and the marks that stand for cells without one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace thalweg {

/// The eight directions, clockwise from east (row numbers grow to the south). Direction d and opposite(d) are
/// reverse; even ones are axes, odd ones diagonals.
inline constexpr int kColumnStep[8] = {1, 1, 0, -1, -1, -1, 0, 1};
inline constexpr int kRowStep[8] = {0, 1, 1, 1, 0, -1, -1, -1};
inline constexpr std::uint8_t kAxes = 0b01010101;      // links to the 4 nearest neighbours
inline constexpr std::uint8_t kAllEight = 0b11111111;  // links to all 8

/// The inverse of a diagonal's length, in cells.
inline constexpr float kInverseDiagonal = 0.707106781F;

/// The reverse of a direction.
constexpr int opposite(int direction) {
    return (direction + 4) & 7;
}

/// The direction of a step by so many columns and rows, -1, 0 or 1 each, not both 0.
constexpr std::uint8_t direction_of_step(int columns, int rows) {
    std::uint8_t d = 0;
    while (d < 7 && (kColumnStep[d] != columns || kRowStep[d] != rows)) ++d;
    return d;
}

/// What each direction adds to the index of a cell in rows of `columns` cells.
///
/// Example:
///     const std::int32_t cell = 1000;
///     const std::int32_t south_east = cell + index_steps(grid.columns)[direction_of_step(1, 1)];
constexpr std::array<std::int32_t, 8> index_steps(std::int32_t columns) {
    std::array<std::int32_t, 8> steps{};
    for (std::size_t d = 0; d < 8; ++d) steps[d] = kRowStep[d] * columns + kColumnStep[d];
    return steps;
}

inline constexpr std::uint8_t kRoot = 8;     // direction of a cell that drains out of the domain
inline constexpr std::uint8_t kOutside = 9;  // direction of a cell without data
inline constexpr std::uint8_t kPit = 10;  // direction of a cell without a lower neighbour, not yet resolved

}  // namespace thalweg
