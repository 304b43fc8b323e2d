#include "thalweg/erosion/fans/fan_balance.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/flow/directions.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace thalweg {
namespace {

constexpr int kMostRounds = 12;
constexpr double kFirmer = 1.5;        // (empirical)
constexpr double kLeastScale = 0.8;    // (empirical)
constexpr int kHalvings = 14;          // of that bracket, to 3e-5
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
          responses_(fans.fans, 0.0),
          excess_(fans.fans, 0.0) {
        const Field<std::int32_t> fan = nearest_fans();
        for_each_polled(fans.tree.order, [&](std::int32_t cell) { take(cell, fan); });
        for (const LobeDeposit& lobe : fans.lobes)
            volumes_[at(lobe.fan)] += static_cast<double>(lobe.thickness);
        for (std::size_t i = 0; i < fans.fans; ++i) responses_[i] += volumes_[i];
    }

    Field<float> ground() {
        bool is_far = true;
        for (int round = 0; round < kMostRounds && is_far; ++round) {
            raise();
            is_far = change_factors();
        }
        scale_all();
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
        std::int32_t dam = -1;   // the fan that decides how high the ground is filled
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
            const float own = is_wet ? cell.water : cell.ground;
            cell.dam = cell.receiver >= 0 && below > own ? cells_[at(cell.receiver)].dam : cell.fan;
            cell.surface = std::max(below, own);
            if (!is_wet) cell.ground = cell.surface;
        });
    }

    /// Brings the fans' volumes nearer to what they were; whether any was too far from it.
    bool change_factors() {
        std::vector<double> excess(volumes_.size());  // m, summed over cells
        for (std::size_t i = 0; i < volumes_.size(); ++i) excess[i] = (factors_[i] - 1.0) * volumes_[i];
        for_each_polled(cells_, [&](const Cell& cell) {
            excess[at(cell.dam)] +=
                static_cast<double>(cell.ground) - static_cast<double>(cell.before) - cell.thickness;
        });
        bool is_far = false;
        for (std::size_t i = 0; i < volumes_.size(); ++i) {
            if (!(std::abs(excess[i]) > kVolumeError * volumes_[i])) continue;
            is_far = true;
            if (excess[i] * excess_[i] < 0.0)
                responses_[i] *= kFirmer;  // fans that dam each other went too far
            factors_[i] -= excess[i] / std::max(responses_[i], kLeastResponse * volumes_[i]);
            factors_[i] = std::clamp(factors_[i], 0.0, 1.0 + static_cast<double>(kMostChange));
        }
        excess_ = std::move(excess);
        return is_far;
    }

    /// Makes all fans together hold what their lobes did, where not each of them can or where water cut
    /// beside them: what lies there grows with their thickness, so a bracket is halved.
    void scale_all() {
        double demanded = -rises_beside();
        for (const double volume : volumes_) demanded += volume;
        if (std::abs(sum_of_rises() - demanded) <= kVolumeError * std::abs(demanded)) return;
        const std::vector<double> factors = factors_;
        double low = kLeastScale, high = 1.0 / kLeastScale;
        for (int half = 0; half < kHalvings; ++half) {
            const double scale = 0.5 * (low + high);
            for (std::size_t i = 0; i < factors.size(); ++i)
                factors_[i] = std::min(scale * factors[i], 1.0 + static_cast<double>(kMostChange));
            raise();
            (sum_of_rises() > demanded ? high : low) = scale;
        }
    }

    /// What water filled, less what it cut, on other cells; m, summed over them.
    [[nodiscard]] double rises_beside() const {
        double sum = 0.0;
        for_each_polled(0, number_.size(), [&](std::int64_t cell) {
            if (number_[cell] < 0 && !is_no_data(inputs_.elevation[cell]))
                sum +=
                    static_cast<double>(fans_.drained[cell]) - static_cast<double>(inputs_.elevation[cell]);
        });
        return sum;
    }

    [[nodiscard]] double sum_of_rises() const {
        double sum = 0.0;
        for_each_polled(cells_, [&](const Cell& cell) {
            sum += static_cast<double>(cell.ground) - static_cast<double>(cell.before);
        });
        return sum;
    }

    const FanInputs& inputs_;
    const DrainedFans& fans_;
    Field<std::int32_t> number_;  // in cells_; -1: not there
    std::vector<Cell> cells_;
    std::vector<double> factors_;  // of each fan's thickness
    std::vector<double> volumes_;  // of each fan's lobes, m summed over cells
    std::vector<double>
        responses_;               // the same with what water filled and cut, then by how far that was right
    std::vector<double> excess_;  // of the round before, m summed over cells
};

}  // namespace

Field<float> balanced_fans(const FanInputs& inputs, const DrainedFans& fans) {
    return Balance(inputs, fans).ground();
}

}  // namespace thalweg
