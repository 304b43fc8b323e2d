#include "thalweg/erosion/solvers/steady_state.hpp"

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/vector_lanes.hpp"
#include "thalweg/erosion/law/least_rise.hpp"
#include "thalweg/erosion/law/residuals.hpp"
#include "thalweg/erosion/law/thermal_law.hpp"
#include "thalweg/erosion/solvers/rise_rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 13;
constexpr std::int64_t kCellsPerPoll = 1 << 16;

std::int64_t rises(const RiseRow& row, std::int64_t count, float* rise) {
    return in_lanes([&](auto lanes) { return rises_in_lanes<lanes()>(row, count, rise); });
}

/// Makes the elevation of every cell that has a receiver the rise above it, m.
void set_rises(const FlowTree& tree, const ThermalLaw& thermal, const PathInputs& inputs,
               Field<float>& elevation) {
    parallel_for(0, elevation.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        const RiseRow row{.direction = tree.direction.data() + first,
                          .uplift = inputs.uplift.data() + first,
                          .celerity = inputs.celerity.data() + first,
                          .length = inputs.length.data() + first,
                          .thermal_rate = thermal.rate(),
                          .critical_slope = thermal.critical_slope(),
                          .least_slope = kLeastSlope};
        for (std::int64_t cell = first + rises(row, last - first, elevation.data() + first); cell < last;
             ++cell) {
            if (tree.direction[at(cell)] >= kRoot) continue;
            const LocalLaw local =
                thermal.at_steady_state(inputs.uplift[at(cell)], inputs.celerity[at(cell)]);
            elevation[cell] = std::max(local.uplift / local.celerity, kLeastSlope) * inputs.length[at(cell)];
        }
    });
}

/// Adds rises up along the tree.
class RiseSum {
  public:
    RiseSum(const FlowTree& tree, Field<float>& elevation)
        : order_(tree.order.data()),
          direction_(tree.direction.data()),
          elevation_(elevation.data()),
          steps_(index_steps(tree.grid.columns)) {}

    /// Over entries [first, last) of the order.
    void add(std::int64_t first, std::int64_t last, const Progress& progress) const {
        for (; first < last; first += kCellsPerPoll) {
            progress.poll();
            const std::int64_t end = std::min(first + kCellsPerPoll, last);
            for (std::int64_t i = first; i < end; ++i) add_entry(i);
        }
    }

  private:
    void add_entry(std::int64_t i) const {
        const std::int32_t cell = order_[i];
        const std::uint8_t direction = direction_[cell];
        if (direction >= kRoot) return;
        const float below = elevation_[cell + steps_[direction]];
        float rise = elevation_[cell];
        // Some way up even where float32 is too coarse for the rise: seldom, so the branch is guessed right
        // and what stands above waits for no more than the sum.
        if (const float least = std::abs(below) * kLeastShare; rise < least) [[unlikely]] {
            asm volatile("");  // or compilers take the larger one, without a branch
            rise = least;
        }
        elevation_[cell] = below + rise;
    }

    const std::int32_t* order_;
    const std::uint8_t* direction_;
    float* elevation_;
    std::array<std::int32_t, 8> steps_;
};

}  // namespace

void solve_steady(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                  Field<float>& elevation, Progress& progress) {
    set_rises(tree, ThermalLaw(law), inputs, elevation);
    progress.poll();
    const RiseSum sum(tree, elevation);
    sum.add(0, tree.run_starts.front(), progress);
    parallel_for(0, std::ssize(tree.run_starts) - 1, 1, [&](std::int64_t run, std::int64_t) {
        sum.add(tree.run_starts[at(run)], tree.run_starts[at(run) + 1], progress);
    });
}

std::vector<float> steady_residuals(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                                    const Field<float>& elevation) {
    const ThermalLaw thermal(law);
    const auto change_at = [&](std::int32_t cell, std::int32_t receiver) {
        const float length = inputs.length[at(cell)];
        const float rise = elevation[cell] - elevation[receiver];
        const LocalLaw local = thermal.at_steady_state(inputs.uplift[at(cell)], inputs.celerity[at(cell)]);
        const bool at_least_rise = local.uplift / local.celerity * length <=
                                   least_above(elevation[receiver], length) - elevation[receiver];
        return at_least_rise ? kUncounted<float> : std::abs(local.uplift - local.celerity * rise / length);
    };
    return changes_over_uplift(tree, inputs.uplift, change_at);
}

}  // namespace thalweg
