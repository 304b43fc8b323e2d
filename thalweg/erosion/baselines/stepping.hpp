// Stream power erosion step by step in time: the baseline beside the closed form.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/erosion/erosion_parameters.hpp"
#include "thalweg/erosion/erosion_report.hpp"
#include "thalweg/erosion/levels/erosion_level.hpp"
#include "thalweg/erosion/solvers/steady_state.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace thalweg {

/// What one step needs of every cell, all on one tree's grid.
struct StepInputs {
    PathInputs path;               // celerity: f, m/yr, the factor of slope^n
    std::span<const float> creep;  // c, m/yr, the factor of slope where n is not 1; empty: 0
};

struct ImplicitStep {
    ErosionLaw law = {};          // its thermal term; the rest of it is in StepInputs
    double slope_exponent = 1.0;  // n, 1; > 0
    double years = 1e4;           // dt, yr; > 0
};

/// One implicit step in time on a fixed tree, from the outlets upstream:
///   z_new = z + u dt - dt (f S^n + c S + k_t max(0, S - s_c))
///   S = (z_new - z_new of the receiver) / length
/// Source: Braun and Willett 2013, eqs. 20-27; differs in: creep and thermal terms beside the power law
/// (Tzathas et al. 2024, eqs. 26-29). A cell below its receiver only rises with the uplift: erosion never
/// builds up. Roots keep their elevation. n = 1 is solved in closed form. Another n by Newton's method, at
/// most 60 iterations a cell, until the drop to the receiver moves by less than 1e-6 m; wherever an iteration
/// leaves the bracket of the solution or does not halve the last move, bisection takes its place. Returns how
/// many cells ended at 60 iterations (none has been seen to). Stable for any dt; first order in dt and in the
/// cell size. elevation, m: on `tree`'s grid. O(cells); parallel over the tree's runs; the same bits on any
/// number of threads; polls `progress`.
std::int64_t step_along_tree(const FlowTree& tree, const StepInputs& inputs, const ImplicitStep& step,
                             Field<double>& elevation, const Progress& progress);

struct SteppedTerrain {
    Field<float> terrain;  // at the nodes, m
    int steps = 0;
    SteppingReport report;
    std::optional<SedimentReport> sediment;  // where there is deposition
};

/// Ages `level.initial` by `parameters.time` in equal steps; in each the terrain is routed anew, then
/// step_along_tree. The law is that of the closed form, a(max(A, A*)) included, without its sweeps of
/// diffusion over resolved hillslopes. With deposition, a step lays down the sediment
/// that the slopes at its start give (sediment.hpp): first order in dt. parameters.time_step = 0: 200 yr for
/// every metre of cell size (10 000 yr at 50 m: Tzathas et al. 2024, section 7.1), and at least 20 steps. A
/// time of infinity starts from z0 with up to 1 mm of noise, and ends when the mean of |dz/dt| falls below 1
/// % of the mean of |u| (or below 1e-6 m/yr), or after 20 million years, which the report tells as not
/// settled. Throws Error::input for more than 10 million steps. O(cells) a step; the same bits on any number
/// of threads; polls `progress`.
SteppedTerrain step_terrain(const ErosionLevel& level, const ErosionParameters& parameters,
                            std::uint64_t seed, PhaseTimes& phases, Progress& progress);

}  // namespace thalweg
