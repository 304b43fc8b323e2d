// What the verb of one stage starts with.
#pragma once

#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"

#include <string>
#include <vector>

namespace thalweg {

struct VerbStart {
    Landscape landscape;
    std::vector<std::string> notes;  // on how its raster was read
};

/// What was taken for granted of a raster that says nothing of its place or heights; empty for nothing.
std::string note_of_guesses(const RasterInfo& info, const RasterHints& hints, const std::string& name);

/// The landscape of the verb's raster, as layer `elevation`, or an empty one.
VerbStart start_of(const VerbInput& input);

/// The grid that the verb works on. Throws Error::input for a raster of one cell, which holds no terrain.
Grid verb_grid(const VerbInput& input);

/// The verb's stage with a copy of its parameters, checked. Throws Error::input.
StageUse checked_use(const Stage& stage, const void* parameters);

/// The layers that there are once the verb's stage has run. Throws Error::input when it needs one that is not
/// there.
LayerCheck verb_layers(const StageUse& use, const VerbInput& input);

/// Throws Error::input unless the `layer` (or vectors, an analysis) that --also sends to `path` is among
/// those that the stage leaves.
void check_also(const StageUse& use, const std::string& layer, const std::filesystem::path& path,
                const LayerCheck& layers);

}  // namespace thalweg
