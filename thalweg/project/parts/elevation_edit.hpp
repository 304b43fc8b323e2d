// Stages that change the ground of a simulation under way.
#pragma once

#include "thalweg/core/parameters.hpp"
#include "thalweg/project/project.hpp"

#include <string>

namespace thalweg {

/// The stage of an edit of `simulation` (a stage's name) with its parameters. Throws Error::input for values
/// that it does not take, for one that does not change elevation, and for no stage at all: `others`, before
/// "or", are the other commands of the simulation.
StageUse elevation_edit(const std::string& command, const ValueTable& values, const std::string& simulation,
                        const std::string& others);

}  // namespace thalweg
