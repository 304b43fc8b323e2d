#include "thalweg/core/cancelling.hpp"
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
#include "thalweg/project/verb_start.hpp"

#include <set>
#include <utility>

#include <fmt/format.h>

namespace thalweg {
namespace {

/// A file that the verb writes.
struct VerbFile {
    std::string layer;  // or another dataset
    std::filesystem::path place;
    std::filesystem::path staged;
    std::filesystem::path sidecar = {};  // staged too; empty: none

    [[nodiscard]] bool has_sidecar() const {
        return names_cells(layer) && is_sixteen_bit(raster_format_of(place));
    }
};

/// The files to write, the primary one first. Throws Error::input when one names a layer that the stage does
/// not leave behind, or a file format that is not known.
std::vector<VerbFile> verb_files(const StageUse& use, const VerbInput& input, const VerbOutput& output) {
    const void* parameters = use.parameters.get();
    const LayerCheck layers = verb_layers(use, input);
    std::vector<VerbFile> files;
    if (output.primary) files.push_back({primary_layer(*use.stage, parameters), *output.primary, {}});
    for (const auto& [layer, path] : output.layers) {
        check_also(use, layer, path, layers);
        files.push_back({layer, path, {}});
    }
    for (const VerbFile& file : files)
        if (names_cells(file.layer))
            raster_format_of(file.place);
        else
            description_of(file.layer).check_file(file.place);
    return files;
}

/// The layers of the files; all where there is none.
WantedLayers layers_of(const std::vector<VerbFile>& files) {
    if (files.empty()) return {};
    std::set<std::string> names;
    for (const VerbFile& file : files) names.insert(file.layer);
    return WantedLayers(std::move(names));
}

/// The formats of the files that hold the network.
std::vector<std::string> networks_of(const std::vector<VerbFile>& files) {
    std::vector<std::string> formats;
    for (const VerbFile& file : files)
        if (file.layer == kRivers)
            formats.emplace_back(network_format_of(file.place) == NetworkFormat::GeoPackage ? "gpkg"
                                                                                            : "geojson");
    return formats;
}

/// Solves as often as asked, each time on the same start, and keeps the last landscape and the median time.
RunResult solve(const StageUse& use, const VerbInput& input, const WantedLayers& wanted, Progress& progress) {
    VerbStart start = start_of(input);
    RunResult result;
    result.report = begin_report(start.landscape);
    std::vector<double> times;
    for (int repeat = 0; repeat < input.repeat; ++repeat) {
        ProgressPart part(progress, static_cast<double>(repeat) / input.repeat,
                          (repeat + 1.0) / input.repeat);
        const bool is_last = repeat + 1 == input.repeat;
        result.landscape = is_last ? std::move(start.landscape) : start.landscape;
        const StageRun how{.is_measured = input.is_measured, .wanted = wanted};
        result.report.stages = {run_stage(use, how, result.landscape, part)};
        times.push_back(result.report.stages.front().solve_ms);
    }
    StageReport& stage = result.report.stages.front();
    set_repeats(stage, std::move(times));
    std::vector<std::string>& notes = stage.diagnostics.notes;
    notes.insert(notes.begin(), start.notes.begin(), start.notes.end());
    return result;
}

/// Writes the files where they are staged; the report tells of rasters among them. `title` stands above
/// charts.
void write_files(const std::vector<VerbFile>& files, const std::string& title, RunResult& result,
                 Progress& progress) {
    const Landscape& landscape = result.landscape;
    for (const VerbFile& file : files) {
        progress.report(1.0, "writing " + file.place.filename().string());
        if (!names_cells(file.layer)) {
            description_of(file.layer).write({file.staged, landscape, file.layer, title});
        } else {
            const RasterEncoding encoding =
                write_layer(file.staged, landscape, file.layer, raster_format_of(file.place), file.sidecar);
            const std::string place = file.place.string();
            result.report.rasters.push_back({place, file.layer, encoding});
            if (file.has_sidecar()) result.report.notes.push_back(note_of_scale(place, file.layer, encoding));
        }
    }
}

}  // namespace

RunResult run_verb(const Stage& stage, const void* parameters, const VerbInput& input,
                   const VerbOutput& output, Progress& progress) {
    const Stopwatch total;
    if (input.repeat < 1)
        throw Error::input(fmt::format("--repeat {} is not allowed: give 1 or more", input.repeat));
    const StageUse use = checked_use(stage, parameters);
    const Grid grid = verb_grid(input);
    check_cells(stage, grid);
    std::vector<VerbFile> files = verb_files(use, input, output);
    check_memory(plan_stage(use, {grid, "", layers_of(files), networks_of(files)}));
    StagedFiles staged;
    for (VerbFile& file : files) {
        file.staged = staged.stage(file.place);
        if (file.has_sidecar()) file.sidecar = staged.stage(sidecar_of(file.place));
    }
    try {
        const AnswersTo answers(progress);
        RunResult result = solve(use, input, layers_of(files), progress);
        const Stopwatch writing;
        staged.with_places([&] { write_files(files, input.name, result, progress); });
        staged.commit();
        result.report.output_ms = writing.milliseconds();
        for (const VerbFile& file : files) {
            result.files.push_back(file.place);
            if (file.has_sidecar()) result.files.push_back(sidecar_of(file.place));
        }
        for (const std::filesystem::path& file : result.files) result.report.files.push_back(file.string());
        result.report.peak_memory_bytes = peak_memory_bytes();
        result.report.total_ms = total.milliseconds();
        return result;
    } catch (const Cancelled&) {
        return RunResult{.status = RunStatus::Cancelled};
    }
}

}  // namespace thalweg
