// Points put in order, so that those near each other are worked on together.
#pragma once

#include "thalweg/grid/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// Sorts points into squares, and within these into vectors of points. For one thread.
class SquaresOfPoints {
  public:
    /// `side` m, of squares; those of few points are up to four times as wide.
    explicit SquaresOfPoints(double side) : side_(side) {}

    void sort(std::span<const Position> positions);

    /// The points' numbers, square by square.
    [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
    /// Where in that order each square ends.
    [[nodiscard]] std::span<const std::size_t> ends() const { return ends_; }

  private:
    void sort_part(std::span<const Position> positions, std::size_t first, std::size_t last);
    std::size_t count_parts(std::span<const Position> positions, Position low, Position high, double side);
    void append_runs(std::span<const Position> positions, std::size_t first, std::size_t last);

    double side_;
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> ends_;
    std::vector<std::uint32_t> starts_;  // of parts of squares
    std::vector<std::uint32_t> parts_;   // of points
};

}  // namespace thalweg
