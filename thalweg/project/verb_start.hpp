// What the verb of one stage starts with.
#pragma once

#include "thalweg/project/runner.hpp"

#include <string>
#include <vector>

namespace thalweg {

struct VerbStart {
    Landscape landscape;
    std::vector<std::string> notes;  // on how its raster was read
};

/// The landscape of the verb's raster, as layer `elevation`, or an empty one.
VerbStart start_of(const VerbInput& input);

/// The grid that the verb works on. Throws Error::input for a raster of one cell, which holds no terrain.
Grid verb_grid(const VerbInput& input);

/// The verb's stage with a copy of its parameters, checked. Throws Error::input.
StageUse checked_use(const Stage& stage, const void* parameters);

}  // namespace thalweg
