// The closed form of stream power erosion over a finite time, along every river path of a tree.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/solvers/backward_characteristics.hpp"
#include "thalweg/erosion/solvers/forward_characteristics.hpp"
#include "thalweg/erosion/solvers/transient_problem.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Elevation `time` years after `initial`, m:
///   z(x, t) = z0(D) + sum over the path from D to x of (u/a) dx, where the path from D to x takes `time`
///   years
///                                                          Tzathas et al. 2024, eqs. 6-9, 28, 29
/// differs in: D is found by exact search on the travel times along the path, instead of eqs. 12, 15 and 18,
/// which overshoot at confluences (docs/theory/erosion.md). Between nodes z0 minus accumulated uplift is
/// linear. Solved in the equal form z(x, t) = z0(x) + sum of (u - a S0) over the years that the signal spends
/// on each link on its way up to x, S0 being the slope of z0 there. With
/// inputs.floors_are_base_levels a cell that lies below its receiver is the floor of a closed basin, where
/// the paths above it begin: it rises with the rock until the receiver, taken as linear in time, has come
/// down to it, and then follows that. Where a path leads out of another basin, the surface that it follows is
/// level up to the sill; ground below it only rises with the rock: the result is the lower of that surface
/// and z0 + u t. So erosion never builds up, and basins stay basins, but for those less deep than
/// inputs.filled_depth: those are filled up to their sills, and drain. With law.base_slope > 0 the ground
/// goes on beyond the root at that slope, and the celerity there is the root's: z0(D) = z0(root) - base_slope
/// distance, so the root falls by base_slope a time (section 7.3). Cells outside keep z0. Where few signals
/// pass the whole link below their node, the sums go down from every node (BackwardCharacteristics), else
/// they are kept along the paths (ForwardCharacteristics): the same but for rounding, which may also decide
/// whether a slope just slides. Parallel, the same bits on any number of threads; polls `progress`. Keeps the
/// memory of the way that it took last (57 or 32 bytes a cell) from call to call.
class TransientSolver {
  public:
    /// `elevation`, m, may be problem.initial itself.
    void solve(const TransientProblem& problem, Field<float>& elevation, Progress& progress);

  private:
    BackwardCharacteristics near_;
    ForwardCharacteristics far_;
};

}  // namespace thalweg
