// Discontinuities between unconnected cells, worn back to what the law lets stand.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <span>

namespace thalweg {

/// What a cell's elevation follows from.
struct DiscontinuityInputs {
    std::span<const float> celerity;        // a, m/yr
    std::span<const float> uplift;          // u, m/yr
    double time = 0.0;                      // t, yr; infinity: the steady state
    const Field<float>* initial = nullptr;  // elevation t years ago, m; not read at steady state
};

/// Lowers cells that stand higher above a linked neighbour than the law lets them, by more than 1 mm:
///   z(c) <= z_n + (u/a) dx                                    at steady state
///   z(c) <= z_n(t - dx/a) + u dx/a                            after t years
/// over all neighbours n; then in rounds, at most 64, what stands too high above those.
///
/// Why: the closed form says so along rivers alone (transient.hpp). Beside a divide that has moved since its
/// network was found, it leaves cells far above neighbours that they do not drain to.
///
/// After t years: between then and now z_n is taken as linear in time, but not below where it is now; where
/// the signal from n has not arrived, the ground between n and c has. There n is also the place between two
/// linked neighbours, both lower, to which the steepest descent from c leads, with elevations linear in
/// between: the path to a wall across the lattice is shorter than any link.
///
/// Which cells: those with a link that is steeper than 0.98 and than the steady slope; in the rounds, those
/// from which a link steeper than 0.98 leads down to a lowered cell or, after t years, to a node beside one.
/// For these all links and triangles count that are steeper than 0.98. roots: 1 where a cell stays, as those
/// without data do.
///
/// All on one grid. O(cells); parallel but for what has to be lowered; same bits on any number of threads;
/// polls `progress`. Returns how many times a cell was lowered.
std::int64_t wear_discontinuities(const Lattice& lattice, const Field<std::uint8_t>& roots,
                                  const ErosionLaw& law, const DiscontinuityInputs& inputs,
                                  Field<float>& elevation, Progress& progress);

}  // namespace thalweg
