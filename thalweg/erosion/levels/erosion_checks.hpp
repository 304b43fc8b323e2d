// What an erosion is refused for before any work.
#pragma once

#include "thalweg/erosion/erosion_inputs.hpp"
#include "thalweg/erosion/erosion_parameters.hpp"

namespace thalweg {

/// Throws Error::input for a negative or undefined time, no iterations on a level, or parameters that the
/// method does not know.
void check_erosion_parameters(const ErosionParameters& parameters);

/// The same of what does not depend on the time.
void check_timeless_parameters(const ErosionParameters& parameters);

/// Throws Error::input for a grid that is too small, for empty sources of elevation or uplift, and for a
/// boundary mask of another size or without a cell that drains.
void check_erosion_inputs(const ErosionInputs& inputs);

}  // namespace thalweg
