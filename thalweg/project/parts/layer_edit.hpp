// Stages that change the layers of a simulation under way.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/project/project.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// The stage of an edit of `simulation` (a stage's name) with its parameters. Throws Error::input for values
/// that it does not take, for one that changes none of `layers` or the
/// grid, and for no stage at all: `others`, before
/// "or", are the other commands of the simulation.
StageUse layer_edit(const std::string& command, const ValueTable& values, const std::string& simulation,
                    const std::string& others, const std::vector<std::string>& layers);

/// The layer that an edit makes of `landscape`.
Field<float> edited_layer(const StageUse& use, Landscape landscape, const StageContext& context);

/// A stage with its default parameters, but for `values`. Throws Error::input for values that it does not
/// take.
StageEdit stage_edit(const Stage& stage, const ValueTable& values);

/// The values that "parameter=value" give to parameters of a stage. Throws Error::input for other texts.
ValueTable values_of_settings(const Stage& stage, const std::vector<std::string>& settings);

}  // namespace thalweg
