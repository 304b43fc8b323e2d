// How wide the belt of a history is.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/grid/grid.hpp"
#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_metrics.hpp"

#include <vector>

namespace thalweg {

/// Of a history with channels of `width` metres in the mean, along the valley lines of its last network.
BeltForm belt_form(const MeanderHistory& history, const std::vector<std::vector<Position>>& valleys,
                   double width, Progress& progress);

}  // namespace thalweg
