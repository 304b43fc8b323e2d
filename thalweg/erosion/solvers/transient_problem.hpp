// What the closed form of a finite time is solved for.
#pragma once

#include "thalweg/erosion/erosion_law.hpp"
#include "thalweg/erosion/solvers/path_inputs.hpp"
#include "thalweg/flow/flow_tree.hpp"
#include "thalweg/grid/field.hpp"

namespace thalweg {

/// What is solved over a finite time, all on one grid.
struct TransientProblem {
    const FlowTree& tree;
    const ErosionLaw& law;
    PathInputs inputs;
    double time;                  // yr, above 0 and finite
    const Field<float>& initial;  // z0, m
};

}  // namespace thalweg
