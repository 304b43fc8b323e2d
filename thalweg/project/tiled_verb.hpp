// A verb on a raster that need not fit into memory.
#pragma once

#include "thalweg/project/runner.hpp"

#include <cstdint>

namespace thalweg {

/// Runs a stage that has `in_tiles` on the raster `input.raster`, with no more than about `memory_bytes`, and
/// writes `output` all or not at all, as run_verb does with the same values. Throws Error::input for layers,
/// formats and parameters that tiles do not allow, and for less than 64 MiB.
/// What a cancelled or killed run has done stays in a hidden folder beside the first output; the next run
/// with the same input, parameters and output goes on from there, and removes it. Of an input that is not
/// lasting a cancelled run leaves nothing.
RunResult run_verb_in_tiles(const Stage& stage, const void* parameters, const VerbInput& input,
                            const VerbOutput& output, std::int64_t memory_bytes, Progress& progress);

}  // namespace thalweg
