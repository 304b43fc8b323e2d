#include "thalweg/flow/breach.hpp"

#include <cassert>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerPoll = 1 << 20;

}  // namespace

Breached breach_elevation(const Field<float>& elevation, const FlowTree& tree, Progress& progress) {
    assert(elevation.size() == tree.grid.cells());
    Breached breached;
    breached.elevation = elevation;
    double depth = 0.0;  // m, summed over cells
    std::int64_t visited = 0;
    // Upstream before downstream: a cell is final once all of its donors have been visited.
    for (auto cell = tree.order.rbegin(); cell != tree.order.rend(); ++cell) {
        if (visited++ % kCellsPerPoll == 0) progress.poll();
        const float level = breached.elevation[*cell];
        if (level < elevation[*cell]) {
            ++breached.lowered_cells;
            depth += static_cast<double>(elevation[*cell]) - static_cast<double>(level);
        }
        const std::int32_t receiver = tree.receiver(*cell);
        if (receiver >= 0 && breached.elevation[receiver] > level) breached.elevation[receiver] = level;
    }
    breached.volume = depth * elevation.grid().cell_area();
    return breached;
}

}  // namespace thalweg
