#include "thalweg/project/verb_start.hpp"

#include "thalweg/grid/limits.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/project_checks.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

/// Names the nearest layer where no stage knows `layer`.
[[noreturn]] void refuse_layer(const std::string& layer, const std::filesystem::path& path,
                               const Stage& stage, const std::set<std::string>& present) {
    std::vector<std::string> known;
    for (const DatasetKind kind : {DatasetKind::Vectors, DatasetKind::Analysis, DatasetKind::Layer})
        std::ranges::copy(datasets_of(kind), std::back_inserter(known));
    known.insert(known.end(), present.begin(), present.end());
    const bool is_known = std::ranges::find(known, layer) != known.end();
    const std::string near = is_known ? "" : nearest_name(layer, known);
    const std::string hint = near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
    throw Error::input(fmt::format("--also {}={}: {} \"{}\"{}; {} leaves {}", layer, path.string(),
                                   is_known ? stage.name + " leaves no" : "there is no layer", layer, hint,
                                   stage.name, fmt::join(present, ", ")));
}

}  // namespace

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

VerbStart start_of(const VerbInput& input) {
    VerbStart start;
    start.landscape.seed = input.seed;
    if (!input.raster) {
        start.landscape.grid = grid_of(input.grid, {});
        return start;
    }
    NotedRaster elevation = read_noted_raster(*input.raster, input.hints);
    check_elevation(elevation.values, input.raster->string());
    start.notes = input.notes;
    start.notes.insert(start.notes.end(), elevation.notes.begin(), elevation.notes.end());
    if (const std::string note =
            note_of_guesses(elevation.info, input.hints, input.raster->filename().string());
        !note.empty())
        start.notes.push_back(note);
    start.landscape.grid = elevation.values.grid();
    LayerSource source = field_source(elevation.values);
    start.landscape.set("elevation", std::move(elevation.values), std::move(source));
    return start;
}

Grid verb_grid(const VerbInput& input) {
    if (!input.raster) return grid_of(input.grid, {});
    Grid grid = read_raster_info(*input.raster, input.hints).grid;
    check_holds_terrain(grid, input.raster->string());
    return grid;
}

StageUse checked_use(const Stage& stage, const void* parameters) {
    StageUse use{&stage, stage.name, stage.make_parameters(), {}};
    stage.parameters->assign(use.parameters.get(), stage.parameters->values(parameters));
    if (stage.check) stage.check(use.parameters.get());
    return use;
}

LayerCheck verb_layers(const StageUse& use, const VerbInput& input) {
    LayerCheck layers(input.raster ? std::set<std::string>{"elevation"} : std::set<std::string>{});
    layers.pass(*use.stage, use.parameters.get());
    return layers;
}

void check_also(const StageUse& use, const std::string& layer, const std::filesystem::path& path,
                const LayerCheck& layers) {
    if (const std::string why = why_left_out(*use.stage, use.parameters.get(), layer); !why.empty())
        throw Error::input(fmt::format("--also {}={}: {} leaves no \"{}\" so: {}", layer, path.string(),
                                       use.stage->name, layer, why));
    if (!layers.present().contains(layer)) refuse_layer(layer, path, *use.stage, layers.present());
}

}  // namespace thalweg
