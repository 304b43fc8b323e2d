// Elevations that keep a given river network and lose the discontinuities between its rivers.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/flow/lattice.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// Weights of Tzathas et al. 2024, section 5.3.
struct NetworkFitParameters {
    int iterations = 50;
    double river_weight = 1.0 / 3.0;          // lambda_r, 1
    double discontinuity_weight = 2.0 / 3.0;  // lambda_d, 1
};

struct NetworkFitReport {
    int iterations = 0;             // steps that were tried; 0 where there was nothing to mend
    double objective_before = 0.0;  // m^2, of the elevations given
    double objective_after = 0.0;   // m^2, never larger
};

/// Raises what lies below its receiver by the tree to just above it, as water does in a closed basin: along
/// every path elevations rise by at least the lattice's least step. O(cells).
void raise_along_tree(const FlowTree& tree, Field<float>& elevation);

/// Moves elevations so that cells no longer stand far above neighbours that they do not drain to, while every
/// cell keeps its receiver and lies above it. Over the differences d = z - z(receiver), with d~ those of the
/// elevations given:
///   min  lambda_r L_r + lambda_d L_d   subject to d >= 1e-6 cells     Tzathas et al. 2024, eqs. 19-22
///   L_r = sum over cells c of (d_c - d~_c)^2 / 2
///   L_d = sum over c and neighbours n that are linked to c but not connected by a river, of
///         max(z_c - z_n - d~_c length(c, n) / length(c, receiver), 0)^2 / 2
/// by descent on its gradient (eqs. 30 and 32). On links of unequal lengths slopes are compared, not drops:
/// on 4 neighbours L_d is the paper's.
///
/// Differs in the step. The paper's is 0.01 of a gradient whose L_d alone is divided by N_c, the cells
/// upstream: that is descent on another objective, and what it takes for 50 iterations depends on how long
/// the rivers are (not on units: d and gradient scale alike with z). Here both terms are divided by a bound
/// on the curvature of the whole objective by d_c, found once from the network (Cauchy and Schwarz along the
/// rivers, with weights N^-1/2). Steps are 1.7 of that, for the bound is loose, and have momentum (Nesterov
/// 1983; FISTA, Beck and Teboulle 2009). One that would raise the objective is not taken; the next is without
/// momentum, or half as long. So the objective falls with every step taken.
///
/// elevation: m, on `tree`'s grid, NaN outside; what lies below its receiver is raised first
/// (raise_along_tree); roots do not move, and bits stay where no cell is too high. lattice: that on which the
/// tree was found.
///
/// O(cells) an iteration; 60 bytes a cell; parallel; the same bits on any number of threads and for every
/// width of vectors. Polls `progress`, and leaves `elevation` raised when that throws.
NetworkFitReport fit_to_network(const FlowTree& tree, const Lattice& lattice,
                                const NetworkFitParameters& parameters, Field<float>& elevation,
                                Progress& progress);

}  // namespace thalweg
