// The kinds of country that rock parameters can be left to.
#pragma once

#include "thalweg/rock/rock_parameters.hpp"

namespace thalweg {

/// All parameters of a preset but the strike, which is kByPreset. The figures are empirical: chosen by eye
/// and by the statistics of real mountains.
RockParameters preset_parameters(RockPreset preset);

}  // namespace thalweg
