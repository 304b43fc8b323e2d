// Terrain that is built up a drainage, slope by slope, so that what it is like is known.
#pragma once

#include "thalweg/flow/route.hpp"

#include <cmath>

#include "tests/flow/terrains.hpp"

namespace thalweg::tests {

/// The drainage of white noise, filled: rivers of all sizes.
inline FlowTree noise_tree(int columns, int rows, std::uint64_t seed) {
    QuietProgress progress;
    Field<float> z = white_terrain(columns, rows, seed);
    // A rim a few outlets let through makes the basins large.
    for (int column = 0; column < columns; ++column)
        for (int row = 0; row < rows; ++row)
            if (z.grid().on_edge(column, row)) z(column, row) += column == columns / 3 ? 0.0F : 500.0F;
    Field<std::uint8_t> roots(z.grid(), 0);
    roots(columns / 3, 0) = roots(columns / 3, rows - 1) = 1;
    return route(z, eight_neighbours(z.grid()), {roots}, {.conditioning = {.depressions = Depressions::Fill}},
                 progress)
        .tree;
}

/// Elevation, m, of which each cell lies rise(cell, receiver, distance) above its receiver, and roots at 100
/// m.
template <class Rise>
Field<float> built_up(const FlowTree& tree, const Rise& rise) {
    const Lattice lattice = eight_neighbours(tree.grid);
    Field<double> z(tree.grid, 100.0);
    for (const std::int32_t cell : tree.order)
        if (const std::int32_t receiver = tree.receiver(cell); receiver >= 0)
            z[cell] = z[receiver] + rise(cell, receiver, lattice.distance(cell, tree.direction[at(cell)]));
    Field<float> elevation(tree.grid, kNoData);
    for (const std::int32_t cell : tree.order) elevation[cell] = static_cast<float>(z[cell]);
    return elevation;
}

/// Slopes S = steepness A^-concavity with the area of each cell.
inline Field<float> flint_terrain(const FlowTree& tree, double steepness, double concavity) {
    const Field<double> area = drainage_area(tree);
    return built_up(tree, [&](std::int32_t cell, std::int32_t, double distance) {
        return distance * steepness * std::pow(area[cell], -concavity);
    });
}

/// A river system at steady state: elevation rises by steepness per chi (A0 = 1 m^2).
inline Field<float> steady_terrain(const FlowTree& tree, double steepness, double concavity) {
    const Field<double> area = drainage_area(tree);
    return built_up(tree, [&](std::int32_t cell, std::int32_t receiver, double distance) {
        return 0.5 * distance * steepness *
               (std::pow(area[cell], -concavity) + std::pow(area[receiver], -concavity));
    });
}

}  // namespace thalweg::tests
