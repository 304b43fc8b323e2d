#include "thalweg/erosion/fans/fan_balance.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <cmath>

namespace thalweg {
namespace {

constexpr int kMostRounds = 8;
constexpr double kVolumeError = 1e-4;  // of a fan's volume
constexpr float kMostChange = 0.5F;    // of a fan's thickness, by which it grows
constexpr std::size_t kCellsPerPoll = 1 << 16;
constexpr double kLeastResponse = 0.2;  // of a fan's volume, that it changes by with its thickness

/// Calls body(neighbour) for the 8 neighbours of a cell on the grid.
template <class Body>
void for_each_beside(const Grid& grid, std::int32_t cell, const Body& body) {
    for (std::size_t d = 0; d < 8; ++d) {
        const int column = grid.column_of(cell) + kColumnStep[d], row = grid.row_of(cell) + kRowStep[d];
        if (grid.contains(column, row)) body(static_cast<std::int32_t>(grid.index(column, row)));
    }
}

/// Cells whose elevation may change, in the order of the tree.
class Balance {
  public:
    Balance(const FanInputs& inputs, const DrainedFans& fans)
        : inputs_(inputs),
          fans_(fans),
          number_(fans.laid.grid(), -1),
          factors_(fans.fans, 1.0),
          volumes_(fans.fans, 0.0),
          responses_(fans.fans, 0.0) {
        const Field<std::int32_t> fan = nearest_fans();
        for_each_polled(fans.tree.order, [&](std::int32_t cell) { take(cell, fan); });
        for (const LobeDeposit& lobe : fans.lobes)
            volumes_[at(lobe.fan)] += static_cast<double>(lobe.thickness);
        for (std::size_t i = 0; i < fans.fans; ++i) responses_[i] += volumes_[i];
    }

    Field<float> ground() {
        for (int round = 0; round < kMostRounds; ++round) {
            raise();
            if (!change_factors()) break;
        }
        Field<float> elevation = fans_.drained;
        for (const Cell& cell : cells_) elevation[cell.cell] = cell.ground;
        return elevation;
    }

  private:
    struct Cell {
        std::int32_t cell;
        std::int32_t receiver;   // number of its receiver here; -1: none
        std::int32_t fan;        // for which changes count
        float before;            // m
        float water;             // m; no data: none
        float lowest;            // m, surface of its receiver where that is not here
        float highest;           // m, to which it may rise
        float change;            // m, that water made
        double thickness = 0.0;  // m, of all fans
        float ground = 0.0F;     // m
        float surface = 0.0F;    // m, of the ground or of the water on it
    };

    /// The fan on top, and for ground that water changed beside fans the one that is nearest over such
    /// ground; -1 elsewhere.
    [[nodiscard]] Field<std::int32_t> nearest_fans() const {
        Field<std::int32_t> fan(fans_.laid.grid(), -1);
        for (const LobeDeposit& lobe : fans_.lobes) fan[lobe.cell] = lobe.fan;
        std::vector<std::int32_t> front;
        for_each_polled(0, fan.size(), [&](std::int64_t cell) {
            if (fan[cell] >= 0) front.push_back(static_cast<std::int32_t>(cell));
        });
        for (std::size_t next = 0; next < front.size(); ++next) {
            if (next % kCellsPerPoll == 0) poll_cancelled();
            for_each_beside(fan.grid(), front[next], [&](std::int32_t beside) {
                if (fan[beside] >= 0 || !(fans_.drained[beside] != fans_.laid[beside])) return;
                fan[beside] = fan[front[next]];
                front.push_back(beside);
            });
        }
        return fan;
    }

    /// Takes a cell of a fan, or one upstream of such cells so little higher that it may have to rise with
    /// them.
    void take(std::int32_t cell, const Field<std::int32_t>& nearest) {
        const std::int32_t receiver = fans_.tree.receiver(cell);
        const std::int32_t below = receiver < 0 ? -1 : number_[receiver];
        const float drained = fans_.drained[cell], change = drained - fans_.laid[cell];
        const float highest_below = below < 0 ? -kNotReached : cells_[at(below)].highest;
        std::int32_t fan = nearest[cell];
        if (fan < 0 && drained <= highest_below) fan = cells_[at(below)].fan;
        if (fan < 0) return;
        const float rise =
            kMostChange * std::abs(fans_.laid[cell] - inputs_.elevation[cell]) + std::abs(change);
        number_[cell] = static_cast<std::int32_t>(cells_.size());
        cells_.push_back({.cell = cell,
                          .receiver = below,
                          .fan = fan,
                          .before = inputs_.elevation[cell],
                          .water = inputs_.water_at(cell),
                          .lowest = receiver >= 0 ? surface(receiver) : -kNotReached,
                          .highest = std::max(drained + rise, highest_below),
                          .change = change});
        responses_[at(fan)] += static_cast<double>(change);
    }

    [[nodiscard]] float surface(std::int32_t cell) const {
        const float water = inputs_.water_at(cell);
        return water > fans_.drained[cell] ? water : fans_.drained[cell];
    }

    /// Makes the ground by the factors.
    void raise() {
        for (Cell& cell : cells_) cell.thickness = 0.0;
        for_each_polled(fans_.lobes, [&](const LobeDeposit& lobe) {
            cells_[at(number_[lobe.cell])].thickness +=
                factors_[at(lobe.fan)] * static_cast<double>(lobe.thickness);
        });
        for_each_polled(0, std::ssize(cells_), [&](std::int64_t i) {
            Cell& cell = cells_[at(i)];
            cell.ground = static_cast<float>(static_cast<double>(cell.before) + cell.thickness +
                                             factors_[at(cell.fan)] * static_cast<double>(cell.change));
            const float below = cell.receiver >= 0 ? cells_[at(cell.receiver)].surface : cell.lowest;
            const bool is_wet = cell.ground < cell.water;
            cell.surface = std::max(below, is_wet ? cell.water : cell.ground);
            if (!is_wet) cell.ground = cell.surface;
        });
    }

    /// Brings the fans' volumes nearer to what they were; whether any was too far from it.
    bool change_factors() {
        std::vector<double> excess(volumes_.size());  // m, summed over cells
        for (std::size_t i = 0; i < volumes_.size(); ++i) excess[i] = (factors_[i] - 1.0) * volumes_[i];
        for_each_polled(cells_, [&](const Cell& cell) {
            excess[at(cell.fan)] +=
                static_cast<double>(cell.ground) - static_cast<double>(cell.before) - cell.thickness;
        });
        bool is_far = false;
        for (std::size_t i = 0; i < volumes_.size(); ++i) {
            if (!(std::abs(excess[i]) > kVolumeError * volumes_[i])) continue;
            is_far = true;
            factors_[i] -= excess[i] / std::max(responses_[i], kLeastResponse * volumes_[i]);
            factors_[i] = std::clamp(factors_[i], 0.0, 1.0 + static_cast<double>(kMostChange));
        }
        return is_far;
    }

    const FanInputs& inputs_;
    const DrainedFans& fans_;
    Field<std::int32_t> number_;  // in cells_; -1: not there
    std::vector<Cell> cells_;
    std::vector<double> factors_;    // of each fan's thickness
    std::vector<double> volumes_;    // of each fan's lobes, m summed over cells
    std::vector<double> responses_;  // the same with what water filled and cut
};

}  // namespace

Field<float> balanced_fans(const FanInputs& inputs, const DrainedFans& fans) {
    return Balance(inputs, fans).ground();
}

}  // namespace thalweg
