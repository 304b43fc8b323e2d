// The closed form of the steady state along every river path of a tree.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/erosion/solvers/path_inputs.hpp"
#include "thalweg/flow/flow_tree.hpp"

#include <vector>

namespace thalweg {

/// Elevation at steady state, m:
///   z(x) = z0(root) + sum over the path of (u/a) dx      Tzathas et al. 2024, eq. 9; eqs. 28, 29 (thermal)
/// `elevation` holds the roots' elevations on entry and every cell's on return. A cell rises above its
/// receiver at least at a slope of 1e-6, and by the next float. O(cells); parallel; the same bits on any
/// number of threads; polls `progress`.
void solve_steady(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                  Field<float>& elevation, Progress& progress);

/// |dz/dt| along receivers over the largest uplift, per cell: u - a (z - z_r) / length, with the thermal term
/// where the law's own steady slope u/a exceeds the critical one. 0 at steady state, up to float32's rounding
/// of z. NaN for cells without a receiver and those that only the least slope holds up; empty where nothing
/// is uplifted. O(cells), parallel; the same bits on any number of threads.
std::vector<float> steady_residuals(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                                    const Field<float>& elevation);

}  // namespace thalweg
