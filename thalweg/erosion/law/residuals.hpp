// How fast terrain still changes along its receivers, in the measure of the uplift that it would balance.
#pragma once

#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace thalweg {

/// change_at's answer for a cell that does not count.
template <class Rate>
inline constexpr Rate kUncounted = std::numeric_limits<Rate>::quiet_NaN();

/// change_at(cell, receiver) [m/yr, float or double] over the largest uplift [m/yr] of all cells that have a
/// receiver, per cell; NaN for cells without one, empty where nothing is uplifted. `change_at` is called on
/// any thread.
template <class Change>
std::vector<float> changes_over_uplift(const FlowTree& tree, std::span<const float> uplift,
                                       const Change& change_at) {
    constexpr std::int64_t kCellsPerTask = 1 << 15;
    const auto largest_in = [&](std::int64_t first, std::int64_t last) {
        float largest = 0.0F;
        for (std::int64_t cell = first; cell < last; ++cell)
            largest = std::max(largest, tree.direction[at(cell)] < kRoot ? uplift[at(cell)] : 0.0F);
        return largest;
    };
    const float largest = parallel_reduce(0, tree.grid.cells(), kCellsPerTask, 0.0F, largest_in,
                                          [](float a, float b) { return std::max(a, b); });
    if (largest <= 0.0F) return {};
    std::vector<float> changes(tree.direction.size());
    parallel_for(0, tree.grid.cells(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (auto cell = static_cast<std::int32_t>(first); cell < last; ++cell) {
            using Rate = decltype(change_at(cell, cell));
            const std::int32_t receiver = tree.receiver(cell);
            const Rate change = receiver < 0 ? kUncounted<Rate> : change_at(cell, receiver);
            changes[at(cell)] = static_cast<float>(change / static_cast<Rate>(largest));
        }
    });
    return changes;
}

}  // namespace thalweg
