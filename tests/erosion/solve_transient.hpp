// The closed form of a finite time in one call, by both ways to solve it.
#pragma once

#include "thalweg/erosion/solvers/backward_characteristics.hpp"
#include "thalweg/erosion/solvers/forward_characteristics.hpp"
#include "thalweg/erosion/solvers/transient.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace thalweg {

/// Whether two solutions are the same but for rounding.
inline void expect_alike(const Field<float>& one, const Field<float>& other) {
    for (std::int64_t cell = 0; cell < one.size(); ++cell) {
        if (std::isnan(one[cell]) && std::isnan(other[cell])) continue;
        const float tolerance = 2e-3F + 1e-5F * std::max(std::abs(one[cell]), std::abs(other[cell]));
        ASSERT_NEAR(one[cell], other[cell], tolerance) << "cell " << cell;
    }
}

inline void solve_transient(const FlowTree& tree, const ErosionLaw& law, const PathInputs& inputs,
                            double time, const Field<float>& initial, Field<float>& elevation,
                            Progress& progress) {
    const TransientProblem problem{tree, law, inputs, time, initial};
    Field<float> from_below = elevation, along_paths = elevation;
    BackwardCharacteristics().solve(problem, from_below, progress);
    ForwardCharacteristics().solve(problem, along_paths, progress);
    expect_alike(from_below, along_paths);
    TransientSolver().solve(problem, elevation, progress);
    expect_alike(elevation, along_paths);
}

}  // namespace thalweg
