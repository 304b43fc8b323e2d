// Where rivers leave their valleys.
#pragma once

#include "thalweg/erosion/fans.hpp"

#include <vector>

namespace thalweg {

/// Apexes by area, the largest first; of equal ones by their cell.
std::vector<FanApex> fan_apexes(const FanInputs& inputs, const FanParameters& parameters, Progress& progress);

/// The donor with the most drainage per cell, -1 where there is none.
std::vector<std::int32_t> main_donors(const FlowTree& tree);

}  // namespace thalweg
