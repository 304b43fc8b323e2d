// Grain: unevenness of slopes over some cells of a survey, which no law of rivers or soil tells of.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

struct GrainParameters {
    double size = 2.0;  // m, root mean square on slopes of 0.1 to 0.5
};

/// Ground with grain: spurs and hollows that run down the slope, blocks, hummocks, tree throw, and what a
/// survey adds.
///
///   z'(p) = z(p) + size f g r(p) (0.90 m(p) + sum_i b_i n_i(p))
///
///   m     noise of `seed` and place, waves of 400 m, as a mean along the fall of the ground, 300 m up and
///   down by
///         a Hann window, that has a root mean square of 1 on even slopes
///   n_i   noise of 200 and 120 m, alike in all directions; waves of less than 2 cells are left out, and come
///   in
///         until they have 2.5
///   b_i   0.36 and 0.24
///   g     by slope S = |grad z|: min(1, S / 0.1)^2, but 0.25 min(1, S / 0.01) at least, so that level ground
///         stays level; beyond 0.5, where slopes are of rock, it grows in proportion to slope, to 2 from 0.8
///         on
///   r     0.9 + 0.45 n(p), n of 1.5 km and root mean square 1: some ground is rougher than other
///   f     0 at held cells, 1 from 60 m off them on (along rows, columns and diagonals), smooth between
///
/// Differs from roughness (roughness.hpp), which grows with slope and does not know which way water runs.
/// Lengths and sizes are empirical (docs/theory/hillslopes.md).
///
/// elevation: m, NaN is no data. held: same grid, 1 for channels and where water leaves. Edge cells keep
/// their elevation; gentle slopes may get pits: drain_pits. O(cells), 36 bytes a cell; same bits on any
/// number of threads; polls `progress`.
///
/// Example:
///     const Field<std::uint8_t> none(elevation.grid());  // held
///     const Field<float> grained = add_grain(elevation, none, {.size = 1.0}, seed, progress);
Field<float> add_grain(const Field<float>& elevation, const Field<std::uint8_t>& held,
                       const GrainParameters& grain, std::uint64_t seed, Progress& progress);

}  // namespace thalweg
