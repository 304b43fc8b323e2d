// Running a project's stages with a cache of results.
#pragma once

#include "thalweg/core/progress.hpp"
#include "thalweg/project/cache/stage_cache.hpp"
#include "thalweg/project/landscape.hpp"
#include "thalweg/project/project_file.hpp"
#include "thalweg/project/report.hpp"

#include <vector>

namespace thalweg {

/// Brings the landscape, which is empty, to the state that running all stages leaves, and returns their
/// reports. Stages run whose result is not in `cache`, and those before them whose layers are functions that
/// they may ask for; what runs is kept there. Throws Error, and Cancelled; what has run by then is kept.
std::vector<StageReport> run_stages_cached(const Project& project, bool is_measured, StageCache& cache,
                                           Landscape& landscape, Progress& progress);

}  // namespace thalweg
