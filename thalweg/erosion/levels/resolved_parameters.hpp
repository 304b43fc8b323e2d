// What ErosionLattice::Auto and TimeDefinition::Auto stand for.
#pragma once

#include "thalweg/erosion/erosion_inputs.hpp"
#include "thalweg/erosion/erosion_parameters.hpp"

namespace thalweg {

/// `parameters` with a lattice and a time definition that suit the elevation and the time: never Auto.
ErosionParameters resolved_parameters(const ErosionParameters& parameters, const ErosionInputs& inputs);

}  // namespace thalweg
