#include "thalweg/core/error.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/io/vectors.hpp"
#include "thalweg/project/outputs.hpp"
#include "thalweg/project/plan.hpp"
#include "thalweg/project/project_checks.hpp"
#include "thalweg/project/runner.hpp"
#include "thalweg/project/stage_layers.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/staged_files.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

/// A file that the verb writes.
struct VerbFile {
    std::string layer;  // or "rivers"
    std::filesystem::path place;
    std::filesystem::path staged;
};

/// Names the nearest layer where no stage knows `layer`.
[[noreturn]] void refuse_layer(const std::string& layer, const std::filesystem::path& path,
                               const Stage& stage, const std::set<std::string>& present) {
    std::vector<std::string> known = {kRivers};
    for (const LayerDescription& described : layer_catalogue()) known.push_back(described.name);
    known.insert(known.end(), present.begin(), present.end());
    const bool is_known = std::ranges::find(known, layer) != known.end();
    const std::string near = is_known ? "" : nearest_name(layer, known);
    const std::string hint = near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
    throw Error::input(fmt::format("--also {}={}: {} \"{}\"{}; {} leaves {}", layer, path.string(),
                                   is_known ? stage.name + " leaves no" : "there is no layer", layer, hint,
                                   stage.name, fmt::join(present, ", ")));
}

/// The files to write, the primary one first. Throws Error::input when one names a layer that the stage does
/// not leave behind, or a file format that is not known.
std::vector<VerbFile> verb_files(const StageUse& use, const VerbInput& input, const VerbOutput& output) {
    const void* parameters = use.parameters.get();
    LayerCheck layers(input.raster ? std::set<std::string>{"elevation"} : std::set<std::string>{});
    layers.pass(*use.stage, parameters);
    std::vector<VerbFile> files;
    if (output.primary) files.push_back({primary_layer(*use.stage, parameters), *output.primary, {}});
    for (const auto& [layer, path] : output.layers) {
        if (!layers.present().contains(layer)) refuse_layer(layer, path, *use.stage, layers.present());
        files.push_back({layer, path, {}});
    }
    for (const VerbFile& file : files)
        if (file.layer == kRivers) {
            network_format_of(file.place);
        } else {
            raster_format_of(file.place);
        }
    return files;
}

/// What a verb starts with.
struct Start {
    Landscape landscape;
    std::vector<std::string> notes;  // on how its raster was read
};

Start start_of(const VerbInput& input) {
    Start start;
    start.landscape.seed = input.seed;
    if (!input.raster) {
        start.landscape.grid = grid_of(input.grid, {});
        return start;
    }
    NotedRaster elevation = read_noted_raster(*input.raster);
    start.notes = std::move(elevation.notes);
    start.landscape.grid = elevation.values.grid();
    LayerSource source = field_source(elevation.values);
    start.landscape.set("elevation", std::move(elevation.values), std::move(source));
    return start;
}

/// The grid that the verb works on. Throws Error::input for a raster of one cell, which holds no terrain.
Grid verb_grid(const VerbInput& input) {
    if (!input.raster) return grid_of(input.grid, {});
    Grid grid = read_raster_info(*input.raster).grid;
    check_holds_terrain(grid, input.raster->string());
    return grid;
}

/// Solves as often as asked, each time on the same start, and keeps the last landscape and the median time.
RunResult solve(const StageUse& use, const VerbInput& input, Progress& progress) {
    const Start start = start_of(input);
    RunResult result;
    result.report = begin_report(start.landscape);
    std::vector<double> times;
    for (int repeat = 0; repeat < input.repeat; ++repeat) {
        ProgressPart part(progress, static_cast<double>(repeat) / input.repeat,
                          (repeat + 1.0) / input.repeat);
        result.landscape = start.landscape;
        result.report.stages = {run_stage(use, "", result.landscape, part)};
        times.push_back(result.report.stages.front().solve_ms);
    }
    StageReport& stage = result.report.stages.front();
    set_repeats(stage, std::move(times));
    std::vector<std::string>& notes = stage.diagnostics.notes;
    notes.insert(notes.begin(), start.notes.begin(), start.notes.end());
    return result;
}

void write_files(const std::vector<VerbFile>& files, const Landscape& landscape, Progress& progress) {
    for (const VerbFile& file : files) {
        progress.report(1.0, "writing " + file.place.filename().string());
        if (file.layer == kRivers) {
            write_network(file.staged, *landscape.rivers);
        } else {
            write_layer(file.staged, landscape, file.layer, raster_format_of(file.place));
        }
    }
}

}  // namespace

RunResult run_verb(const Stage& stage, const void* parameters, const VerbInput& input,
                   const VerbOutput& output, Progress& progress) {
    const Stopwatch total;
    if (input.repeat < 1)
        throw Error::input(fmt::format("--repeat {} is not allowed: give 1 or more", input.repeat));
    StageUse use{&stage, stage.name, stage.make_parameters(), {}};
    stage.parameters->assign(use.parameters.get(), stage.parameters->values(parameters));
    if (stage.check) stage.check(use.parameters.get());
    check_memory(plan_stage(use, verb_grid(input)));
    std::vector<VerbFile> files = verb_files(use, input, output);
    StagedFiles staged;
    for (VerbFile& file : files) file.staged = staged.stage(file.place);
    try {
        RunResult result = solve(use, input, progress);
        const Stopwatch writing;
        staged.with_places([&] { write_files(files, result.landscape, progress); });
        staged.commit();
        result.report.output_ms = writing.milliseconds();
        for (const VerbFile& file : files) {
            result.files.push_back(file.place);
            result.report.files.push_back(file.place.string());
        }
        result.report.peak_memory_bytes = peak_memory_bytes();
        result.report.total_ms = total.milliseconds();
        return result;
    } catch (const Cancelled&) {
        return RunResult{.status = RunStatus::Cancelled};
    }
}

}  // namespace thalweg
