// Landscapes stepped in time, to compare with.
#pragma once

#include "thalweg/erosion/erode.hpp"

#include <functional>

namespace thalweg {

/// A problem on as many cells along each side.
using ProblemOfSize = std::function<ErosionInputs(int cells)>;

/// The problem, but that it begins with `start` (m) where its own elevation does not stay.
ErosionInputs begun_with(const Field<float>& start, ErosionInputs problem);

/// Implicit stepping over `years`.
ErosionResult stepped(const ErosionInputs& inputs, double years, std::uint64_t seed);

/// Stepping for 2.3 million years on grids of 32, 64, ... `cells` cells, each from the one before.
ErosionResult stepped_by_levels(const ProblemOfSize& problem, int cells, std::uint64_t seed);

}  // namespace thalweg
