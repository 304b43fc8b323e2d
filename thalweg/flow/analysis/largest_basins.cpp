#include "thalweg/flow/largest_basins.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"

#include <algorithm>
#include <unordered_map>

namespace thalweg {

namespace {

/// m^2 from sources, by the root that they end at.
std::unordered_map<std::int32_t, double> source_areas(const FlowTree& tree) {
    std::unordered_map<std::int32_t, double> areas;
    for (const NodeSource& source : tree.sources) {
        std::int32_t root = source.node;
        for (std::int32_t next = root; next >= 0; next = tree.receiver(next)) root = next;
        areas[root] += source.area;
    }
    return areas;
}

}  // namespace

LargestBasins largest_basins(const FlowTree& tree, int most, double least_area) {
    const std::unordered_map<std::int32_t, double> of_sources = source_areas(tree);
    const auto area_of = [&](std::int32_t root) {
        const auto found = of_sources.find(root);
        return tree.upstream_cells[at(root)] * tree.grid.cell_area() +
               (found == of_sources.end() ? 0.0 : found->second);
    };
    LargestBasins result;
    for_each_polled(tree.order, [&](std::int32_t cell) {
        if (tree.receiver(cell) < 0 && area_of(cell) >= least_area) result.outlets.push_back(cell);
    });
    std::ranges::sort(result.outlets, [&](std::int32_t a, std::int32_t b) {
        const double of_a = area_of(a), of_b = area_of(b);
        return of_a != of_b ? of_a > of_b : a < b;
    });
    if (std::ssize(result.outlets) > most) result.outlets.resize(at(most));
    result.basin.assign(tree.direction.size(), -1);
    for (std::size_t basin = 0; basin < result.outlets.size(); ++basin)
        result.basin[at(result.outlets[basin])] = static_cast<std::int16_t>(basin);
    // Receivers stand before their donors.
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver >= 0) result.basin[at(cell)] = result.basin[at(receiver)];
    });
    return result;
}

}  // namespace thalweg
