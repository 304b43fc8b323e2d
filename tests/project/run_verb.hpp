// Verbs in tests: one stage on its own, with parameters that the test owns.
#pragma once

#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/verb_start.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace thalweg {

/// What a verb works on: a raster, or else a grid.
struct VerbInput {
    std::optional<std::filesystem::path> raster;
    bool is_lasting = true;
    std::string name = {};  // of the terrain
    GridSettings grid = {};
};

/// Files of the primary layer and of others; without any, nothing is written.
struct VerbOutput {
    std::optional<std::filesystem::path> primary;
    std::multimap<std::string, std::filesystem::path> layers = {};
};

/// The verb as a project without files.
inline Project verb_on(const Stage& stage, const void* parameters, const VerbInput& input) {
    Project project = verb_project(stage, stage.copy_parameters(parameters));
    if (input.raster)
        start_from(project, {.file = *input.raster, .title = input.name, .is_lasting = input.is_lasting});
    else
        project.grid = grid_of(input.grid, {});
    return project;
}

inline RunResult run_verb(const Stage& stage, const void* parameters, const VerbInput& input,
                          const VerbOutput& output, Progress& progress, RunOptions options = {}) {
    Project project = verb_on(stage, parameters, input);
    if (output.primary) project.named_files.push_back({primary_layer(stage, parameters), *output.primary});
    for (const auto& [layer, file] : output.layers) project.named_files.push_back({layer, file});
    options.write_outputs = !project.named_files.empty();
    return run_project(project, options, {.progress = &progress});
}

/// The verb with its primary layer, and all that is named for it, in a folder.
inline Project in_folder(Project verb, const std::filesystem::path& folder) {
    verb.output_directory = folder;
    verb.output.layers = {verb.stages.front().stage->primary};
    verb.output.formats = {"geotiff"};
    return verb;
}

}  // namespace thalweg
