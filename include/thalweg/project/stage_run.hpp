// Running one stage, timed.
#pragma once

#include "thalweg/project/project.hpp"
#include "thalweg/project/report.hpp"
#include "thalweg/project/stopwatch.hpp"

#include <string>
#include <vector>

namespace thalweg {

/// How a stage is run.
struct StageRun {
    std::string base_directory = {};  // relative file names in parameters start here
    bool is_measured = true;          // whether the report tells what costs time to measure
    WantedLayers wanted = {};
};

/// Runs one stage on the landscape; the report tells how long it took and what the stage said of its run.
/// Throws Error with the stage's label before its message.
///
/// Example:
///     Landscape land = landscape;
///     const StageReport report = run_stage(project.stages.front(), {.is_measured = false}, land, progress);
StageReport run_stage(const StageUse& use, const StageRun& how, Landscape& landscape, Progress& progress);

/// A report that tells which stage it is of, and its parameters.
StageReport begin_report(const StageUse& use);

/// Makes `report` that of several runs on equal inputs: it tells each of their times, and takes their median.
void set_repeats(StageReport& report, std::vector<double> times_ms);

/// Puts notes before those of the report.
void put_notes_first(StageReport& report, std::vector<std::string> notes);

/// A report that tells the project's name, grid and seed and the threads, without stages yet.
RunReport begin_report(const Project& project);

}  // namespace thalweg
