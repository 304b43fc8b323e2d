#include "thalweg/project/tiled_verb.hpp"

#include "thalweg/core/cancelling.hpp"
#include "thalweg/core/error.hpp"
#include "thalweg/core/parallel.hpp"
#include "thalweg/io/raster.hpp"
#include "thalweg/project/memory.hpp"
#include "thalweg/project/stage_run.hpp"
#include "thalweg/project/staged_files.hpp"
#include "thalweg/project/unfinished_folder.hpp"
#include "thalweg/project/verb_start.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace thalweg {
namespace {

constexpr std::int64_t kLeastMemory = std::int64_t{64} << 20;

/// Throws Error::input where a layer or its file is not for tiles.
void check_tiled_layer(const Stage& stage, const std::string& layer, const std::filesystem::path& path) {
    if (std::ranges::find(stage.tiled_writes, layer) == stage.tiled_writes.end())
        throw Error::input(fmt::format("{} can't be had with --memory-limit: {} gives {} in tiles", layer,
                                       stage.name, fmt::join(stage.tiled_writes, ", ")));
    if (raster_format_of(path) != RasterFormat::GeoTiff)
        throw Error::input(
            fmt::format("{} can't be written with --memory-limit: give a .tif", path.string()));
}

}  // namespace

RunResult run_verb_in_tiles(const Stage& stage, const void* parameters, const VerbInput& input,
                            const VerbOutput& output, std::int64_t memory_bytes, Progress& progress) {
    const Stopwatch total;
    if (memory_bytes < kLeastMemory)
        throw Error::input(fmt::format("--memory-limit {} is not allowed: give {} MiB or more",
                                       memory_bytes >> 20, kLeastMemory >> 20));
    const StageUse use = checked_use(stage, parameters);
    std::map<std::string, std::filesystem::path> files(output.layers.begin(), output.layers.end());
    if (output.primary) files[stage.primary] = *output.primary;
    for (const auto& [layer, path] : files) check_tiled_layer(stage, layer, path);
    StagedFiles staged;
    TiledRun run{.raster = *input.raster,
                 .hints = input.hints,
                 .outputs = {},
                 .folder = {},
                 .memory_bytes = memory_bytes};
    for (const auto& [layer, path] : files) run.outputs[layer] = staged.stage(path);
    UnfinishedFolder unfinished(std::filesystem::absolute(files.begin()->second),
                                run.outputs.begin()->second.parent_path());
    run.folder = unfinished.path();
    try {
        const AnswersTo answers(progress);
        RunResult result;
        const RasterInfo info = read_raster_info(run.raster, run.hints);
        result.report.columns = info.grid.columns;
        result.report.rows = info.grid.rows;
        result.report.cell_size = info.grid.cell_size;
        result.report.threads = thread_count();
        result.report.seed = input.seed;
        const Stopwatch solving;
        StageReport report;
        report.stage = report.label = stage.name;
        report.parameters = stage.parameters->values(use.parameters.get());
        report.diagnostics =
            staged.with_places([&] { return stage.in_tiles(use.parameters.get(), run, progress); });
        report.diagnostics.notes.insert(report.diagnostics.notes.begin(), input.notes.begin(),
                                        input.notes.end());
        report.solve_ms = solving.milliseconds();
        report.repeats_ms = {report.solve_ms};
        result.report.stages = {std::move(report)};
        staged.commit();
        for (const auto& [layer, path] : files) {
            result.files.push_back(path);
            result.report.files.push_back(path.string());
        }
        result.report.peak_memory_bytes = peak_memory_bytes();
        result.report.total_ms = total.milliseconds();
        return result;
    } catch (const Cancelled&) {
        RunResult result{.status = RunStatus::Cancelled};
        if (input.is_lasting && unfinished.keep()) result.unfinished = unfinished.path();
        return result;
    }
}

}  // namespace thalweg
