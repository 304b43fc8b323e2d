// A stage on a raster that need not fit into memory.
#pragma once

#include "thalweg/project/output/manifest.hpp"
#include "thalweg/project/runner.hpp"

#include <vector>

namespace thalweg {

/// Throws Error::input for layers, formats and projects that tiles do not allow, and for less than 64 MiB.
void check_tiles(const Project& project, const RunOptions& options);

/// Runs the project's stage in tiles and writes its files where they are staged. Throws UnfinishedRun.
void run_in_tiles(const Project& project, const RunOptions& options, const std::vector<WrittenFile>& files,
                  RunResult& result, Progress& progress);

}  // namespace thalweg
