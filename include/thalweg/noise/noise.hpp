// Noise: terrain out of nothing but a seed.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"
#include "thalweg/grid/layer_source.hpp"

#include <cstdint>

namespace thalweg {

/// What the octaves of a noise look like.
enum class NoiseKind {
    Gradient,       // rolling: gradient noise
    Simplex,        // rolling, without a lattice's directions
    Ridged,         // sharp crests: ridged multifractal
    Billow,         // rounded hills and sharp valleys: |gradient noise|
    Cellular,       // cones around random points: F1
    CellularEdges,  // flat-edged cells around random points: F2 - F1
    White,          // independent draws
    Multifractal    // rolling; low ground smoother than high
};

/// Parameters of make_noise. All lengths are in metres, whatever the grid's cell size.
struct NoiseParameters {
    NoiseKind kind = NoiseKind::Gradient;
    double amplitude = 500.0;      // m, the greatest distance from the mean
    double mean = 0.0;             // m
    double wavelength = 0.0;       // m, of the first octave; 0: by the grid (resolved_on)
    int octaves = 0;               // 0: as many as the cells can show
    double persistence = 0.5;      // 1, amplitude of an octave over that of the one before
    double lacunarity = 2.0;       // 1, wavelength of an octave over that of the next
    double heterogeneity = 1.0;    // 1, of multifractal noise: how much smoother low ground is
    double warp = 0.0;             // m, how far places are moved before the noise is looked up
    double warp_wavelength = 0.0;  // m; 0: the wavelength

    static void declare(Declaration<NoiseParameters>& declaration);
};

/// Cells that a wavelength needs at least for its octave to be in the noise at all, and to be in it in full.
/// Between the two it fades in, so that nothing pops from size to size.
inline constexpr double kLeastCellsPerWavelength = 4.0;
inline constexpr double kFullCellsPerWavelength = 8.0;

/// The parameters with lengths left out (0) filled in for `grid`: wavelength is a quarter of its longer side
/// (white noise keeps 0: a draw per cell), warp_wavelength is the wavelength. Throws Error::input when the
/// grid's cells are so large that the first octave has no part in the noise.
NoiseParameters resolved_on(const Grid& grid, NoiseParameters parameters);

/// Elevation [m] of fractal noise at the world position p of each cell's centre, moved by the domain warp:
///
///     z(p) = mean + amplitude / S sum_i persistence^i f_i w_i(p) o(n_i(p))
///
///   i      an octave, of wavelength / lacunarity^i
///   n_i    its basis (NoiseKind), on a lattice of its own that is turned and shifted by the seed
///   o(n)   its shape less the mean over the plane: octaves that a finer grid adds have mean 0
///   f_i    0 up to 4 cells to a wavelength, 1 from 8 on
///   S      sum of persistence^i over all octaves there can be: `octaves`, or infinitely many for 0
///   w_i    1, but in ridged noise      w_i+1 = clamp(2 w_i (1 - |n_i|)^2, 0, 1)
///          and in multifractal noise   w_i+1 = clamp(w_i (1 + 2 heterogeneity n_i), 0, 1)
///
/// Musgrave 1998 (fBm, ridged and hybrid multifractal); differs in: octaves have mean 0, and S is fixed.
/// Values stay within mean +- amplitude, mostly within a third of it. A finer grid has the same terrain at
/// the same positions, plus finer octaves.
///
/// White noise is one uniform draw in [mean - amplitude, mean + amplitude) per lattice cell of `wavelength`,
/// or per grid cell for 0 (grids of other sizes then have other draws); it has no octaves and no warp.
///
/// O(cells x octaves); same bits on any number of threads; polls `progress` once per row. Throws as
/// resolved_on.
///
/// Example:
///     const NoiseParameters hills = {.kind = NoiseKind::Billow, .amplitude = 300.0};
///     const Field<float> elevation = make_noise(make_grid(25600.0, 25600.0, 512), hills, seed, progress);
Field<float> make_noise(const Grid& grid, const NoiseParameters& parameters, std::uint64_t seed,
                        Progress& progress);

/// The same noise for parameters that are resolved already, on any grid: flat where the cells are too large
/// for any octave. Cost as make_noise.
Field<float> evaluate_noise(const Grid& grid, const NoiseParameters& resolved, std::uint64_t seed,
                            Progress& progress);

/// The same noise on any grid; lengths left out are filled in for `home` alone. Throws as resolved_on(home).
LayerSource noise_source(const NoiseParameters& parameters, std::uint64_t seed, const Grid& home);

}  // namespace thalweg
