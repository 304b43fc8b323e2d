// Terrains that particles run on.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/noise/noise.hpp"
#include "thalweg/particles/particle_simulation.hpp"

#include <cmath>
#include <cstdint>

namespace thalweg::tests {

/// A plane that falls to the south by `slope` m/m, with 0 in its last row.
inline Field<float> plane(int columns, int rows, double cell_size, double slope) {
    Field<float> elevation(
        Grid{.columns = columns, .rows = rows, .cell_size = cell_size, .north = rows * cell_size});
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
            elevation(column, row) = static_cast<float>((rows - 1 - row) * cell_size * slope);
    return elevation;
}

/// A cone of `slope` m/m around the middle of a square grid, 0 in its corners.
inline Field<float> cone(int side, double cell_size, double slope) {
    Field<float> elevation(
        Grid{.columns = side, .rows = side, .cell_size = cell_size, .north = side * cell_size});
    const double middle = 0.5 * (side - 1);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column)
            elevation(column, row) = static_cast<float>(
                slope * cell_size * (std::sqrt(2.0) * middle - std::hypot(column - middle, row - middle)));
    return elevation;
}

/// Noise of an amplitude of half a metre for each cell of the side.
inline Field<float> hills(int side, double cell_size = 10.0, std::uint64_t seed = 3) {
    QuietProgress progress;
    return make_noise(make_grid(side * cell_size, side * cell_size, side), {.amplitude = 0.5 * side}, seed,
                      progress);
}

inline ParticleState after_cycles(ParticleSimulation rivers, int cycles) {
    QuietProgress progress;
    for (int cycle = 0; cycle < cycles; ++cycle) rivers.step(progress);
    return rivers.state();
}

}  // namespace thalweg::tests
