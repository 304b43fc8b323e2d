#include "thalweg/project/verb_start.hpp"

#include "thalweg/grid/limits.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/project_checks.hpp"

#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// What was taken for granted of a raster that says nothing of its place or heights; empty for nothing.
std::string note_of_guesses(const RasterInfo& info, const RasterHints& hints, const std::string& name) {
    const bool lacks_place = !info.georeferenced && !hints.cell_size;
    const bool is_picture = info.value_type == "Byte" || info.value_type == "UInt16";
    const bool lacks_heights = is_picture && !info.is_scaled && info.driver == "PNG";
    if (lacks_place && lacks_heights)
        return fmt::format(
            "{} says nothing of its place and heights: its cells are taken as 1 m and its numbers "
            "as metres; --cell-size and --height-range give others",
            name);
    if (lacks_place)
        return fmt::format(
            "{} says nothing of its place: its cells are taken as 1 m; --cell-size gives another", name);
    if (lacks_heights)
        return fmt::format(
            "{} says nothing of its heights: its numbers are taken as metres; --height-range "
            "gives others",
            name);
    return {};
}

}  // namespace

Project verb_project(const Stage& stage, std::shared_ptr<void> parameters) {
    Project project;
    project.stages.push_back({&stage, stage.name, std::move(parameters), {}});
    project.output = {.layers = {}, .formats = {}, .networks = {}, .analyses = {}, .pictures = {}};
    return project;
}

void start_from(Project& project, StartRaster start) {
    project.grid = read_raster_info(start.file, start.hints).grid;
    check_holds_terrain(project.grid, start.file.string());
    project.start = std::move(start);
}

Start start_of(const Project& project) {
    Start start;
    start.landscape.grid = project.grid;
    start.landscape.seed = project.seed;
    if (!project.start) return start;
    const StartRaster& raster = *project.start;
    NotedRaster elevation = read_noted_raster(raster.file, raster.hints);
    check_elevation(elevation.values, raster.file.string());
    start.notes = raster.notes;
    start.notes.insert(start.notes.end(), elevation.notes.begin(), elevation.notes.end());
    if (const std::string note =
            note_of_guesses(elevation.info, raster.hints, raster.file.filename().string());
        !note.empty())
        start.notes.push_back(note);
    LayerSource source = field_source(elevation.values);
    start.landscape.set("elevation", std::move(elevation.values), std::move(source));
    return start;
}

}  // namespace thalweg
