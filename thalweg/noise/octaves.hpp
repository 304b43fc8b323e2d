// The octaves of a fractal noise on a grid.
#pragma once

#include "thalweg/grid/grid.hpp"
#include "thalweg/noise/bases.hpp"
#include "thalweg/noise/noise.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace thalweg {

/// What a sum of octaves is for; sums for different ends are independent. Never renumber: results would
/// change.
enum class OctaveUse : std::uint64_t { Elevation = 0, WarpEast = 1, WarpNorth = 2 };

/// One octave: a basis on a turned and shifted lattice, and its share of the sum.
struct Octave {
    std::uint64_t key = 0;
    double per_metre_x = 0.0;  // 1/m, lattice cells per metre, turned
    double per_metre_y = 0.0;  // 1/m
    double shift_u = 0.0;      // lattice cells
    double shift_v = 0.0;      // lattice cells
    float share = 0.0F;        // of the amplitude, faded towards the smallest wavelength
};

/// The octaves that cells of `cell_size` [m] can hold, largest first. `parameters` are resolved.
std::vector<Octave> octaves_on(double cell_size, const NoiseParameters& parameters, std::uint64_t seed,
                               OctaveUse use);

/// Calls `use(i, value)` with the octave's basis at every position [m].
template <class Basis, class Use>
void evaluate_octave(const Octave& octave, std::span<const Position> positions, const Use& use) {
    Basis basis(octave.key);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        const Position& p = positions[i];
        use(i, basis(octave.per_metre_x * p.x - octave.per_metre_y * p.y + octave.shift_u,
                     octave.per_metre_y * p.x + octave.per_metre_x * p.y + octave.shift_v));
    }
}

}  // namespace thalweg
