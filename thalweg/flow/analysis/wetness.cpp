#include "thalweg/flow/wetness.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/core/portable_power.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <ranges>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 16;

}  // namespace

Field<float> wetness_index(const Field<float>& specific_area, const Field<float>& slope) {
    assert(specific_area.size() == slope.size());
    Field<float> index(slope.grid(), kNoData);
    parallel_for(0, index.size(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell)
            if (!is_no_data(slope[cell]))
                index[cell] = static_cast<float>(
                    portable_log(static_cast<double>(specific_area[cell]) /
                                 std::max(static_cast<double>(slope[cell]), kLeastWetnessSlope)));
    });
    return index;
}

Field<float> height_above_drainage(const FlowTree& tree, const Field<float>& elevation,
                                   const Field<std::uint8_t>& rivers) {
    assert(elevation.size() == tree.grid.cells() && rivers.size() == tree.grid.cells());
    // From the sources down, so that rivers go on below where they begin.
    Field<std::uint8_t> is_river = rivers;
    for_each_polled(std::views::reverse(tree.order), [&](std::int32_t cell) {
        if (const std::int32_t receiver = tree.receiver(cell); receiver >= 0 && is_river[cell] != 0)
            is_river[receiver] = 1;
    });
    Field<float> drainage(tree.grid, kNoData), height(tree.grid, kNoData);
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        drainage[cell] = is_river[cell] != 0 || receiver < 0 ? elevation[cell] : drainage[receiver];
        height[cell] = elevation[cell] - drainage[cell];
    });
    return height;
}

}  // namespace thalweg
