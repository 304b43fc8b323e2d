#include "thalweg/flow/largest_basins.hpp"

#include "thalweg/core/index.hpp"

#include <algorithm>

namespace thalweg {

LargestBasins largest_basins(const FlowTree& tree, int most, double least_area) {
    const double least_cells = least_area / tree.grid.cell_area();
    LargestBasins result;
    for (const std::int32_t cell : tree.order)
        if (tree.receiver(cell) < 0 && tree.upstream_cells[at(cell)] >= least_cells)
            result.outlets.push_back(cell);
    std::ranges::sort(result.outlets, [&](std::int32_t a, std::int32_t b) {
        const std::uint32_t of_a = tree.upstream_cells[at(a)], of_b = tree.upstream_cells[at(b)];
        return of_a != of_b ? of_a > of_b : a < b;
    });
    if (std::ssize(result.outlets) > most) result.outlets.resize(at(most));
    result.basin.assign(tree.direction.size(), -1);
    for (std::size_t basin = 0; basin < result.outlets.size(); ++basin)
        result.basin[at(result.outlets[basin])] = static_cast<std::int16_t>(basin);
    // Receivers stand before their donors.
    for (const std::int32_t cell : tree.order) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver >= 0) result.basin[at(cell)] = result.basin[at(receiver)];
    }
    return result;
}

}  // namespace thalweg
