// The closed form of stream power erosion over a finite time, along every river path of a tree.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/solvers/backward_characteristics.hpp"
#include "thalweg/erosion/solvers/forward_characteristics.hpp"
#include "thalweg/erosion/solvers/transient_problem.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Elevation `time` years after `initial`, m, where the path from D to x takes `time` years:
///   z(x, t) = z0(D) + sum over the path from D to x of (u/a) dx       Tzathas et al. 2024, eqs. 6-9, 28, 29
/// Solved in the equal form, S0 being the slope of z0 on each link:
///   z(x, t) = z0(x) + sum of (u - a S0) over the years that the signal spends on each link up to x
/// Differs in: D is found by exact search on the travel times along the path, instead of eqs. 12, 15 and 18,
/// which overshoot at confluences (docs/theory/erosion.md). Between nodes z0 minus accumulated uplift is
/// linear.
///
/// Closed basins: with inputs.floors_are_base_levels a cell that lies below its receiver is the floor of one,
/// where the paths above it begin. It rises with the rock until the receiver, taken as linear in time, has
/// come down to it, and then follows that. Where a path leads out of another basin, the surface that it
/// follows is level up to the sill, and ground below it only rises with the rock: the result is the lower of
/// that surface and z0 + u t. So erosion never builds up, and basins stay basins, but for those less deep
/// than inputs.filled_depth: those are filled up to their sills, and drain.
///
/// Roots: with law.base_slope > 0 the ground goes on beyond the root at that slope, and the celerity there is
/// the root's: z0(D) = z0(root) - base_slope distance, so the root falls by base_slope a time (section 7.3).
/// Cells outside keep z0.
///
/// Two orders of summing: where few signals pass the whole link below their node, the sums go down from every
/// node (BackwardCharacteristics), else they are kept along the paths (ForwardCharacteristics). They are the
/// same but for rounding, which may also decide whether a slope just slides.
///
/// O(cells), or O(cells log(links of a path)) at most. Parallel, the same bits on
/// any number of threads; polls `progress`. Keeps the memory of the order that it took last (57 or 32 bytes a
/// cell) from call to call.
class TransientSolver {
  public:
    /// `elevation`, m, may be problem.initial itself.
    void solve(const TransientProblem& problem, Field<float>& elevation, Progress& progress);

  private:
    BackwardCharacteristics near_;
    ForwardCharacteristics far_;
};

}  // namespace thalweg
