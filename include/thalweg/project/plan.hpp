// Plan: what a project will do and need, told before it starts.
#pragma once

#include "thalweg/project/memory.hpp"
#include "thalweg/project/project.hpp"
#include "thalweg/project/run_options.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace thalweg {

/// What one stage will do.
struct PlanStep {
    std::string label;
    std::string stage;
    std::string summary;
    std::int64_t peak_bytes = 0;  // layers kept so far, and the stage's own working memory
};

/// What a run will do and need.
struct Plan {
    std::vector<PlanStep> steps;
    // Names that will be written, as far as known before the run; of a series from the first to the last.
    std::vector<std::string> files;
    std::int64_t peak_bytes = 0;  // of the whole build, output included
    std::int64_t available_bytes = 0;
    bool fits_in_tiles = false;  // whether the work can also be done with less memory
};

/// What reading a project of that size takes, and telling its stages in the manifest.
Plan plan_project_text(const TextSize& text);

/// Adds up bytes = cells x (4 x layers kept + largest stage, or output) + what the program and pictures take,
/// and what frames and their animation add, but no file of an animation. Throws Error::input when frames are
/// asked for and no stage knows times.
///
/// Example:
///     const Plan plan = plan_project(project, {.repeat = 5});
///     check_memory(plan);
Plan plan_project(const Project& project, const RunOptions& options = {});

/// The same for drawing one picture of a raster (`thalweg render`): a map, or a view, of so many pixels.
Plan plan_picture(const Grid& grid, bool view, double pixels);

/// The same for describing the terrain of a raster (`thalweg describe`).
Plan plan_description(const Grid& grid);

/// Throws Error::input unless the program itself, with its libraries, fits into what is available. They may
/// end it without a word where it does not, so that this comes before anything else.
void check_memory_to_start();

/// Throws Error::input where the grid has more cells than the project's only stage can hold in memory, but
/// can work on in tiles.
void check_cells(const Project& project);

/// Throws Error::input with both figures when the plan needs more memory than is available.
void check_memory(const Plan& plan);

/// The plan in lines for a terminal (`--dry-run`).
std::string plan_text(const Project& project, const Plan& plan);

}  // namespace thalweg
