#include "thalweg/flow/derived.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/index.hpp"
#include "thalweg/core/parallel.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace thalweg {
namespace {

constexpr std::int64_t kCellsPerTask = 1 << 16;
constexpr std::int64_t kRowsPerTask = 16;

/// Runs body(cell) over all cells, in parallel.
template <class Body>
void for_each_cell(const Grid& grid, const Body& body) {
    parallel_for(0, grid.cells(), kCellsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t cell = first; cell < last; ++cell) body(static_cast<std::int32_t>(cell));
    });
}

float steepest_slope_of(const Field<float>& elevation, const Lattice& lattice, int column, int row) {
    const float here = elevation(column, row);
    if (is_no_data(here)) return kNoData;
    const std::uint8_t links = lattice.links_inside(column, row);
    double steepest = 0.0;
    for (std::size_t d = 0; d < 8; ++d) {
        if ((links >> d & 1) == 0) continue;
        const float there = elevation(column + kColumnStep[d], row + kRowStep[d]);
        if (!(there < here)) continue;
        const double drop = static_cast<double>(here) - static_cast<double>(there);
        steepest =
            std::max(steepest, drop / lattice.distance(lattice.grid.index(column, row), static_cast<int>(d)));
    }
    return static_cast<float>(steepest);
}

}  // namespace

Field<float> receiver_slope(const Field<float>& elevation, const FlowTree& tree, const Lattice& lattice) {
    assert(elevation.size() == tree.grid.cells() && lattice.grid.cells() == tree.grid.cells());
    Field<float> slope(tree.grid, kNoData);
    for_each_cell(tree.grid, [&](std::int32_t cell) {
        const std::uint8_t direction = tree.direction[at(cell)];
        if (direction == kRoot) slope[cell] = 0.0F;
        if (direction >= kRoot) return;
        const double drop =
            static_cast<double>(elevation[cell]) - static_cast<double>(elevation[tree.receiver(cell)]);
        slope[cell] = static_cast<float>(drop / lattice.distance(cell, direction));
    });
    return slope;
}

Field<float> steepest_slope(const Field<float>& elevation, const Lattice& lattice) {
    assert(elevation.size() == lattice.grid.cells());
    Field<float> slope(elevation.grid(), kNoData);
    parallel_for(0, elevation.rows(), kRowsPerTask, [&](std::int64_t first, std::int64_t last) {
        for (int row = static_cast<int>(first); row < last; ++row)
            for (int column = 0; column < elevation.columns(); ++column)
                slope(column, row) = steepest_slope_of(elevation, lattice, column, row);
    });
    return slope;
}

Field<float> stream_power(const Field<double>& drainage_area, const Field<float>& slope) {
    assert(drainage_area.size() == slope.size());
    Field<float> power(slope.grid());
    for_each_cell(slope.grid(), [&](std::int32_t cell) {
        power[cell] = static_cast<float>(std::sqrt(drainage_area[cell]) * static_cast<double>(slope[cell]));
    });
    return power;
}

Field<std::int32_t> strahler_order(const FlowTree& tree) {
    // While donors arrive, a cell holds twice their highest order, plus 1 once two of them have it.
    Field<std::int32_t> order(tree.grid, 0);
    for_each_polled(std::views::reverse(tree.order), [&](std::int32_t cell) {
        const std::int32_t highest = order[cell] / 2;
        const std::int32_t own = std::max(highest + order[cell] % 2, 1);
        order[cell] = own;
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver < 0) return;
        if (own > order[receiver] / 2) {
            order[receiver] = 2 * own;
        } else if (own == order[receiver] / 2) {
            order[receiver] = 2 * own + 1;
        }
    });
    return order;
}

Field<std::int32_t> basin_labels(const FlowTree& tree) {
    Field<std::int32_t> label(tree.grid, 0);
    std::int32_t roots = 0;
    for_each_polled(0, label.size(), [&](std::int64_t cell) {
        if (tree.direction[at(cell)] == kRoot) label[cell] = ++roots;
    });
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        if (receiver >= 0) label[cell] = label[receiver];
    });
    return label;
}

Field<std::uint8_t> esri_directions(const FlowTree& tree) {
    Field<std::uint8_t> code(tree.grid, kEsriNoData);
    for_each_cell(tree.grid,
                  [&](std::int32_t cell) { code[cell] = esri_direction(tree.direction[at(cell)]); });
    return code;
}

Field<double> distance_to_outlet(const FlowTree& tree, const Lattice& lattice) {
    assert(lattice.grid.cells() == tree.grid.cells());
    Field<double> distance(tree.grid, std::numeric_limits<double>::quiet_NaN());
    for_each_polled(tree.order, [&](std::int32_t cell) {
        const std::int32_t receiver = tree.receiver(cell);
        distance[cell] =
            receiver < 0 ? 0.0 : distance[receiver] + lattice.distance(cell, tree.direction[at(cell)]);
    });
    return distance;
}

}  // namespace thalweg
