// Breach paths out of depressions that are carved, and where water goes on and beside them.
#pragma once

#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/cell_range.hpp"
#include "thalweg/grid/field.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace thalweg {

/// Cuts ways down, one after the other, whose order does not matter.
class BreachPathCarver {
  public:
    /// elevation: m, is changed.
    explicit BreachPathCarver(Field<float>& elevation)
        : elevation_(elevation), state_(at(elevation.size())) {}

    /// Cuts `cell` and those that its water goes through down to `level`, m, until lower ground.
    /// receiver(cell): the next one, negative where there is none.
    template <class Receiver>
    void cut(std::int32_t cell, float level, const Receiver& receiver) {
        for (; cell >= 0; cell = receiver(cell)) {
            float& height = elevation_[cell];
            State& state = state_[at(cell)];
            const bool is_higher = height > level;
            if (!is_higher && (height < level || state != State::Untouched)) return;
            if (is_higher && state != State::Cut) cut_.push_back(cell);
            if (is_higher || state == State::Untouched) state = is_higher ? State::Cut : State::Passed;
            depth_ += static_cast<double>(height) - static_cast<double>(level);
            height = level;
        }
    }

    /// The cells that lie lower than before.
    [[nodiscard]] const std::vector<std::int32_t>& cut_cells() const { return cut_; }
    /// By how much, m, summed over them.
    [[nodiscard]] double depth() const { return depth_; }

  private:
    enum class State : std::uint8_t { Untouched, Passed, Cut };

    Field<float>& elevation_;
    std::vector<State> state_;
    std::vector<std::int32_t> cut_;
    double depth_ = 0.0;
};

/// The diagonal between two directions along a row and a column; kRoot for any others.
constexpr std::uint8_t diagonal_between(std::uint8_t a, std::uint8_t b) {
    if (a >= kRoot || b >= kRoot || a % 2 != 0 || b % 2 != 0 || (a - b) % 4 == 0) return kRoot;
    return static_cast<std::uint8_t>(b == ((a + 2) & 7) ? (a + 1) & 7 : (a + 7) & 7);
}

/// The direction straight across the right angle that the way makes behind `cell`, or its own where there is
/// none, no link leads across, or that would cross other water: the way turns back round the same four cells,
/// or the fourth of them drains into the corner. direction: not a root's; links: of the cell, inside the
/// grid; steps: the lattice's index_steps.
inline std::uint8_t across_right_angle(std::int64_t cell, const std::vector<std::uint8_t>& direction,
                                       std::uint8_t links, const std::array<std::int32_t, 8>& steps) {
    const std::uint8_t own = direction[at(cell)];
    const std::uint8_t next = direction[at(cell + steps[own])];
    const std::uint8_t across = diagonal_between(own, next);
    if (across >= kRoot || (links >> across & 1) == 0) return own;
    const bool turns_back = direction[at(cell + steps[across])] == opposite(own);
    const std::uint8_t fourth = direction[at(cell + steps[next])];
    const bool is_taken = fourth == diagonal_between(own, static_cast<std::uint8_t>(opposite(next)));
    return turns_back || is_taken ? own : across;
}

/// Where `cell` drains once breach paths are carved: down the steepest way over the carved ground, of equally
/// steep ones the one that it had, then that over the ground that was lowest before. Where nothing lies lower
/// it drains as it did, but straight across a right angle of a level way: what was the steepest way down a
/// bed may take two steps there where one will do. direction: per cell, over the ground before; breach paths
/// are turned. before, carved: m, on the lattice's grid, carved never rises along the directions. steps: the
/// lattice's index_steps.
inline std::uint8_t direction_over_carved(std::int64_t cell, const std::vector<std::uint8_t>& direction,
                                          const Lattice& lattice, const std::array<std::int32_t, 8>& steps,
                                          const Field<float>& before, const Field<float>& carved) {
    const std::uint8_t own = direction[at(cell)];
    if (own >= kRoot) return own;
    const auto slope_in = [&](std::uint8_t d) {
        const std::int64_t other = cell + steps[d];
        return lattice.slope(carved[cell] - carved[other], cell, other, d);
    };
    const std::uint8_t links = lattice.links_inside(lattice.grid.column_of(cell), lattice.grid.row_of(cell));
    std::uint8_t best = own;
    float steepest = slope_in(own);
    for (std::uint8_t d = 0; d < 8; ++d) {
        if ((links >> d & 1) == 0) continue;
        const float slope = slope_in(d);
        const bool is_better = slope > steepest || (slope == steepest && best != own &&
                                                    before[cell + steps[d]] < before[cell + steps[best]]);
        if (!is_better) continue;
        best = d;
        steepest = slope;
    }
    return steepest > 0.0F ? best : across_right_angle(cell, direction, links, steps);
}

/// A cell's new direction.
struct Redirected {
    std::int64_t cell;
    std::uint8_t direction;
};

/// The same for the cells of `range` of the lattice's grid that were carved or lie beside one that was: all
/// that change, by rows. O(cells).
std::vector<Redirected> redirected_over_carved(const Lattice& lattice, const CellRange& range,
                                               const std::vector<std::uint8_t>& direction,
                                               const Field<float>& before, const Field<float>& carved);

/// The same for all cells, whose directions change. Parallel; the same on any number of threads.
void direct_over_carved(const Lattice& lattice, const Field<float>& before, const Field<float>& carved,
                        std::vector<std::uint8_t>& direction);

}  // namespace thalweg
