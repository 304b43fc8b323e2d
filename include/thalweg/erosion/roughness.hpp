// Roughness of hillslopes: spurs, hollows and gullies that are smaller than what drainage area tells of.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

struct RoughnessParameters {
    double size = 20.0;  // m, root mean square of the way along any direction
    double wavelength =
        400.0;  // m, of the longest waves, 50 m at least; each octave down to 50 m is half as long
};

/// Ground that is moved sideways by waves of `wavelength` and shorter:
///
///   z'(p) = z(p + f d(p)),    d = (dA/dy, -dA/dx)
///
///   A     m^2, noise of `seed` and place (noise/noise.hpp): octaves down to 50 m, each moving the ground
///   half
///         as far as the one before
///   d     m; `size` is its root mean square along any direction. Cells that are too large for an octave
///         have no part of it (kLeastCellsPerWavelength)
///   f     0 at held cells, 1 from 60 m off them on (along rows, columns and diagonals), smooth between
///
/// So a slope S becomes uneven by S * size [m, root mean square] and level ground stays level. d has no
/// divergence: it changes more quickly across a slope than down it, as gullies do, and no ground is pressed
/// together. Differs from adding noise: crests and gullies bend in place of being covered, and what drains
/// on the ground between cells drains afterwards. Lengths and sizes are empirical
/// (docs/theory/hillslopes.md).
///
/// elevation: m, NaN is no data. held: same grid, 1 for channels and where water leaves. Edge cells keep
/// their elevation. Cells may lie in pits where valleys are narrower than cells: drain_pits. O(cells), 13
/// bytes a cell; same bits on any number of threads; polls `progress`.
///
/// Example:
///     const Field<std::uint8_t> none(elevation.grid());  // held, nor roots
///     Field<float> rough = roughen(elevation, none, {.size = 20.0}, seed, progress);
///     drain_pits(rough, none, progress);
Field<float> roughen(const Field<float>& elevation, const Field<std::uint8_t>& held,
                     const RoughnessParameters& roughness, std::uint64_t seed, Progress& progress);

/// Drains pits, cells without a strictly lower neighbour: by a breach path, which falls evenly to the first
/// lower cell that a flood reaches, or by ground that fills the depression and falls by 2 mm a cell to where
/// it spills, whichever moves less (as Lindsay 2016 combines both). Left alone are roots, the edge of the
/// grid, cells beside one without data, pits that lie more than 20 m below their rim, and those beside roots
/// and edges from which no path leads further. Returns how many pits were drained.
///
/// elevation: m, NaN is no data. roots: same grid, 1 where water leaves. O(cells), and the cells of each pit;
/// serial; 2 bytes a cell; polls `progress`.
std::int64_t drain_pits(Field<float>& elevation, const Field<std::uint8_t>& roots, Progress& progress);

}  // namespace thalweg
