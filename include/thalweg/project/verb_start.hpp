// One stage on its own, as a project, and the raster that a project starts from.
#pragma once

#include "thalweg/project/landscape.hpp"
#include "thalweg/project/project.hpp"

#include <memory>
#include <string>
#include <vector>

namespace thalweg {

/// A project of one stage, which shares its parameters. It has no grid and no files yet.
Project verb_project(const Stage& stage, std::shared_ptr<void> parameters);

/// Lets the project start from a raster and takes the grid of that, from the head of its file. Throws
/// Error::input when it can't be read, and for a raster of one cell, which holds no terrain.
///
/// Example:
///     const Stage& stage = find_stage("flow");
///     Project routing = verb_project(stage, stage.make_parameters());
///     start_from(routing, {.file = "dem.tif"});
///     routing.named_files = {{.dataset = "drainage_area", .path = "area.tif"}};
///     run_project(routing);
void start_from(Project& project, StartRaster start);

/// What the first stage of a project works on.
struct Start {
    Landscape landscape;
    std::vector<std::string> notes;  // on how its raster was made and read
};

/// The landscape of the project's raster, or an empty one. Throws Error.
Start start_of(const Project& project);

}  // namespace thalweg
