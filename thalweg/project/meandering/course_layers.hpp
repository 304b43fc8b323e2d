// Layers of what wandering rivers leave.
#pragma once

#include "thalweg/meander/meander_history.hpp"
#include "thalweg/meander/meander_maps.hpp"
#include "thalweg/project/stage.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// Their names: channel_age, channel_belt, oxbow, moisture, deposit, vegetation.
std::vector<std::string> course_layers();

/// Leaves those that are wanted in the context's landscape.
void put_course_layers(const MeanderHistory& history, const MeanderMapParameters& parameters,
                       StageContext& context);

}  // namespace thalweg
