// Landscapes stepped in time, to compare with.
#pragma once

#include "thalweg/erosion/erode.hpp"

#include <functional>

namespace thalweg {

/// A problem on as many cells along each side.
using ProblemOfSize = std::function<ErosionInputs(int cells)>;

/// The problem, of data everywhere and for methods of one level, but that it begins with `start` (m,
/// interpolated by cubics) where its own elevation does not stay.
ErosionInputs begun_with(Field<float> start, ErosionInputs problem);

/// Implicit stepping over `years`.
ErosionResult stepped(const ErosionInputs& inputs, double years, std::uint64_t seed,
                      bool diagnostics = false);

/// Stepping for 2.3 million years on each of the grids of `cells`, half as many, ... cells, down to 32 or to
/// an odd number: each from the one before. With diagnostics.
ErosionResult stepped_by_levels(const ProblemOfSize& problem, int cells, std::uint64_t seed);

}  // namespace thalweg
