#include "thalweg/project/verb_start.hpp"

#include "thalweg/grid/limits.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/project_checks.hpp"

#include <utility>

namespace thalweg {

VerbStart start_of(const VerbInput& input) {
    VerbStart start;
    start.landscape.seed = input.seed;
    if (!input.raster) {
        start.landscape.grid = grid_of(input.grid, {});
        return start;
    }
    NotedRaster elevation = read_noted_raster(*input.raster);
    check_elevation(elevation.values, input.raster->string());
    start.notes = input.notes;
    start.notes.insert(start.notes.end(), elevation.notes.begin(), elevation.notes.end());
    start.landscape.grid = elevation.values.grid();
    LayerSource source = field_source(elevation.values);
    start.landscape.set("elevation", std::move(elevation.values), std::move(source));
    return start;
}

Grid verb_grid(const VerbInput& input) {
    if (!input.raster) return grid_of(input.grid, {});
    Grid grid = read_raster_info(*input.raster).grid;
    check_holds_terrain(grid, input.raster->string());
    return grid;
}

StageUse checked_use(const Stage& stage, const void* parameters) {
    StageUse use{&stage, stage.name, stage.make_parameters(), {}};
    stage.parameters->assign(use.parameters.get(), stage.parameters->values(parameters));
    if (stage.check) stage.check(use.parameters.get());
    return use;
}

}  // namespace thalweg
