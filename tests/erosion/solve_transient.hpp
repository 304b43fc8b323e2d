// The closed form of a finite time in one call.
#pragma once

#include "thalweg/erosion/transient.hpp"

namespace thalweg {

inline void solve_transient(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                            double time, const Field<float>& initial, Field<float>& elevation,
                            Progress& progress) {
    TransientSolver().solve({tree, law, inputs, time, initial}, elevation, progress);
}

}  // namespace thalweg
