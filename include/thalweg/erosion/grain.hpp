// Grain: unevenness of slopes over some cells of a survey, which no law of rivers or soil tells of.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>

namespace thalweg {

struct GrainParameters {
    double size = 2.0;  // m, root mean square on slopes of 0.1 to 0.5
};

/// Ground with grain: blocks, hummocks, tree throw, and what a survey adds.
///
///   z'(p) = z(p) + size f g r(p) sum_i a_i n_i(p)
///
///   n_i   noise of `seed` and place, waves of 400, 200 and 120 m; those of less than 2 cells are left out,
///         and come in until they have 2.5
///   a_i   0.80, 0.50 and 0.33; root mean square of the sum of all three: 1
///   g     by slope S = |grad z|: min(1, S / 0.1)^2, but 0.25 min(1, S / 0.01) at least, so that level ground
///         stays level; beyond 0.5, where slopes are of rock, it grows in proportion to slope, to 2 from 0.8
///         on
///   r     0.9 + 0.45 n(p), n of 1.5 km and root mean square 1: some ground is rougher than other
///   f     0 at held cells, 1 from 60 m off them on (along rows, columns and diagonals), smooth between
///
/// Differs from roughness (roughness.hpp), which grows with slope and changes more quickly across it: grain
/// is the same in all directions. Lengths and sizes are empirical (docs/theory/hillslopes.md).
///
/// elevation: m, NaN is no data. held: same grid, 1 for channels and where water leaves. Edge cells keep
/// their elevation; gentle slopes may get pits: drain_pits. O(cells), 8 bytes a cell; same bits on any number
/// of threads; polls `progress`.
///
/// Example:
///     const Field<std::uint8_t> none(elevation.grid());  // held
///     const Field<float> grained = add_grain(elevation, none, {.size = 1.0}, seed, progress);
Field<float> add_grain(const Field<float>& elevation, const Field<std::uint8_t>& held,
                       const GrainParameters& grain, std::uint64_t seed, Progress& progress);

}  // namespace thalweg
